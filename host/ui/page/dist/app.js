"use strict";(()=>{var Ar="awhost-token",Ki=sessionStorage.getItem(Ar)??"";function Yi(e){Ki=e,sessionStorage.setItem(Ar,e)}function Rr(){return Ki!==
""}var rn=class extends Error{constructor(n,l,i){super(l);this.status=n;this.summary=l;this.detail=i}status;summary;detail};
function Ic(e,t){let n=new URLSearchParams;for(let[i,r]of Object.entries(t??{}))for(let a of Array.isArray(r)?r:[r])a!==
void 0&&a!==""&&n.append(i,String(a));let l=n.toString();return l===""?e:`${e}?${l}`}async function Dr(e,t,n){let l;try{
l=await fetch(Ic(e,t),{signal:n,headers:{Authorization:`Bearer ${Ki}`},cache:"no-store",credentials:"omit",redirect:"err\
or"})}catch(i){throw n.aborted?i:new rn(0,"The server does not answer.","awhost ui may have ended: start it again, and r\
eload the page.")}if(!l.ok)throw await jc(l);return l}async function jc(e){let t=await e.json().catch(()=>null);return new rn(
e.status,t?.error?.summary??`The server answered ${e.status}.`,t?.error?.detail??"")}async function qt(e,t,n){return await(await Dr(
e,t,n)).json()}var on=e=>`api/runs/${encodeURIComponent(e)}`,$r=(e,t)=>`${on(e)}/episodes/${encodeURIComponent(t)}`,Yl=e=>qt(
"api/runs",void 0,e),En=(e,t)=>qt(on(e),void 0,t),Jl=(e,t,n,l)=>qt(`${on(e)}/metrics`,{name:t,after:n},l),Zl=(e,t,n,l)=>qt(
`${on(e)}/steps`,{from:t,to:n},l),Ml=(e,t,n)=>qt(`${on(e)}/episodes`,t,n),Ql=(e,t,n)=>qt($r(e,t),void 0,n),zr=(e,t,n)=>qt(
`${$r(e,t)}/private`,void 0,n),Hr=(e,t,n)=>qt(`${on(e)}/validations`,{cursor:t},n),Vr=(e,t)=>qt(`${on(e)}/waits`,void 0,
t),Nr=(e,t)=>Dr(`${on(e)}/live`,void 0,t);async function Or(e,t,n){let l=await qt("api/compare",{run:[e,t]},n);return"co\
mparison"in l?l.comparison:l}var Gc=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
qr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,Uc=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
Bc=/^[\n\t -~]*$/,Fr=/\p{M}/u,Wr=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,Ji=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),Kc=4;function Qi(e){if(Bc.test(e))return[{text:e,escaped:!1}];let t=new Zi;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function ll(e){return Qi(e).map(t=>t.text).join("")}function El(e){return ll(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var Zi=class{out=[];shown="";before="";marks=0;take(t,n){let l=t.codePointAt(n);if(l===13&&
t[n+1]===`
`)return 1;if(l===27||l===155){let r=Gc.exec(t.slice(n,n+512));if(r)return this.escape(Yc(r[0])),r[0].length}let i=String.
fromCodePoint(l);return this.isShown(i,t,n+i.length)?(this.marks=Fr.test(i)?this.marks+1:0,this.shown+=i,this.before=i):
this.escape(Ir(l)),i.length}done(){return this.flush(),this.out}isShown(t,n,l){if(t===`
`||t==="	"||!Uc.test(t))return!0;if(Fr.test(t)&&!qr.test(t))return this.marks<Kc;let i=l<n.length?String.fromCodePoint(n.
codePointAt(l)):"";switch(t){case"\u200D":return Wr.test(this.before)&&Wr.test(i)||Ji.test(this.before);case"\u200C":return Ji.
test(this.before)&&Ji.test(i);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before="",this.marks=0}flush(){
this.shown!==""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function Yc(e){return[...e].map(t=>qr.test(
t)?Ir(t.codePointAt(0)):t).join("")}function Ir(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(
16).padStart(4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function o(e,t,...n){let l=document.createElement(e);for(let[i,r]of Object.entries(t??{}))Jc(l,i,r);return It(l,n),l}function Jc(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[l,i]of Object.entries(n))e.style.setProperty(l,i);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":ll(String(n)))}}function It(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?It(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(ll(String(n)))))}function z(e,...t){e.replaceChildren(),It(e,t)}var Zc=6e3,Qc=1e5;
function je(e,t=Zc){let n=o("div",{class:"prose",dir:"auto"}),l=0,i=p=>{let f=Xc(e,Math.min(p,e.length));for(let h of Qi(
e.slice(l,f)))n.append(h.escaped?o("span",{class:"escape"},h.text):h.text);l=f};if(i(t),l===e.length)return n;let r=o("b\
utton",{class:"quiet",onclick:()=>{i(l+Qc),l===e.length?r.remove():a()}}),a=()=>z(r,`show more: ${jr(e.length-l)} of ${jr(
e.length)} characters are left`);return a(),o("div",null,n,r)}function jr(e){return e.toLocaleString("en")}function Xc(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var Xl=new Map,es=new Map;function Gr(e,t,n){Xl.set(e,{what:t,act:n})}function an(e,t,n){es.set(e,{what:t,act:n})}function Ur(){
Xl.clear()}function Br(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),Xi();return}if(eu(e.target))return;let t=Xl.
get(e.key)??es.get(e.key);t&&(e.preventDefault(),t.act())})}function eu(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function ts(e){let t=[...document.querySelectorAll("main .item")].filter(
i=>i.offsetParent!==null);if(t.length===0)return;let n=t.findIndex(i=>i.classList.contains("current")),l=n<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[l].classList.add("current"),t[l].scrollIntoView(
{block:"nearest"})}function Kr(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function ns(){
if(Xi())return;let e=[...Xl,...es,["Esc",{what:"leave a field, close this"}]],t=o("dialog",{class:"help","aria-label":"K\
eys"},o("h2",null,"Keys"),o("table",null,o("tbody",null,e.map(([n,l])=>o("tr",null,o("td",null,o("kbd",null,tu[n]??n)),o(
"td",null,l.what))))),o("button",{onclick:()=>Xi()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var tu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function Xi(){
let e=document.querySelector("dialog.help");return e?.close(),e!==null}var lu=1e3,Yr=45e3;function Jr(e,t,n,l){iu(e,t,new ls(n,t),l)}async function iu(e,t,n,l){let i=500;for(let r=!0;!t.aborted;r=
!1){try{await su(e,t,a=>n.take(a),()=>{l("live"),i=500,r||n.take({kind:"state"})})}catch(a){if(a instanceof rn&&a.status>=
400&&a.status<500)break}if(t.aborted)break;l("lost"),await ou(i,t),i=Math.min(2*i,15e3)}l("off")}async function su(e,t,n,l){
let i=new AbortController,r=()=>i.abort();t.addEventListener("abort",r,{once:!0});let a=setTimeout(r,Yr);try{let f=(await Nr(
e,i.signal)).body.pipeThrough(new TextDecoderStream).getReader();l();for(let h="";;){let{done:g,value:b}=await f.read();
if(g)return;clearTimeout(a),a=setTimeout(r,Yr),h=ru(h+b,n)}}finally{clearTimeout(a),t.removeEventListener("abort",r),i.abort()}}
function ru(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),l=n.pop();for(let i of n){let r=i.split(`
`).filter(a=>a.startsWith("data:")).map(a=>a.slice(5).trimStart()).join(`
`);if(r!=="")try{t(JSON.parse(r))}catch{t({kind:"state"})}}return l}var ls=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},lu)}};function ou(e,t){return new Promise(n=>{let l=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(l),n()},{once:!0})})}function ss(e){let[t="",n=""]=au(e.replace(/^#/,""));return{path:t.split("/").filter(l=>l!=="").map(is),query:new URLSearchParams(
n)}}function au(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function is(e){try{return decodeURIComponent(
e)}catch{return e}}function Q(e,t={}){let n=new URLSearchParams;for(let[i,r]of Object.entries(t))for(let a of Array.isArray(
r)?r:[r])a!==void 0&&a!==""&&n.append(i,String(a));let l=n.toString();return"#/"+e.map(i=>encodeURIComponent(i)).join("/")+
(l?"?"+l:"")}var _n=e=>Q(["run",e]),Ye=(e,t,n={})=>Q(["run",e,"step",t],n),st=(e,t)=>Q(["run",e,"episode",t]),Tl=(e,t,n,l)=>Q(
["run",e,"group",t],{step:n,split:l});function rs(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:is(
t[1]),rest:"#"+(t[2]?is(t[2]):"/")};let{path:n,query:l}=ss(e),i=l.get("token");if(i===null)return null;l.delete("token");
let r=l.toString();return{token:i,rest:"#/"+n.map(encodeURIComponent).join("/")+(r?"?"+r:"")}}var Zr="awhost-theme";function cu(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function Qr(){let e=localStorage.getItem(Zr);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function os(){let e=cu()?"light":"dark";localStorage.setItem(Zr,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function Xr(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function Kt(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function as(e,t){let[n,l]=e instanceof rn?[e.summary,e.detail]:["The page could not draw this.",e instanceof Error?e.message:
String(e)];return o("section",{class:"trouble",role:"alert"},o("h2",null,n),o("p",null,l),o("button",{onclick:t},"Try ag\
ain"))}async function Le(e,t,n){let l=setTimeout(()=>z(t,o("p",{class:"dim"},"Loading \u2026")),200);try{let i=await n();
e.signal.aborted||z(t,i)}catch(i){e.signal.aborted||z(t,as(i,()=>{Le(e,t,n)}))}finally{clearTimeout(l)}}function ve(e,...t){
let n=o("section",{class:"panel"},o("h2",null,e));return It(n,t),n}function Ce(e,t,n=!1,l=""){let i=o("details",{class:"\
fold "+l},o("summary",null,e)),r=!1,a=()=>{r||!i.open||(r=!0,It(i,[t()]))};return i.addEventListener("toggle",a),n&&(i.open=
!0,a()),i}function $e(e,t,n){let l=r=>[r.right?"right":"",r.wide?"wide":""].join(" ").trim()||void 0,i=o("tbody",null,t.
map(r=>{let a=o("tr",null,e.map(p=>o("td",{class:l(p)},p.cell(r))));return n&&(a.classList.add("item"),a.dataset.href=n(
r)),a}));return o("div",{class:"scroll"},o("table",null,o("thead",null,o("tr",null,e.map(r=>o("th",{class:l(r)},r.title)))),
i))}function cn(e){return o("dl",{class:"pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>o("div",null,o("\
dt",null,t),o("dd",null,n))))}function Ln(e,t=e){let n=o("span",null,t),l=o("button",{class:"copy",title:"copy: "+e},n);
return l.addEventListener("click",()=>{uu(e).then(i=>{l.classList.add("done"),z(n,i?"copied":"not copied: select it by h\
and"),setTimeout(()=>{z(n,t),l.classList.remove("done")},1200)})}),l}async function uu(e){try{return await navigator.clipboard.
writeText(e),!0}catch{return!1}}var eo="unknown";function M(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return ei(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?ei(e.toExponential(2)):ei(String(Number(e.toPrecision(t))))}function ei(e){return e.replace(/^-/,"\u2212")}function Ct(e){
return e==null||!Number.isFinite(e)?"\u2013":ei((100*e).toFixed(1))+" %"}function un(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function pn(e){
return e==null?"\u2013":e<1?`${M(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:pt(e/1e3)}function pt(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return pu(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,l]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${l} min`:`${l} min ${t%60} s`}function pu(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function Pn(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=l=>String(
l).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function ti(e,t){return e?pt(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function ze(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function dt(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var Cn=50,du=5e3;async function to(e){e.title();let t=new Set,n=o("div",null),l=o("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),i=o("button",{disabled:!0,onclick:()=>r()},"Comp\
are");z(e.root,o("div",{class:"bar"},o("h1",null,"Runs"),l,i),n);let r=()=>{t.size>1&&(location.hash=Q(["compare"],{run:[
...t]}))};e.key("c","compare the chosen runs",r),e.key("x","choose the run for a comparison",()=>{document.querySelector(
"tr.current input")?.click()});let a=[],p=0,f=()=>{let b=l.value.trim().toLowerCase(),x=a.filter(R=>b===""||hu(R).includes(
b));p=Math.min(p,Math.max(0,Math.ceil(x.length/Cn)-1));let L=R=>{let O=o("input",{type:"checkbox","aria-label":`compare ${R.
name}`,checked:t.has(R.name)});return O.addEventListener("change",()=>{O.checked?t.add(R.name):t.delete(R.name),i.disabled=
t.size<2,z(i,t.size<2?"Compare":`Compare ${t.size} runs`)}),O},_=R=>{p+=R,f()};z(n,x.length===0?mu(a.length):gu(x.slice(
p*Cn,(p+1)*Cn),L),x.length>Cn?o("div",{class:"pager"},o("button",{disabled:p===0,onclick:()=>_(-1)},"\u2190 Newer"),o("s\
pan",null,`${p*Cn+1} to ${Math.min(x.length,(p+1)*Cn)} of ${x.length}`),o("button",{disabled:(p+1)*Cn>=x.length,onclick:()=>_(
1)},"Older \u2192")):null)};l.addEventListener("input",()=>{p=0,f()});let h=async()=>{a=(await Yl(e.signal)).runs};await Le(
e,n,async()=>(await h(),queueMicrotask(f),null));let g=setInterval(()=>{!a.some(b=>b.live)||document.hidden||n.contains(
document.activeElement)||h().then(()=>fu(f),()=>{})},du);e.signal.addEventListener("abort",()=>clearInterval(g),{once:!0})}
function fu(e){let t=document.querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll(
"tr.item"))n.dataset.href===t&&n.classList.add("current")}function hu(e){return[e.name,e.spec,e.train,e.adapter,e.status,
e.outcome,e.stage,e.machine].join(" ").toLowerCase()}function mu(e){return e>0?o("p",{class:"empty"},"No run has these w\
ords."):ve("No runs yet",o("p",null,"A run that begins in this folder shows up here: "),Ln("awhost apply"))}function gu(e,t){
let n=e.some(l=>l.machine);return $e([{title:"",cell:t},{title:"run",cell:l=>o("a",{href:_n(l.name)},l.name)},{title:"st\
atus",cell:_l},{title:"step",right:!0,cell:bu},{title:"held-out success",right:!0,cell:Ll},{title:"stage",cell:l=>l.stage??
"\u2013"},{title:"adapter",cell:l=>l.adapter??"\u2013"},{title:"spec",wide:!0,cell:l=>l.problem?o("span",{class:"bad"},l.
problem):l.spec},...n?[{title:"where",cell:l=>l.machine??"\u2013"}]:[],{title:"started",cell:l=>Pn(l.started)},{title:"t\
ook",right:!0,cell:l=>l.live||l.ended?ti(l.started,l.live?void 0:l.ended):"\u2013"},{title:"disk",right:!0,cell:l=>un(l.
disk_bytes)}],e,l=>_n(l.name))}function _l(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"live":t?"bad":e.
status==="finished"?"good":"warn",l=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;
return o("span",{class:"badge "+n},l)}function bu(e){if(e.step<0)return"\u2013";let t=e.steps?o("progress",{value:e.step,
max:e.steps,"aria-hidden":"true"}):null;return[o("span",null,M(e.step),e.steps?o("span",{class:"dim"},` of ${M(e.steps)}`):
null),t]}function Ll(e){return e.success_after===void 0&&e.success_before===void 0?"\u2013":e.success_after===void 0?[Ct(
e.success_before),o("span",{class:"dim"}," before")]:[o("span",{class:"dim"},`${Ct(e.success_before)} \u2192 `),Ct(e.success_after)]}var wu="uplot",xu="u-hz",vu="u-vt",yu="u-title",ku="u-wrap",Su="u-under",Mu="u-over",Eu="u-axis",Dn="u-off",Tu="u-select",
_u="u-cursor-x",Lu="u-cursor-y",Pu="u-cursor-pt",Cu="u-legend",Au="u-live",Ru="u-inline",Du="u-series",$u="u-marker",no="\
u-label",zu="u-value",Cl="width",Al="height";var lo="bottom",il="left",cs="right",Ts="#000",io=Ts+"0",us="mousemove",so="mousedown",ps="mouseup",ro="mouseenter",oo="\
mouseleave",ao="dblclick",Hu="resize",Vu="scroll",co="change",ri="dppxchange",_s="--",pl=typeof window<"u",gs=pl?document:
null,rl=pl?window:null,Nu=pl?navigator:null,ce,ni;function bs(){let e=devicePixelRatio;ce!=e&&(ce=e,ni&&xs(co,ni,bs),ni=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),$n(co,ni,bs),rl.dispatchEvent(new CustomEvent(
ri)))}function ft(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function ws(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function ye(e,t,n){e.style[t]=n+"px"}function At(e,t,n,l){let i=gs.createElement(e);return t!=null&&ft(i,
t),n?.insertBefore(i,l),i}function kt(e,t){return At("div",e,t)}var uo=new WeakMap;function jt(e,t,n,l,i){let r="transla\
te("+t+"px,"+n+"px)",a=uo.get(e);r!=a&&(e.style.transform=r,uo.set(e,r),t<0||n<0||t>l||n>i?ft(e,Dn):ws(e,Dn))}var po=new WeakMap;
function fo(e,t,n){let l=t+n,i=po.get(e);l!=i&&(po.set(e,l),e.style.background=t,e.style.borderColor=n)}var ho=new WeakMap;
function mo(e,t,n,l){let i=t+""+n,r=ho.get(e);i!=r&&(ho.set(e,i),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
l?-t/2+"px":0,e.style.marginTop=l?-n/2+"px":0)}var Ls={passive:!0},Ou={...Ls,capture:!0};function $n(e,t,n,l){t.addEventListener(
e,n,l?Ou:Ls)}function xs(e,t,n,l){t.removeEventListener(e,n,Ls)}pl&&bs();function Rt(e,t,n,l){let i;n=n||0,l=l||t.length-
1;let r=l<=2147483647;for(;l-n>1;)i=r?n+l>>1:ht((n+l)/2),t[i]<e?n=i:l=i;return e-t[n]<=t[l]-e?n:l}function Io(e){return(n,l,i)=>{
let r=-1,a=-1;for(let p=l;p<=i;p++)if(e(n[p])){r=p;break}for(let p=i;p>=l;p--)if(e(n[p])){a=p;break}return[r,a]}}var jo=e=>e!=
null,Go=e=>e!=null&&e>0,ci=Io(jo),Fu=Io(Go);function Wu(e,t,n,l=0,i=!1){let r=i?Fu:ci,a=i?Go:jo;[t,n]=r(e,t,n);let p=e[t],
f=e[t];if(t>-1)if(l==1)p=e[t],f=e[n];else if(l==-1)p=e[n],f=e[t];else for(let h=t;h<=n;h++){let g=e[h];a(g)&&(g<p?p=g:g>
f&&(f=g))}return[p??he,f??-he]}function ui(e,t,n,l){let i=wo(e),r=wo(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let a=n==10?
Yt:Uo,p=i==1?ht:St,f=r==1?St:ht,h=p(a(Ve(e))),g=f(a(Ve(t))),b=ol(n,h),x=ol(n,g);return n==10&&(h<0&&(b=me(b,-h)),g<0&&(x=
me(x,-g))),l||n==2?(e=b*i,t=x*r):(e=Jo(e,b),t=pi(t,x)),[e,t]}function Ps(e,t,n,l){let i=ui(e,t,n,l);return e==0&&(i[0]=0),
t==0&&(i[1]=0),i}var Cs=.1,go={mode:3,pad:Cs},Dl={pad:0,soft:null,mode:0},qu={min:Dl,max:Dl};function oi(e,t,n,l){return di(
n)?bo(e,t,n):(Dl.pad=n,Dl.soft=l?0:null,Dl.mode=l?3:0,bo(e,t,qu))}function oe(e,t){return e??t}function Iu(e,t,n){for(t=
oe(t,0),n=oe(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function bo(e,t,n){let l=n.min,i=n.max,r=oe(l.pad,
0),a=oe(i.pad,0),p=oe(l.hard,-he),f=oe(i.hard,he),h=oe(l.soft,he),g=oe(i.soft,-he),b=oe(l.mode,0),x=oe(i.mode,0),L=t-e,_=Yt(
L),R=tt(Ve(e),Ve(t)),O=Yt(R),j=Ve(O-_);(L<1e-24||j>10)&&(L=0,(e==0||t==0)&&(L=1e-24,b==2&&h!=he&&(r=0),x==2&&g!=-he&&(a=
0)));let S=L||R||1e3,q=Yt(S),E=ol(10,ht(q)),Z=S*(L==0?e==0?.1:1:r),$=me(Jo(e-Z,E/10),24),X=e>=h&&(b==1||b==3&&$<=h||b==2&&
$>=h)?h:he,K=tt(p,$<X&&e>=X?X:Dt(X,$)),ne=S*(L==0?t==0?.1:1:a),B=me(pi(t+ne,E/10),24),T=t<=g&&(x==1||x==3&&B>=g||x==2&&B<=
g)?g:-he,J=Dt(f,B>T&&t<=T?T:tt(T,B));return K==J&&K==0&&(J=100),[K,J]}var ju=new Intl.NumberFormat(pl?Nu.language:"en-US"),
As=e=>ju.format(e),mt=Math,si=mt.PI,Ve=mt.abs,ht=mt.floor,He=mt.round,St=mt.ceil,Dt=mt.min,tt=mt.max,ol=mt.pow,wo=mt.sign,
Yt=mt.log10,Uo=mt.log2,Gu=(e,t=1)=>mt.sinh(e)*t,ds=(e,t=1)=>mt.asinh(e/t),he=1/0;function xo(e){return(Yt((e^e>>31)-(e>>
31))|0)+1}function vs(e,t,n){return Dt(tt(e,t),n)}function Bo(e){return typeof e=="function"}function le(e){return Bo(e)?
e:()=>e}var Uu=()=>{},Ko=e=>e,Yo=(e,t)=>t,Bu=e=>null,vo=e=>!0,yo=(e,t)=>e==t,Ku=/\.\d*?(?=9{6,}|0{6,})/gm,zn=e=>{if(Qo(e)||
fn.has(e))return e;let t=`${e}`,n=t.match(Ku);if(n==null)return e;let l=n[0].length-1;if(t.indexOf("e-")!=-1){let[i,r]=t.
split("e");return+`${zn(i)}e${r}`}return me(e,l)};function An(e,t){return zn(me(zn(e/t))*t)}function pi(e,t){return zn(St(
zn(e/t))*t)}function Jo(e,t){return zn(ht(zn(e/t))*t)}function me(e,t=0){if(Qo(e))return e;let n=10**t,l=e*n*(1+Number.EPSILON);
return He(l)/n}var fn=new Map;function Zo(e){return((""+e).split(".")[1]||"").length}function zl(e,t,n,l){let i=[],r=l.map(
Zo);for(let a=t;a<n;a++){let p=Ve(a),f=me(ol(e,a),p);for(let h=0;h<l.length;h++){let g=e==10?+`${l[h]}e${a}`:l[h]*f,b=(a>=
0?0:p)+(a>=r[h]?0:r[h]),x=e==10?g:me(g,b);i.push(x),fn.set(x,b)}}return i}var $l={},Rs=[],al=[null,null],dn=Array.isArray,
Qo=Number.isInteger,Yu=e=>e===void 0;function ko(e){return typeof e=="string"}function di(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function Ju(e){return e!=null&&typeof e=="object"}var Zu=Object.getPrototypeOf(
Uint8Array),Xo="__proto__";function cl(e,t=di){let n;if(dn(e)){let l=e.find(i=>i!=null);if(dn(l)||t(l)){n=Array(e.length);
for(let i=0;i<e.length;i++)n[i]=cl(e[i],t)}else n=e.slice()}else if(e instanceof Zu)n=e.slice();else if(t(e)){n={};for(let l in e)
l!=Xo&&(n[l]=cl(e[l],t))}else n=e;return n}function Ae(e){let t=arguments;for(let n=1;n<t.length;n++){let l=t[n];for(let i in l)
i!=Xo&&(di(e[i])?Ae(e[i],cl(l[i])):e[i]=cl(l[i]))}return e}var Qu=0,Xu=1,ep=2;function tp(e,t,n){for(let l=0,i,r=-1;l<t.
length;l++){let a=t[l];if(a>r){for(i=a-1;i>=0&&e[i]==null;)e[i--]=null;for(i=a+1;i<n&&e[i]==null;)e[r=i++]=null}}}function np(e,t){
if(sp(e)){let a=e[0].slice();for(let p=1;p<e.length;p++)a.push(...e[p].slice(1));return rp(a[0])||(a=ip(a)),a}let n=new Set;
for(let a=0;a<e.length;a++){let f=e[a][0],h=f.length;for(let g=0;g<h;g++)n.add(f[g])}let l=[Array.from(n).sort((a,p)=>a-
p)],i=l[0].length,r=new Map;for(let a=0;a<i;a++)r.set(l[0][a],a);for(let a=0;a<e.length;a++){let p=e[a],f=p[0];for(let h=1;h<
p.length;h++){let g=p[h],b=Array(i).fill(void 0),x=t?t[a][h]:Xu,L=[];for(let _=0;_<g.length;_++){let R=g[_],O=r.get(f[_]);
R===null?x!=Qu&&(b[O]=R,x==ep&&L.push(O)):b[O]=R}tp(b,L,i),l.push(b)}}return l}var lp=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function ip(e){let t=e[0],n=t.length,l=Array(n);for(let r=0;r<l.length;r++)l[r]=r;l.sort(
(r,a)=>t[r]-t[a]);let i=[];for(let r=0;r<e.length;r++){let a=e[r],p=Array(n);for(let f=0;f<n;f++)p[f]=a[l[f]];i.push(p)}
return i}function sp(e){let t=e[0][0],n=t.length;for(let l=1;l<e.length;l++){let i=e[l][0];if(i.length!=n)return!1;if(i!=
t){for(let r=0;r<n;r++)if(i[r]!=t[r])return!1}}return!0}function rp(e,t=100){let n=e.length;if(n<=1)return!0;let l=0,i=n-
1;for(;l<=i&&e[l]==null;)l++;for(;i>=l&&e[i]==null;)i--;if(i<=l)return!0;let r=tt(1,ht((i-l+1)/t));for(let a=e[l],p=l+r;p<=
i;p+=r){let f=e[p];if(f!=null){if(f<=a)return!1;a=f}}return!0}var ea=["January","February","March","April","May","June",
"July","August","September","October","November","December"],ta=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function na(e){return e.slice(0,3)}var op=ta.map(na),ap=ea.map(na),cp={MMMM:ea,MMM:ap,WWWW:ta,WWW:op};function Pl(e){
return(e<10?"0":"")+e}function up(e){return(e<10?"00":e<100?"0":"")+e}var pp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Pl(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Pl(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Pl(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Pl(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Pl(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>up(e.getMilliseconds())};function Ds(e,t){t=t||cp;let n=[],l=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=l.exec(
e);)n.push(i[0][0]=="{"?pp[i[1]]:i[0]);return r=>{let a="";for(let p=0;p<n.length;p++)a+=typeof n[p]=="string"?n[p]:n[p](
r,t);return a}}var dp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function fp(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==dp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var la=e=>e%1==0,ai=[1,2,2.5,5],hp=zl(10,-32,0,ai),ia=zl(10,0,32,ai),mp=ia.filter(la),Rn=hp.concat(
ia),$s=`
`,sa="{YYYY}",So=$s+sa,ra="{M}/{D}",Rl=$s+ra,li=Rl+"/{YY}",oa="{aa}",gp="{h}:{mm}",sl=gp+oa,Mo=$s+sl,Eo=":{ss}",pe=null;
function aa(e){let t=e*1e3,n=t*60,l=n*60,i=l*24,r=i*30,a=i*365,f=(e==1?zl(10,0,3,ai).filter(la):zl(10,-3,0,ai)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,l,l*2,l*3,l*4,l*6,l*8,l*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,r,r*2,r*
3,r*4,r*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),h=[[a,sa,pe,pe,pe,pe,pe,pe,1],[i*28,"{MMM}",So,pe,pe,pe,pe,pe,1],[i,ra,So,pe,
pe,pe,pe,pe,1],[l,"{h}"+oa,li,pe,Rl,pe,pe,pe,1],[n,sl,li,pe,Rl,pe,pe,pe,1],[t,Eo,li+" "+sl,pe,Rl+" "+sl,pe,Mo,pe,1],[e,Eo+
".{fff}",li+" "+sl,pe,Rl+" "+sl,pe,Mo,pe,1]];function g(b){return(x,L,_,R,O,j)=>{let S=[],q=O>=a,E=O>=r&&O<a,Z=b(_),$=me(
Z*e,3),X=fs(Z.getFullYear(),q?0:Z.getMonth(),E||q?1:Z.getDate()),K=me(X*e,3);if(E||q){let ne=E?O/r:0,B=q?O/a:0,T=$==K?$:
me(fs(X.getFullYear()+B,X.getMonth()+ne,1)*e,3),J=new Date(He(T/e)),H=J.getFullYear(),G=J.getMonth();for(let W=0;T<=R;W++){
let ie=fs(H+B*W,G+ne*W,1),F=ie-b(me(ie*e,3));T=me((+ie+F)*e,3),T<=R&&S.push(T)}}else{let ne=O>=i?i:O,B=ht(_)-ht($),T=K+B+
pi($-K,ne);S.push(T);let J=b(T),H=J.getHours()+J.getMinutes()/n+J.getSeconds()/l,G=O/l,W=x.axes[L]._space,ie=j/W;for(;T=
me(T+O,e==1?0:3),!(T>R);)if(G>1){let F=ht(me(H+G,6))%24,se=b(T).getHours()-F;se>1&&(se=-1),T-=se*l,H=(H+G)%24;let de=S[S.
length-1];me((T-de)/O,3)*ie>=.7&&S.push(T)}else S.push(T)}return S}}return[f,h,g]}var[bp,wp,xp]=aa(1),[vp,yp,kp]=aa(.001);
zl(2,-53,53,[1]);function To(e,t){return e.map(n=>n.map((l,i)=>i==0||i==8||l==null?l:t(i==1||n[8]==0?l:n[1]+l)))}function _o(e,t){
return(n,l,i,r,a)=>{let p=t.find(_=>a>=_[0])||t[t.length-1],f,h,g,b,x,L;return l.map(_=>{let R=e(_),O=R.getFullYear(),j=R.
getMonth(),S=R.getDate(),q=R.getHours(),E=R.getMinutes(),Z=R.getSeconds(),$=O!=f&&p[2]||j!=h&&p[3]||S!=g&&p[4]||q!=b&&p[5]||
E!=x&&p[6]||Z!=L&&p[7]||p[1];return f=O,h=j,g=S,b=q,x=E,L=Z,$(R)})}}function Sp(e,t){let n=Ds(t);return(l,i,r,a,p)=>i.map(
f=>n(e(f)))}function fs(e,t,n){return new Date(e,t,n)}function Lo(e,t){return t(e)}var Mp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Po(e,t){return(n,l,i,r)=>r==null?_s:t(e(l))}function Ep(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function Tp(e,t){return e.series[t].fill(e,t)}var _p={show:!0,live:!0,isolate:!1,mount:Uu,
markers:{show:!0,width:2,stroke:Ep,fill:Tp,dash:"solid"},idx:null,idxs:null,values:[]};function Lp(e,t){let n=e.cursor.points,
l=kt(),i=n.size(e,t);ye(l,Cl,i),ye(l,Al,i);let r=i/-2;ye(l,"marginLeft",r),ye(l,"marginTop",r);let a=n.width(e,t,i);return a&&
ye(l,"borderWidth",a),l}function Pp(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Cp(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function Ap(e,t){return e.series[t].points.size}var hs=[0,0];function Rp(e,t,n){return hs[0]=
t,hs[1]=n,hs}function ii(e,t,n,l=!0){return i=>{i.button==0&&(!l||i.target==t)&&n(i)}}function ms(e,t,n,l=!0){return i=>{
(!l||i.target==t)&&n(i)}}var Dp={show:!0,x:!0,y:!0,lock:!1,move:Rp,points:{one:!1,show:Lp,size:Ap,width:0,stroke:Cp,fill:Pp},
bind:{mousedown:ii,mouseup:ii,click:ii,dblclick:ii,mousemove:ms,mouseleave:ms,mouseenter:ms},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,l,i)=>l-
i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ca={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},zs=Ae({},ca,{filter:Yo}),ua=Ae({},zs,{size:10}),pa=Ae({},ca,{show:!1}),Hs='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',da="bold "+Hs,fa=1.5,Co={show:!0,scale:"x",stroke:Ts,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:da,side:2,grid:zs,ticks:ua,border:pa,font:Hs,lineGap:fa,rotate:0},$p="\
Value",zp="Time",Ao={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function Hp(e,t,n,l,i){return t.map(r=>r==
null?"":As(r))}function Vp(e,t,n,l,i,r,a){let p=[],f=fn.get(i)||0;n=a?n:me(pi(n,i),f);for(let h=n;h<=l;h=me(h+i,f))p.push(
Object.is(h,-0)?0:h);return p}function ys(e,t,n,l,i,r,a){let p=[],f=e.scales[e.axes[t].scale].log,h=f==10?Yt:Uo,g=ht(h(n));
i=ol(f,g),f==10&&(i=Rn[Rt(i,Rn)]);let b=n,x=i*f;f==10&&(x=Rn[Rt(x,Rn)]);do p.push(b),b=b+i,f==10&&!fn.has(b)&&(b=me(b,fn.
get(i))),b>=x&&(i=b,x=i*f,f==10&&(x=Rn[Rt(x,Rn)]));while(b<=l);return p}function Np(e,t,n,l,i,r,a){let f=e.scales[e.axes[t].
scale].asinh,h=l>f?ys(e,t,tt(f,n),l,i):[f],g=l>=0&&n<=0?[0]:[];return(n<-f?ys(e,t,tt(f,-l),-n,i):[f]).reverse().map(x=>-x).
concat(g,h)}var ha=/./,Op=/[12357]/,Fp=/[125]/,Ro=/1/,ks=(e,t,n,l)=>e.map((i,r)=>t==4&&i==0||r%l==0&&n.test(i.toExponential()[i<
0?1:0])?i:null);function Wp(e,t,n,l,i){let r=e.axes[n],a=r.scale,p=e.scales[a],f=e.valToPos,h=r._space,g=f(10,a),b=f(9,a)-
g>=h?ha:f(7,a)-g>=h?Op:f(5,a)-g>=h?Fp:Ro;if(b==Ro){let x=Ve(f(1,a)-g);if(x<h)return ks(t.slice().reverse(),p.distr,b,St(
h/x)).reverse()}return ks(t,p.distr,b,1)}function qp(e,t,n,l,i){let r=e.axes[n],a=r.scale,p=r._space,f=e.valToPos,h=Ve(f(
1,a)-f(2,a));return h<p?ks(t.slice().reverse(),3,ha,St(p/h)).reverse():t}function Ip(e,t,n,l){return l==null?_s:t==null?
"":As(t)}var Do={show:!0,scale:"y",stroke:Ts,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:da,side:3,
grid:zs,ticks:ua,border:pa,font:Hs,lineGap:fa,rotate:0};function jp(e,t){let n=3+(e||1)*2;return me(n*t,3)}function Gp(e,t){
let{scale:n,idxs:l}=e.series[0],i=e._data[0],r=e.valToPos(i[l[0]],n,!0),a=e.valToPos(i[l[1]],n,!0),p=Ve(a-r),f=e.series[t],
h=p/(f.points.space*ce);return l[1]-l[0]<=h}var $o={scale:null,auto:!0,sorted:0,min:he,max:-he},ma=(e,t,n,l,i)=>i,zo={show:!0,
auto:!0,sorted:0,gaps:ma,alpha:1,facets:[Ae({},$o,{scale:"x"}),Ae({},$o,{scale:"y"})]},Ho={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:ma,alpha:1,points:{show:Gp,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function Up(e,t,n,l,i){
return n/10}var ga={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Bp=Ae({},ga,{time:!1,ori:1}),Vo={};
function ba(e,t){let n=Vo[e];return n||(n={key:e,plots:[],sub(l){n.plots.push(l)},unsub(l){n.plots=n.plots.filter(i=>i!=
l)},pub(l,i,r,a,p,f,h){for(let g=0;g<n.plots.length;g++)n.plots[g]!=i&&n.plots[g].pub(l,i,r,a,p,f,h)}},e!=null&&(Vo[e]=n)),
n}var ul=1,Ss=2;function Hn(e,t,n){let l=e.mode,i=e.series[t],r=l==2?e._data[t]:e._data,a=e.scales,p=e.bbox,f=r[0],h=l==
2?r[1]:r[t],g=l==2?a[i.facets[0].scale]:a[e.series[0].scale],b=l==2?a[i.facets[1].scale]:a[i.scale],x=p.left,L=p.top,_=p.
width,R=p.height,O=e.valToPosH,j=e.valToPosV;return g.ori==0?n(i,f,h,g,b,O,j,x,L,_,R,hi,dl,gi,xa,ya):n(i,f,h,g,b,j,O,L,x,
R,_,mi,fl,Os,va,ka)}function Vs(e,t){let n=0,l=0,i=oe(e.bands,Rs);for(let r=0;r<i.length;r++){let a=i[r];a.series[0]==t?
n=a.dir:a.series[1]==t&&(a.dir==1?l|=1:l|=2)}return[n,l==1?-1:l==2?1:l==3?2:0]}function Kp(e,t,n,l,i){let r=e.mode,a=e.series[t],
p=r==2?a.facets[1].scale:a.scale,f=e.scales[p];return i==-1?f.min:i==1?f.max:f.distr==3?f.dir==1?f.min:f.max:0}function Jt(e,t,n,l,i,r){
return Hn(e,t,(a,p,f,h,g,b,x,L,_,R,O)=>{let j=a.pxRound,S=h.dir*(h.ori==0?1:-1),q=h.ori==0?dl:fl,E,Z;S==1?(E=n,Z=l):(E=l,
Z=n);let $=j(b(p[E],h,R,L)),X=j(x(f[E],g,O,_)),K=j(b(p[Z],h,R,L)),ne=j(x(r==1?g.max:g.min,g,O,_)),B=new Path2D(i);return q(
B,K,ne),q(B,$,ne),q(B,$,X),B})}function fi(e,t,n,l,i,r){let a=null;if(e.length>0){a=new Path2D;let p=t==0?gi:Os,f=n;for(let b=0;b<
e.length;b++){let x=e[b];if(x[1]>x[0]){let L=x[0]-f;L>0&&p(a,f,l,L,l+r),f=x[1]}}let h=n+i-f,g=10;h>0&&p(a,f,l-g/2,h,l+r+
g)}return a}function Yp(e,t,n){let l=e[e.length-1];l&&l[0]==t?l[1]=n:e.push([t,n])}function Ns(e,t,n,l,i,r,a){let p=[],f=e.
length;for(let h=i==1?n:l;h>=n&&h<=l;h+=i)if(t[h]===null){let b=h,x=h;if(i==1)for(;++h<=l&&t[h]===null;)x=h;else for(;--h>=
n&&t[h]===null;)x=h;let L=r(e[b]),_=x==b?L:r(e[x]),R=b-i;L=a<=0&&R>=0&&R<f?r(e[R]):L;let j=x+i;_=a>=0&&j>=0&&j<f?r(e[j]):
_,_>=L&&p.push([L,_])}return p}function No(e){return e==0?Ko:e==1?He:t=>An(t,e)}function wa(e){let t=e==0?hi:mi,n=e==0?(i,r,a,p,f,h)=>{
i.arcTo(r,a,p,f,h)}:(i,r,a,p,f,h)=>{i.arcTo(a,r,f,p,h)},l=e==0?(i,r,a,p,f)=>{i.rect(r,a,p,f)}:(i,r,a,p,f)=>{i.rect(a,r,f,
p)};return(i,r,a,p,f,h=0,g=0)=>{h==0&&g==0?l(i,r,a,p,f):(h=Dt(h,p/2,f/2),g=Dt(g,p/2,f/2),t(i,r+h,a),n(i,r+p,a,r+p,a+f,h),
n(i,r+p,a+f,r,a+f,g),n(i,r,a+f,r,a,g),n(i,r,a,r+p,a,h),i.closePath())}}var hi=(e,t,n)=>{e.moveTo(t,n)},mi=(e,t,n)=>{e.moveTo(
n,t)},dl=(e,t,n)=>{e.lineTo(t,n)},fl=(e,t,n)=>{e.lineTo(n,t)},gi=wa(0),Os=wa(1),xa=(e,t,n,l,i,r)=>{e.arc(t,n,l,i,r)},va=(e,t,n,l,i,r)=>{
e.arc(n,t,l,i,r)},ya=(e,t,n,l,i,r,a)=>{e.bezierCurveTo(t,n,l,i,r,a)},ka=(e,t,n,l,i,r,a)=>{e.bezierCurveTo(n,t,i,l,a,r)};
function Sa(e){return(t,n,l,i,r)=>Hn(t,n,(a,p,f,h,g,b,x,L,_,R,O)=>{let{pxRound:j,points:S}=a,q,E;h.ori==0?(q=hi,E=xa):(q=
mi,E=va);let Z=me(S.width*ce,3),$=(S.size-S.width)/2*ce,X=me($*2,3),K=new Path2D,ne=new Path2D,{left:B,top:T,width:J,height:H}=t.
bbox;gi(ne,B-X,T-X,J+X*2,H+X*2);let G=W=>{if(f[W]!=null){let ie=j(b(p[W],h,R,L)),F=j(x(f[W],g,O,_));q(K,ie+$,F),E(K,ie,F,
$,0,si*2)}};if(r)r.forEach(G);else for(let W=l;W<=i;W++)G(W);return{stroke:Z>0?K:null,fill:K,clip:ne,flags:ul|Ss}})}function Ma(e){
return(t,n,l,i,r,a)=>{l!=i&&(r!=l&&a!=l&&e(t,n,l),r!=i&&a!=i&&e(t,n,i),e(t,n,a))}}var Jp=Ma(dl),Zp=Ma(fl);function Ea(e){
let t=oe(e?.alignGaps,0);return(n,l,i,r)=>Hn(n,l,(a,p,f,h,g,b,x,L,_,R,O)=>{[i,r]=ci(f,i,r);let j=a.pxRound,S=H=>j(b(H,h,
R,L)),q=H=>j(x(H,g,O,_)),E,Z;h.ori==0?(E=dl,Z=Jp):(E=fl,Z=Zp);let $=h.dir*(h.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:ul},K=X.stroke,ne=!1;if(r-i>=R*4){let H=V=>n.posToVal(V,h.key,!0),G=null,W=null,ie,F,
nt,ke=S(p[$==1?i:r]),se=S(p[i]),de=S(p[r]),ee=H($==1?se+1:de-1);for(let V=$==1?i:r;V>=i&&V<=r;V+=$){let Re=p[V],Se=($==1?
Re<ee:Re>ee)?ke:S(Re),ue=f[V];Se==ke?ue!=null?(F=ue,G==null?(E(K,Se,q(F)),ie=G=W=F):F<G?G=F:F>W&&(W=F)):ue===null&&(ne=!0):
(G!=null&&Z(K,ke,q(G),q(W),q(ie),q(F)),ue!=null?(F=ue,E(K,Se,q(F)),G=W=ie=F):(G=W=null,ue===null&&(ne=!0)),ke=Se,ee=H(ke+
$))}G!=null&&G!=W&&nt!=ke&&Z(K,ke,q(G),q(W),q(ie),q(F))}else for(let H=$==1?i:r;H>=i&&H<=r;H+=$){let G=f[H];G===null?ne=
!0:G!=null&&E(K,S(p[H]),q(G))}let[T,J]=Vs(n,l);if(a.fill!=null||T!=0){let H=X.fill=new Path2D(K),G=a.fillTo(n,l,a.min,a.
max,T),W=q(G),ie=S(p[i]),F=S(p[r]);$==-1&&([F,ie]=[ie,F]),E(H,F,W),E(H,ie,W)}if(!a.spanGaps){let H=[];ne&&H.push(...Ns(p,
f,i,r,$,S,t)),X.gaps=H=a.gaps(n,l,i,r,H),X.clip=fi(H,h.ori,L,_,R,O)}return J!=0&&(X.band=J==2?[Jt(n,l,i,r,K,-1),Jt(n,l,i,
r,K,1)]:Jt(n,l,i,r,K,J)),X})}function Qp(e){let t=oe(e.align,1),n=oe(e.ascDesc,!1),l=oe(e.alignGaps,0),i=oe(e.extend,!1);
return(r,a,p,f)=>Hn(r,a,(h,g,b,x,L,_,R,O,j,S,q)=>{[p,f]=ci(b,p,f);let E=h.pxRound,{left:Z,width:$}=r.bbox,X=se=>E(_(se,x,
S,O)),K=se=>E(R(se,L,q,j)),ne=x.ori==0?dl:fl,B={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ul},T=B.
stroke,J=x.dir*(x.ori==0?1:-1),H=K(b[J==1?p:f]),G=X(g[J==1?p:f]),W=G,ie=G;i&&t==-1&&(ie=Z,ne(T,ie,H)),ne(T,G,H);for(let se=J==
1?p:f;se>=p&&se<=f;se+=J){let de=b[se];if(de==null)continue;let ee=X(g[se]),V=K(de);t==1?ne(T,ee,H):ne(T,W,V),ne(T,ee,V),
H=V,W=ee}let F=W;i&&t==1&&(F=Z+$,ne(T,F,H));let[nt,ke]=Vs(r,a);if(h.fill!=null||nt!=0){let se=B.fill=new Path2D(T),de=h.
fillTo(r,a,h.min,h.max,nt),ee=K(de);ne(se,F,ee),ne(se,ie,ee)}if(!h.spanGaps){let se=[];se.push(...Ns(g,b,p,f,J,X,l));let de=h.
width*ce/2,ee=n||t==1?de:-de,V=n||t==-1?-de:de;se.forEach(Re=>{Re[0]+=ee,Re[1]+=V}),B.gaps=se=h.gaps(r,a,p,f,se),B.clip=
fi(se,x.ori,O,j,S,q)}return ke!=0&&(B.band=ke==2?[Jt(r,a,p,f,T,-1),Jt(r,a,p,f,T,1)]:Jt(r,a,p,f,T,ke)),B})}function Oo(e,t,n,l,i,r,a=he){
if(e.length>1){let p=null;for(let f=0,h=1/0;f<e.length;f++)if(t[f]!==void 0){if(p!=null){let g=Ve(e[f]-e[p]);g<h&&(h=g,a=
Ve(n(e[f],l,i,r)-n(e[p],l,i,r)))}p=f}}return a}function Xp(e){e=e||$l;let t=oe(e.size,[.6,he,1]),n=e.align||0,l=e.gap||0,
i=e.radius;i=i==null?[0,0]:typeof i=="number"?[i,0]:i;let r=le(i),a=1-t[0],p=oe(t[1],he),f=oe(t[2],1),h=oe(e.disp,$l),g=oe(
e.each,L=>{}),{fill:b,stroke:x}=h;return(L,_,R,O)=>Hn(L,_,(j,S,q,E,Z,$,X,K,ne,B,T)=>{let J=j.pxRound,H=n,G=l*ce,W=p*ce,ie=f*
ce,F,nt;E.ori==0?[F,nt]=r(L,_):[nt,F]=r(L,_);let ke=E.dir*(E.ori==0?1:-1),se=E.ori==0?gi:Os,de=E.ori==0?g:(A,ge,De,Wn,bn,Ht,wn)=>{
g(A,ge,De,bn,Wn,wn,Ht)},ee=oe(L.bands,Rs).find(A=>A.series[0]==_),V=ee!=null?ee.dir:0,Re=j.fillTo(L,_,j.min,j.max,V),Je=J(
X(Re,Z,T,ne)),Se,ue,Et,rt=B,Ee=J(j.width*ce),zt=!1,Gt=null,gt=null,Xt=null,Nn=null;b!=null&&(Ee==0||x!=null)&&(zt=!0,Gt=
b.values(L,_,R,O),gt=new Map,new Set(Gt).forEach(A=>{A!=null&&gt.set(A,new Path2D)}),Ee>0&&(Xt=x.values(L,_,R,O),Nn=new Map,
new Set(Xt).forEach(A=>{A!=null&&Nn.set(A,new Path2D)})));let{x0:On,size:gl}=h;if(On!=null&&gl!=null){H=1,S=On.values(L,
_,R,O),On.unit==2&&(S=S.map(De=>L.posToVal(K+De*B,E.key,!0)));let A=gl.values(L,_,R,O);gl.unit==2?ue=A[0]*B:ue=$(A[0],E,
B,K)-$(0,E,B,K),rt=Oo(S,q,$,E,B,K,rt),Et=rt-ue+G}else rt=Oo(S,q,$,E,B,K,rt),Et=rt*a+G,ue=rt-Et;Et<1&&(Et=0),Ee>=ue/2&&(Ee=
0),Et<5&&(J=Ko);let Ol=Et>0,mn=rt-Et-(Ol?Ee:0);ue=J(vs(mn,ie,W)),Se=(H==0?ue/2:H==ke?0:ue)-H*ke*((H==0?G/2:0)+(Ol?Ee/2:0));
let Ze={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Fn=zt?null:new Path2D,Ut=null;if(ee!=null)Ut=L.data[ee.
series[1]];else{let{y0:A,y1:ge}=h;A!=null&&ge!=null&&(q=ge.values(L,_,R,O),Ut=A.values(L,_,R,O))}let gn=F*ue,Y=nt*ue;for(let A=ke==
1?R:O;A>=R&&A<=O;A+=ke){let ge=q[A];if(ge==null)continue;if(Ut!=null){let lt=Ut[A]??0;if(ge-lt==0)continue;Je=X(lt,Z,T,ne)}
let De=E.distr!=2||h!=null?S[A]:A,Wn=$(De,E,B,K),bn=X(oe(ge,Re),Z,T,ne),Ht=J(Wn-Se),wn=J(tt(bn,Je)),ot=J(Dt(bn,Je)),bt=wn-
ot;if(ge!=null){let lt=ge<0?Y:gn,Tt=ge<0?gn:Y;zt?(Ee>0&&Xt[A]!=null&&se(Nn.get(Xt[A]),Ht,ot+ht(Ee/2),ue,tt(0,bt-Ee),lt,Tt),
Gt[A]!=null&&se(gt.get(Gt[A]),Ht,ot+ht(Ee/2),ue,tt(0,bt-Ee),lt,Tt)):se(Fn,Ht,ot+ht(Ee/2),ue,tt(0,bt-Ee),lt,Tt),de(L,_,A,
Ht-Ee/2,ot,ue+Ee,bt)}}return Ee>0?Ze.stroke=zt?Nn:Fn:zt||(Ze._fill=j.width==0?j._fill:j._stroke??j._fill,Ze.width=0),Ze.
fill=zt?gt:Fn,Ze})}function ed(e,t){let n=oe(t?.alignGaps,0);return(l,i,r,a)=>Hn(l,i,(p,f,h,g,b,x,L,_,R,O,j)=>{[r,a]=ci(
h,r,a);let S=p.pxRound,q=F=>S(x(F,g,O,_)),E=F=>S(L(F,b,j,R)),Z,$,X;g.ori==0?(Z=hi,X=dl,$=ya):(Z=mi,X=fl,$=ka);let K=g.dir*
(g.ori==0?1:-1),ne=q(f[K==1?r:a]),B=ne,T=[],J=[];for(let F=K==1?r:a;F>=r&&F<=a;F+=K)if(h[F]!=null){let ke=f[F],se=q(ke);
T.push(B=se),J.push(E(h[F]))}let H={stroke:e(T,J,Z,X,$,S),fill:null,clip:null,band:null,gaps:null,flags:ul},G=H.stroke,[
W,ie]=Vs(l,i);if(p.fill!=null||W!=0){let F=H.fill=new Path2D(G),nt=p.fillTo(l,i,p.min,p.max,W),ke=E(nt);X(F,B,ke),X(F,ne,
ke)}if(!p.spanGaps){let F=[];F.push(...Ns(f,h,r,a,K,q,n)),H.gaps=F=p.gaps(l,i,r,a,F),H.clip=fi(F,g.ori,_,R,O,j)}return ie!=
0&&(H.band=ie==2?[Jt(l,i,r,a,G,-1),Jt(l,i,r,a,G,1)]:Jt(l,i,r,a,G,ie)),H})}function td(e){return ed(nd,e)}function nd(e,t,n,l,i,r){
let a=e.length;if(a<2)return null;let p=new Path2D;if(n(p,e[0],t[0]),a==2)l(p,e[1],t[1]);else{let f=Array(a),h=Array(a-1),
g=Array(a-1),b=Array(a-1);for(let x=0;x<a-1;x++)g[x]=t[x+1]-t[x],b[x]=e[x+1]-e[x],h[x]=g[x]/b[x];f[0]=h[0];for(let x=1;x<
a-1;x++)h[x]===0||h[x-1]===0||h[x-1]>0!=h[x]>0?f[x]=0:(f[x]=3*(b[x-1]+b[x])/((2*b[x]+b[x-1])/h[x-1]+(b[x]+2*b[x-1])/h[x]),
isFinite(f[x])||(f[x]=0));f[a-1]=h[a-2];for(let x=0;x<a-1;x++)i(p,e[x]+b[x]/3,t[x]+f[x]*b[x]/3,e[x+1]-b[x]/3,t[x+1]-f[x+
1]*b[x]/3,e[x+1],t[x+1])}return p}var Ms=new Set;function Fo(){for(let e of Ms)e.syncRect(!0)}pl&&($n(Hu,rl,Fo),$n(Vu,rl,
Fo,!0),$n(ri,rl,()=>{Be.pxRatio=ce}));var ld=Ea(),id=Sa();function Wo(e,t,n,l){return(l?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((r,a)=>Es(r,a,t,n))}function sd(e,t){return e.map((n,l)=>l==0?{}:Ae({},t,n))}function Es(e,t,n,l){
return Ae({},t==0?n:l,e)}function Ta(e,t,n){return t==null?al:[t,n]}var rd=Ta;function od(e,t,n){return t==null?al:oi(t,
n,Cs,!0)}function _a(e,t,n,l){return t==null?al:ui(t,n,e.scales[l].log,!1)}var ad=_a;function La(e,t,n,l){return t==null?
al:Ps(t,n,e.scales[l].log,!1)}var cd=La;function ud(e,t,n,l,i){let r=tt(xo(e),xo(t)),a=t-e,p=Rt(i/l*a,n);do{let f=n[p],h=l*
f/a;if(h>=i&&r+(f<5?fn.get(f):0)<=17)return[f,h]}while(++p<n.length);return[0,0]}function qo(e){let t,n;return e=e.replace(
/(\d+)px/,(l,i)=>(t=He((n=+i)*ce))+"px"),[e,t,n]}function pd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=me(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Be(e,t,n){let l={mode:oe(e.mode,1)},i=l.mode;function r(s,c,u,d){
let m=c.valToPct(s);return d+u*(c.dir==-1?1-m:m)}function a(s,c,u,d){let m=c.valToPct(s);return d+u*(c.dir==-1?m:1-m)}function p(s,c,u,d){
return c.ori==0?r(s,c,u,d):a(s,c,u,d)}l.valToPosH=r,l.valToPosV=a;let f=!1;l.status=0;let h=l.root=kt(wu);if(e.id!=null&&
(h.id=e.id),ft(h,e.class),e.title){let s=kt(yu,h);s.textContent=e.title}let g=At("canvas"),b=l.ctx=g.getContext("2d"),x=kt(
ku,h);$n("click",x,s=>{s.target===_&&(be!=Qn||Me!=Xn)&&Ue.click(l,s)},!0);let L=l.under=kt(Su,x);x.appendChild(g);let _=l.
over=kt(Mu,x);e=cl(e);let R=+oe(e.pxAlign,1),O=No(R);(e.plugins||[]).forEach(s=>{s.opts&&(e=s.opts(l,e)||e)});let j=e.ms||
.001,S=l.series=i==1?Wo(e.series||[],Ao,Ho,!1):sd(e.series||[null],zo),q=l.axes=Wo(e.axes||[],Co,Do,!0),E=l.scales={},Z=l.
bands=e.bands||[];Z.forEach(s=>{s.fill=le(s.fill||null),s.dir=oe(s.dir,-1)});let $=i==2?S[1].facets[0].scale:S[0].scale,
X={axes:Lc,series:Sc},K=(e.drawOrder||["axes","series"]).map(s=>X[s]);function ne(s){let c=s.distr==3?u=>Yt(u>0?u:s.clamp(
l,u,s.min,s.max,s.key)):s.distr==4?u=>ds(u,s.asinh):s.distr==100?u=>s.fwd(u):u=>u;return u=>{let d=c(u),{_min:m,_max:w}=s,
v=w-m;return(d-m)/v}}function B(s){let c=E[s];if(c==null){let u=(e.scales||$l)[s]||$l;if(u.from!=null){B(u.from);let d=Ae(
{},E[u.from],u,{key:s});d.valToPct=ne(d),E[s]=d}else{c=E[s]=Ae({},s==$?ga:Bp,u),c.key=s;let d=c.time,m=c.range,w=dn(m);if((s!=
$||i==2&&!d)&&(w&&(m[0]==null||m[1]==null)&&(m={min:m[0]==null?go:{mode:1,hard:m[0],soft:m[0]},max:m[1]==null?go:{mode:1,
hard:m[1],soft:m[1]}},w=!1),!w&&di(m))){let v=m;m=(y,k,P)=>k==null?al:oi(k,P,v)}c.range=le(m||(d?rd:s==$?c.distr==3?ad:c.
distr==4?cd:Ta:c.distr==3?_a:c.distr==4?La:od)),c.auto=le(w?!1:c.auto),c.clamp=le(c.clamp||Up),c._min=c._max=null,c.valToPct=
ne(c)}}}B("x"),B("y"),i==1&&S.forEach(s=>{B(s.scale)}),q.forEach(s=>{B(s.scale)});for(let s in e.scales)B(s);let T=E[$],
J=T.distr,H,G;T.ori==0?(ft(h,xu),H=r,G=a):(ft(h,vu),H=a,G=r);let W={};for(let s in E){let c=E[s];(c.min!=null||c.max!=null)&&
(W[s]={min:c.min,max:c.max},c.min=c.max=null)}let ie=e.tzDate||(s=>new Date(He(s/j))),F=e.fmtDate||Ds,nt=j==1?xp(ie):kp(
ie),ke=_o(ie,To(j==1?wp:yp,F)),se=Po(ie,Lo(Mp,F)),de=[],ee=l.legend=Ae({},_p,e.legend),V=l.cursor=Ae({},Dp,{drag:{y:i==2}},
e.cursor),Re=ee.show,Je=V.show,Se=ee.markers;ee.idxs=de,Se.width=le(Se.width),Se.dash=le(Se.dash),Se.stroke=le(Se.stroke),
Se.fill=le(Se.fill);let ue,Et,rt,Ee=[],zt=[],Gt,gt=!1,Xt={};if(ee.live){let s=S[1]?S[1].values:null;gt=s!=null,Gt=gt?s(l,
1,0):{_:0};for(let c in Gt)Xt[c]=_s}if(Re)if(ue=At("table",Cu,h),rt=At("tbody",null,ue),ee.mount(l,ue),gt){Et=At("thead",
null,ue,rt);let s=At("tr",null,Et);At("th",null,s);for(var Nn in Gt)At("th",no,s).textContent=Nn}else ft(ue,Ru),ee.live&&
ft(ue,Au);let On={show:!0},gl={show:!1};function Ol(s,c){if(c==0&&(gt||!ee.live||i==2))return al;let u=[],d=At("tr",Du,rt,
rt.childNodes[c]);ft(d,s.class),s.show||ft(d,Dn);let m=At("th",null,d);if(Se.show){let y=kt($u,m);if(c>0){let k=Se.width(
l,c);k&&(y.style.border=k+"px "+Se.dash(l,c)+" "+Se.stroke(l,c)),y.style.background=Se.fill(l,c)}}let w=kt(no,m);s.label instanceof
HTMLElement?w.appendChild(s.label):w.textContent=s.label,c>0&&(Se.show||(w.style.color=s.width>0?Se.stroke(l,c):Se.fill(
l,c)),Ze("click",m,y=>{if(V._lock)return;vn(y);let k=S.indexOf(s);if((y.ctrlKey||y.metaKey)!=ee.isolate){let P=S.some((C,D)=>D>
0&&D!=k&&C.show);S.forEach((C,D)=>{D>0&&Nt(D,P?D==k?On:gl:On,!0,Pe.setSeries)})}else Nt(k,{show:!s.show},!0,Pe.setSeries)},
!1),In&&Ze(ro,m,y=>{V._lock||(vn(y),Nt(S.indexOf(s),tl,!0,Pe.setSeries))},!1));for(var v in Gt){let y=At("td",zu,d);y.textContent=
"--",u.push(y)}return[d,u]}let mn=new Map;function Ze(s,c,u,d=!0){let m=mn.get(c)||{},w=V.bind[s](l,c,u,d);w&&($n(s,c,m[s]=
w),mn.set(c,m))}function Fn(s,c,u){let d=mn.get(c)||{};for(let m in d)(s==null||m==s)&&(xs(m,c,d[m]),delete d[m]);s==null&&
mn.delete(c)}let Ut=0,gn=0,Y=0,A=0,ge=0,De=0,Wn=ge,bn=De,Ht=Y,wn=A,ot=0,bt=0,lt=0,Tt=0;l.bbox={};let Ei=!1,Fl=!1,qn=!1,xn=!1,
Wl=!1,wt=!1;function Ti(s,c,u){(u||s!=l.width||c!=l.height)&&tr(s,c),Kn(!1),qn=!0,Fl=!0,Yn()}function tr(s,c){l.width=Ut=
Y=s,l.height=gn=A=c,ge=De=0,gc(),bc();let u=l.bbox;ot=u.left=An(ge*ce,.5),bt=u.top=An(De*ce,.5),lt=u.width=An(Y*ce,.5),Tt=
u.height=An(A*ce,.5)}let fc=3;function hc(){let s=!1,c=0;for(;!s;){c++;let u=Tc(c),d=_c(c);s=c==fc||u&&d,s||(tr(l.width,
l.height),Fl=!0)}}function mc({width:s,height:c}){Ti(s,c)}l.setSize=mc;function gc(){let s=!1,c=!1,u=!1,d=!1;q.forEach((m,w)=>{
if(m.show&&m._show){let{side:v,_size:y}=m,k=v%2,P=m.label!=null?m.labelSize:0,C=y+P;C>0&&(k?(Y-=C,v==3?(ge+=C,d=!0):u=!0):
(A-=C,v==0?(De+=C,s=!0):c=!0))}}),yn[0]=s,yn[1]=u,yn[2]=c,yn[3]=d,Y-=en[1]+en[3],ge+=en[3],A-=en[2]+en[0],De+=en[0]}function bc(){
let s=ge+Y,c=De+A,u=ge,d=De;function m(w,v){switch(w){case 1:return s+=v,s-v;case 2:return c+=v,c-v;case 3:return u-=v,u+
v;case 0:return d-=v,d+v}}q.forEach((w,v)=>{if(w.show&&w._show){let y=w.side;w._pos=m(y,w._size),w.label!=null&&(w._lpos=
m(y,w.labelSize))}})}if(V.dataIdx==null){let s=V.hover,c=s.skip=new Set(s.skip??[]);c.add(void 0);let u=s.prox=le(s.prox),
d=s.bias??=0;V.dataIdx=(m,w,v,y)=>{if(w==0)return v;let k=v,P=u(m,w,v,y)??he,C=P>=0&&P<he,D=T.ori==0?Y:A,U=V.left,ae=t[0],
re=t[w];if(c.has(re[v])){k=null;let te=null,I=null,N;if(d==0||d==-1)for(N=v;te==null&&N-- >0;)c.has(re[N])||(te=N);if(d==
0||d==1)for(N=v;I==null&&N++<re.length;)c.has(re[N])||(I=N);if(te!=null||I!=null)if(C){let xe=te==null?-1/0:H(ae[te],T,D,
0),Te=I==null?1/0:H(ae[I],T,D,0),Ie=U-xe,fe=Te-U;Ie<=fe?Ie<=P&&(k=te):fe<=P&&(k=I)}else k=I==null?te:te==null?I:v-te<=I-
v?te:I}else C&&Ve(U-H(ae[v],T,D,0))>P&&(k=null);return k}}let vn=s=>{V.event=s};V.idxs=de,V._lock=!1;let Ke=V.points;Ke.
show=le(Ke.show),Ke.size=le(Ke.size),Ke.stroke=le(Ke.stroke),Ke.width=le(Ke.width),Ke.fill=le(Ke.fill);let Vt=l.focus=Ae(
{},e.focus||{alpha:.3},V.focus),In=Vt.prox>=0,jn=In&&Ke.one,xt=[],Gn=[],Un=[];function nr(s,c){let u=Ke.show(l,c);if(u instanceof
HTMLElement)return ft(u,Pu),ft(u,s.class),jt(u,-10,-10,Y,A),_.insertBefore(u,xt[c]),u}function lr(s,c){if(i==1||c>0){let u=i==
1&&E[s.scale].time,d=s.value;s.value=u?ko(d)?Po(ie,Lo(d,F)):d||se:d||Ip,s.label=s.label||(u?zp:$p)}if(jn||c>0){s.width=s.
width==null?1:s.width,s.paths=s.paths||ld||Bu,s.fillTo=le(s.fillTo||Kp),s.pxAlign=+oe(s.pxAlign,R),s.pxRound=No(s.pxAlign),
s.stroke=le(s.stroke||null),s.fill=le(s.fill||null),s._stroke=s._fill=s._paths=s._focus=null;let u=jp(tt(1,s.width),1),d=s.
points=Ae({},{size:u,width:tt(1,u*.2),stroke:s.stroke,space:u*2,paths:id,_stroke:null,_fill:null},s.points);d.show=le(d.
show),d.filter=le(d.filter),d.fill=le(d.fill),d.stroke=le(d.stroke),d.paths=le(d.paths),d.pxAlign=s.pxAlign}if(Re){let u=Ol(
s,c);Ee.splice(c,0,u[0]),zt.splice(c,0,u[1]),ee.values.push(null)}if(Je){de.splice(c,0,null);let u=null;jn?c==0&&(u=nr(s,
c)):c>0&&(u=nr(s,c)),xt.splice(c,0,u),Gn.splice(c,0,0),Un.splice(c,0,0)}qe("addSeries",c)}function wc(s,c){c=c??S.length,
s=i==1?Es(s,c,Ao,Ho):Es(s,c,{},zo),S.splice(c,0,s),lr(S[c],c)}l.addSeries=wc;function xc(s){if(S.splice(s,1),Re){ee.values.
splice(s,1),zt.splice(s,1);let c=Ee.splice(s,1)[0];Fn(null,c.firstChild),c.remove()}Je&&(de.splice(s,1),xt.splice(s,1)[0].
remove(),Gn.splice(s,1),Un.splice(s,1)),qe("delSeries",s)}l.delSeries=xc;let yn=[!1,!1,!1,!1];function vc(s,c){if(s._show=
s.show,s.show){let u=s.side%2,d=E[s.scale];d==null&&(s.scale=u?S[1].scale:$,d=E[s.scale]);let m=d.time;s.size=le(s.size),
s.space=le(s.space),s.rotate=le(s.rotate),dn(s.incrs)&&s.incrs.forEach(v=>{!fn.has(v)&&fn.set(v,Zo(v))}),s.incrs=le(s.incrs||
(d.distr==2?mp:m?j==1?bp:vp:Rn)),s.splits=le(s.splits||(m&&d.distr==1?nt:d.distr==3?ys:d.distr==4?Np:Vp)),s.stroke=le(s.
stroke),s.grid.stroke=le(s.grid.stroke),s.ticks.stroke=le(s.ticks.stroke),s.border.stroke=le(s.border.stroke);let w=s.values;
s.values=dn(w)&&!dn(w[0])?le(w):m?dn(w)?_o(ie,To(w,F)):ko(w)?Sp(ie,w):w||ke:w||Hp,s.filter=le(s.filter||(d.distr>=3&&d.log==
10?Wp:d.distr==3&&d.log==2?qp:Yo)),s.font=qo(s.font),s.labelFont=qo(s.labelFont),s._size=s.size(l,null,c,0),s._space=s._rotate=
s._incrs=s._found=s._splits=s._values=null,s._size>0&&(yn[c]=!0,s._el=kt(Eu,x))}}function bl(s,c,u,d){let[m,w,v,y]=u,k=c%
2,P=0;return k==0&&(y||w)&&(P=c==0&&!m||c==2&&!v?He(Co.size/3):0),k==1&&(m||v)&&(P=c==1&&!w||c==3&&!y?He(Do.size/2):0),P}
let ir=l.padding=(e.padding||[bl,bl,bl,bl]).map(s=>le(oe(s,bl))),en=l._padding=ir.map((s,c)=>s(l,c,yn,0)),Ge,Ne=null,Oe=null,
ql=i==1?S[0].idxs:null,_t=null,wl=!1;function sr(s,c){if(t=s??[],l.data=l._data=t,i==2){Ge=0;for(let u=1;u<S.length;u++)
Ge+=t[u][0].length}else{t.length==0&&(l.data=l._data=t=[[]]),_t=t[0],Ge=_t.length;let u=t;if(J==2){u=t.slice();let d=u[0]=
Array(Ge);for(let m=0;m<Ge;m++)d[m]=m}l._data=t=u}if(Kn(!0),qe("setData"),J==2&&(qn=!0),c!==!1){let u=T;u.auto(l,wl)?_i():
nn($,u.min,u.max),xn=xn||V.left>=0,wt=!0,Yn()}}l.setData=sr;function _i(){wl=!0;let s,c;i==1&&(Ge>0?(Ne=ql[0]=0,Oe=ql[1]=
Ge-1,s=t[0][Ne],c=t[0][Oe],J==2?(s=Ne,c=Oe):s==c&&(J==3?[s,c]=ui(s,s,T.log,!1):J==4?[s,c]=Ps(s,s,T.log,!1):T.time?c=s+He(
86400/j):[s,c]=oi(s,c,Cs,!0))):(Ne=ql[0]=s=null,Oe=ql[1]=c=null)),nn($,s,c)}let Il,Bn,Li,Pi,Ci,Ai,Ri,Di,$i,it;function rr(s,c,u,d,m,w){
s??=io,u??=Rs,d??="butt",m??=io,w??="round",s!=Il&&(b.strokeStyle=Il=s),m!=Bn&&(b.fillStyle=Bn=m),c!=Li&&(b.lineWidth=Li=
c),w!=Ci&&(b.lineJoin=Ci=w),d!=Ai&&(b.lineCap=Ai=d),u!=Pi&&b.setLineDash(Pi=u)}function or(s,c,u,d){c!=Bn&&(b.fillStyle=
Bn=c),s!=Ri&&(b.font=Ri=s),u!=Di&&(b.textAlign=Di=u),d!=$i&&(b.textBaseline=$i=d)}function zi(s,c,u,d,m=0){if(d.length>0&&
s.auto(l,wl)&&(c==null||c.min==null)){let w=oe(Ne,0),v=oe(Oe,d.length-1),y=u.min==null?Wu(d,w,v,m,s.distr==3):[u.min,u.max];
s.min=Dt(s.min,u.min=y[0]),s.max=tt(s.max,u.max=y[1])}}let ar={min:null,max:null};function yc(){for(let d in E){let m=E[d];
W[d]==null&&(m.min==null||W[$]!=null&&m.auto(l,wl))&&(W[d]=ar)}for(let d in E){let m=E[d];W[d]==null&&m.from!=null&&W[m.
from]!=null&&(W[d]=ar)}W[$]!=null&&Kn(!0);let s={};for(let d in W){let m=W[d];if(m!=null){let w=s[d]=cl(E[d],Ju);if(m.min!=
null)Ae(w,m);else if(d!=$||i==2)if(Ge==0&&w.from==null){let v=w.range(l,null,null,d);w.min=v[0],w.max=v[1]}else w.min=he,
w.max=-he}}if(Ge>0){S.forEach((d,m)=>{if(i==1){let w=d.scale,v=W[w];if(v==null)return;let y=s[w];if(m==0){let k=y.range(
l,y.min,y.max,w);y.min=k[0],y.max=k[1],Ne=Rt(y.min,t[0]),Oe=Rt(y.max,t[0]),Oe-Ne>1&&(t[0][Ne]<y.min&&Ne++,t[0][Oe]>y.max&&
Oe--),d.min=_t[Ne],d.max=_t[Oe]}else d.show&&d.auto&&zi(y,v,d,t[m],d.sorted);d.idxs[0]=Ne,d.idxs[1]=Oe}else if(m>0&&d.show&&
d.auto){let[w,v]=d.facets,y=w.scale,k=v.scale,[P,C]=t[m],D=s[y],U=s[k];D!=null&&zi(D,W[y],w,P,w.sorted),U!=null&&zi(U,W[k],
v,C,v.sorted),d.min=v.min,d.max=v.max}});for(let d in s){let m=s[d],w=W[d];if(m.from==null&&(w==null||w.min==null)){let v=m.
range(l,m.min==he?null:m.min,m.max==-he?null:m.max,d);m.min=v[0],m.max=v[1]}}}for(let d in s){let m=s[d];if(m.from!=null){
let w=s[m.from];if(w.min==null)m.min=m.max=null;else{let v=m.range(l,w.min,w.max,d);m.min=v[0],m.max=v[1]}}}let c={},u=!1;
for(let d in s){let m=s[d],w=E[d];if(w.min!=m.min||w.max!=m.max){w.min=m.min,w.max=m.max;let v=w.distr;w._min=v==3?Yt(w.
min):v==4?ds(w.min,w.asinh):v==100?w.fwd(w.min):w.min,w._max=v==3?Yt(w.max):v==4?ds(w.max,w.asinh):v==100?w.fwd(w.max):w.
max,c[d]=u=!0}}if(u){S.forEach((d,m)=>{i==2?m>0&&c.y&&(d._paths=null):c[d.scale]&&(d._paths=null)});for(let d in c)qn=!0,
qe("setScale",d);Je&&V.left>=0&&(xn=wt=!0)}for(let d in W)W[d]=null}function kc(s){let c=vs(Ne-1,0,Ge-1),u=vs(Oe+1,0,Ge-
1);for(;s[c]==null&&c>0;)c--;for(;s[u]==null&&u<Ge-1;)u++;return[c,u]}function Sc(){if(Ge>0){let s=S.some(c=>c._focus)&&
it!=Vt.alpha;s&&(b.globalAlpha=it=Vt.alpha),S.forEach((c,u)=>{if(u>0&&c.show&&(cr(u,!1),cr(u,!0),c._paths==null)){let d=it;
it!=c.alpha&&(b.globalAlpha=it=c.alpha);let m=i==2?[0,t[u][0].length-1]:kc(t[u]);c._paths=c.paths(l,u,m[0],m[1]),it!=d&&
(b.globalAlpha=it=d)}}),S.forEach((c,u)=>{if(u>0&&c.show){let d=it;it!=c.alpha&&(b.globalAlpha=it=c.alpha),c._paths!=null&&
ur(u,!1);{let m=c._paths!=null?c._paths.gaps:null,w=c.points.show(l,u,Ne,Oe,m),v=c.points.filter(l,u,w,m);(w||v)&&(c.points.
_paths=c.points.paths(l,u,Ne,Oe,v),ur(u,!0))}it!=d&&(b.globalAlpha=it=d),qe("drawSeries",u)}}),s&&(b.globalAlpha=it=1)}}
function cr(s,c){let u=c?S[s].points:S[s];u._stroke=u.stroke(l,s),u._fill=u.fill(l,s)}function ur(s,c){let u=c?S[s].points:
S[s],{stroke:d,fill:m,clip:w,flags:v,_stroke:y=u._stroke,_fill:k=u._fill,_width:P=u.width}=u._paths;P=me(P*ce,3);let C=null,
D=P%2/2;c&&k==null&&(k=P>0?"#fff":y);let U=u.pxAlign==1&&D>0;if(U&&b.translate(D,D),!c){let ae=ot-P/2,re=bt-P/2,te=lt+P,
I=Tt+P;C=new Path2D,C.rect(ae,re,te,I)}c?Hi(y,P,u.dash,u.cap,k,d,m,v,w):Mc(s,y,P,u.dash,u.cap,k,d,m,v,C,w),U&&b.translate(
-D,-D)}function Mc(s,c,u,d,m,w,v,y,k,P,C){let D=!1;k!=0&&Z.forEach((U,ae)=>{if(U.series[0]==s){let re=S[U.series[1]],te=t[U.
series[1]],I=(re._paths||$l).band;dn(I)&&(I=U.dir==1?I[0]:I[1]);let N,xe=null;re.show&&I&&Iu(te,Ne,Oe)?(xe=U.fill(l,ae)||
w,N=re._paths.clip):I=null,Hi(c,u,d,m,xe,v,y,k,P,C,N,I),D=!0}}),D||Hi(c,u,d,m,w,v,y,k,P,C)}let pr=ul|Ss;function Hi(s,c,u,d,m,w,v,y,k,P,C,D){
rr(s,c,u,d,m),(k||P||D)&&(b.save(),k&&b.clip(k),P&&b.clip(P)),D?(y&pr)==pr?(b.clip(D),C&&b.clip(C),Gl(m,v),jl(s,w,c)):y&
Ss?(Gl(m,v),b.clip(D),jl(s,w,c)):y&ul&&(b.save(),b.clip(D),C&&b.clip(C),Gl(m,v),b.restore(),jl(s,w,c)):(Gl(m,v),jl(s,w,c)),
(k||P||D)&&b.restore()}function jl(s,c,u){u>0&&(c instanceof Map?c.forEach((d,m)=>{b.strokeStyle=Il=m,b.stroke(d)}):c!=null&&
s&&b.stroke(c))}function Gl(s,c){c instanceof Map?c.forEach((u,d)=>{b.fillStyle=Bn=d,b.fill(u)}):c!=null&&s&&b.fill(c)}function Ec(s,c,u,d){
let m=q[s],w;if(d<=0)w=[0,0];else{let v=m._space=m.space(l,s,c,u,d),y=m._incrs=m.incrs(l,s,c,u,d,v);w=ud(c,u,y,d,v)}return m.
_found=w}function Vi(s,c,u,d,m,w,v,y,k,P){let C=v%2/2;R==1&&b.translate(C,C),rr(y,v,k,P,y),b.beginPath();let D,U,ae,re,te=m+
(d==0||d==3?-w:w);u==0?(U=m,re=te):(D=m,ae=te);for(let I=0;I<s.length;I++)c[I]!=null&&(u==0?D=ae=s[I]:U=re=s[I],b.moveTo(
D,U),b.lineTo(ae,re));b.stroke(),R==1&&b.translate(-C,-C)}function Tc(s){let c=!0;return q.forEach((u,d)=>{if(!u.show)return;
let m=E[u.scale];if(m.min==null){u._show&&(c=!1,u._show=!1,Kn(!1));return}else u._show||(c=!1,u._show=!0,Kn(!1));let w=u.
side,v=w%2,{min:y,max:k}=m,[P,C]=Ec(d,y,k,v==0?Y:A);if(C==0)return;let D=m.distr==2,U=u._splits=u.splits(l,d,y,k,P,C,D),
ae=m.distr==2?U.map(N=>_t[N]):U,re=m.distr==2?_t[U[1]]-_t[U[0]]:P,te=u._values=u.values(l,u.filter(l,ae,d,C,re),d,C,re);
u._rotate=w==2?u.rotate(l,te,d,C):0;let I=u._size;u._size=St(u.size(l,te,d,s)),I!=null&&u._size!=I&&(c=!1)}),c}function _c(s){
let c=!0;return ir.forEach((u,d)=>{let m=u(l,d,yn,s);m!=en[d]&&(c=!1),en[d]=m}),c}function Lc(){for(let s=0;s<q.length;s++){
let c=q[s];if(!c.show||!c._show)continue;let u=c.side,d=u%2,m,w,v=c.stroke(l,s),y=u==0||u==3?-1:1,[k,P]=c._found;if(c.label!=
null){let Xe=c.labelGap*y,ut=He((c._lpos+Xe)*ce);or(c.labelFont[0],v,"center",u==2?"top":lo),b.save(),d==1?(m=w=0,b.translate(
ut,He(bt+Tt/2)),b.rotate((u==3?-si:si)/2)):(m=He(ot+lt/2),w=ut);let Mn=Bo(c.label)?c.label(l,s,k,P):c.label;b.fillText(Mn,
m,w),b.restore()}if(P==0)continue;let C=E[c.scale],D=d==0?lt:Tt,U=d==0?ot:bt,ae=c._splits,re=C.distr==2?ae.map(Xe=>_t[Xe]):
ae,te=C.distr==2?_t[ae[1]]-_t[ae[0]]:k,I=c.ticks,N=c.border,xe=I.show?I.size:0,Te=He(xe*ce),Ie=He((c.alignTo==2?c._size-
xe-c.gap:c.gap)*ce),fe=c._rotate*-si/180,_e=O(c._pos*ce),at=(Te+Ie)*y,Qe=_e+at;w=d==0?Qe:0,m=d==1?Qe:0;let vt=c.font[0],
Lt=c.align==1?il:c.align==2?cs:fe>0?il:fe<0?cs:d==0?"center":u==3?cs:il,Ft=fe||d==1?"middle":u==2?"top":lo;or(vt,v,Lt,Ft);
let ct=c.font[1]*c.lineGap,yt=ae.map(Xe=>O(p(Xe,C,D,U))),Pt=c._values;for(let Xe=0;Xe<Pt.length;Xe++){let ut=Pt[Xe];if(ut!=
null){d==0?m=yt[Xe]:w=yt[Xe],ut=""+ut;let Mn=ut.indexOf(`
`)==-1?[ut]:ut.split(/\n/gm);for(let et=0;et<Mn.length;et++){let Cr=Mn[et];fe?(b.save(),b.translate(m,w+et*ct),b.rotate(
fe),b.fillText(Cr,0,0),b.restore()):b.fillText(Cr,m,w+et*ct)}}}I.show&&Vi(yt,I.filter(l,re,s,P,te),d,u,_e,Te,me(I.width*
ce,3),I.stroke(l,s),I.dash,I.cap);let Wt=c.grid;Wt.show&&Vi(yt,Wt.filter(l,re,s,P,te),d,d==0?2:1,d==0?bt:ot,d==0?Tt:lt,me(
Wt.width*ce,3),Wt.stroke(l,s),Wt.dash,Wt.cap),N.show&&Vi([_e],[1],d==0?1:0,d==0?1:2,d==1?bt:ot,d==1?Tt:lt,me(N.width*ce,
3),N.stroke(l,s),N.dash,N.cap)}qe("drawAxes")}function Kn(s){S.forEach((c,u)=>{u>0&&(c._paths=null,s&&(i==1?(c.min=null,
c.max=null):c.facets.forEach(d=>{d.min=null,d.max=null})))})}let Ul=!1,Ni=!1,xl=[];function Pc(){Ni=!1;for(let s=0;s<xl.
length;s++)qe(...xl[s]);xl.length=0}function Yn(){Ul||(lp(dr),Ul=!0)}function Cc(s,c=!1){Ul=!0,Ni=c,s(l),dr(),c&&xl.length>
0&&queueMicrotask(Pc)}l.batch=Cc;function dr(){if(Ei&&(yc(),Ei=!1),qn&&(hc(),qn=!1),Fl){if(ye(L,il,ge),ye(L,"top",De),ye(
L,Cl,Y),ye(L,Al,A),ye(_,il,ge),ye(_,"top",De),ye(_,Cl,Y),ye(_,Al,A),ye(x,Cl,Ut),ye(x,Al,gn),g.width=He(Ut*ce),g.height=He(
gn*ce),q.forEach(({_el:s,_show:c,_size:u,_pos:d,side:m})=>{if(s!=null)if(c){let w=m===3||m===0?u:0,v=m%2==1;ye(s,v?"left":
"top",d-w),ye(s,v?"width":"height",u),ye(s,v?"top":"left",v?De:ge),ye(s,v?"height":"width",v?A:Y),ws(s,Dn)}else ft(s,Dn)}),
Il=Bn=Li=Ci=Ai=Ri=Di=$i=Pi=null,it=1,kl(!0),ge!=Wn||De!=bn||Y!=Ht||A!=wn){Kn(!1);let s=Y/Ht,c=A/wn;if(Je&&!xn&&V.left>=0){
V.left*=s,V.top*=c,Jn&&jt(Jn,He(V.left),0,Y,A),Zn&&jt(Zn,0,He(V.top),Y,A);for(let u=0;u<xt.length;u++){let d=xt[u];d!=null&&
(Gn[u]*=s,Un[u]*=c,jt(d,St(Gn[u]),St(Un[u]),Y,A))}}if(we.show&&!Wl&&we.left>=0&&we.width>0){we.left*=s,we.width*=s,we.top*=
c,we.height*=c;for(let u in ji)ye(el,u,we[u])}Wn=ge,bn=De,Ht=Y,wn=A}qe("setSize"),Fl=!1}Ut>0&&gn>0&&(b.clearRect(0,0,g.width,
g.height),qe("drawClear"),K.forEach(s=>s()),qe("draw")),we.show&&Wl&&(Bl(we),Wl=!1),Je&&xn&&(Sn(null,!0,!1),xn=!1),ee.show&&
ee.live&&wt&&(qi(),wt=!1),f||(f=!0,l.status=1,qe("ready")),wl=!1,Ul=!1}l.redraw=(s,c)=>{qn=c||!1,s!==!1?nn($,T.min,T.max):
Yn()};function Oi(s,c){let u=E[s];if(u.from==null){if(Ge==0){let d=u.range(l,c.min,c.max,s);c.min=d[0],c.max=d[1]}if(c.min>
c.max){let d=c.min;c.min=c.max,c.max=d}if(Ge>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;s==$&&u.distr==2&&Ge>
0&&(c.min=Rt(c.min,t[0]),c.max=Rt(c.max,t[0]),c.min==c.max&&c.max++),W[s]=c,Ei=!0,Yn()}}l.setScale=Oi;let Fi,Wi,Jn,Zn,fr,
hr,Qn,Xn,mr,gr,be,Me,tn=!1,Ue=V.drag,Fe=Ue.x,We=Ue.y;Je&&(V.x&&(Fi=kt(_u,_)),V.y&&(Wi=kt(Lu,_)),T.ori==0?(Jn=Fi,Zn=Wi):(Jn=
Wi,Zn=Fi),be=V.left,Me=V.top);let we=l.select=Ae({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),el=we.show?kt(
Tu,we.over?_:L):null;function Bl(s,c){if(we.show){for(let u in s)we[u]=s[u],u in ji&&ye(el,u,s[u]);c!==!1&&qe("setSelect")}}
l.setSelect=Bl;function Ac(s){if(S[s].show)Re&&ws(Ee[s],Dn);else if(Re&&ft(Ee[s],Dn),Je){let u=jn?xt[0]:xt[s];u!=null&&jt(
u,-10,-10,Y,A)}}function nn(s,c,u){Oi(s,{min:c,max:u})}function Nt(s,c,u,d){c.focus!=null&&Hc(s),c.show!=null&&S.forEach(
(m,w)=>{w>0&&(s==w||s==null)&&(m.show=c.show,Ac(w),i==2?(nn(m.facets[0].scale,null,null),nn(m.facets[1].scale,null,null)):
nn(m.scale,null,null),Yn())}),u!==!1&&qe("setSeries",s,c),d&&Sl("setSeries",l,s,c)}l.setSeries=Nt;function Rc(s,c){Ae(Z[s],
c)}function Dc(s,c){s.fill=le(s.fill||null),s.dir=oe(s.dir,-1),c=c??Z.length,Z.splice(c,0,s)}function $c(s){s==null?Z.length=
0:Z.splice(s,1)}l.addBand=Dc,l.setBand=Rc,l.delBand=$c;function zc(s,c){S[s].alpha=c,Je&&xt[s]!=null&&(xt[s].style.opacity=
c),Re&&Ee[s]&&(Ee[s].style.opacity=c)}let Bt,ln,kn,tl={focus:!0};function Hc(s){if(s!=kn){let c=s==null,u=Vt.alpha!=1;S.
forEach((d,m)=>{if(i==1||m>0){let w=c||m==0||m==s;d._focus=c?null:w,u&&zc(m,w?1:Vt.alpha)}}),kn=s,u&&Yn()}}Re&&In&&Ze(oo,
ue,s=>{V._lock||(vn(s),kn!=null&&Nt(null,tl,!0,Pe.setSeries))});function Ot(s,c,u){let d=E[c];u&&(s=s/ce-(d.ori==1?De:ge));
let m=Y;d.ori==1&&(m=A,s=m-s),d.dir==-1&&(s=m-s);let w=d._min,v=d._max,y=s/m,k=w+(v-w)*y,P=d.distr;return P==3?ol(10,k):
P==4?Gu(k,d.asinh):P==100?d.bwd(k):k}function Vc(s,c){let u=Ot(s,$,c);return Rt(u,t[0],Ne,Oe)}l.valToIdx=s=>Rt(s,t[0]),l.
posToIdx=Vc,l.posToVal=Ot,l.valToPos=(s,c,u)=>E[c].ori==0?r(s,E[c],u?lt:Y,u?ot:0):a(s,E[c],u?Tt:A,u?bt:0),l.setCursor=(s,c,u)=>{
be=s.left,Me=s.top,Sn(null,c,u)};function br(s,c){ye(el,il,we.left=s),ye(el,Cl,we.width=c)}function wr(s,c){ye(el,"top",
we.top=s),ye(el,Al,we.height=c)}let vl=T.ori==0?br:wr,yl=T.ori==1?br:wr;function Nc(){if(Re&&ee.live)for(let s=i==2?1:0;s<
S.length;s++){if(s==0&&gt)continue;let c=ee.values[s],u=0;for(let d in c)zt[s][u++].firstChild.nodeValue=c[d]}}function qi(s,c){
if(s!=null&&(s.idxs?s.idxs.forEach((u,d)=>{de[d]=u}):Yu(s.idx)||de.fill(s.idx),ee.idx=de[0]),Re&&ee.live){for(let u=0;u<
S.length;u++)(u>0||i==1&&!gt)&&Oc(u,de[u]);Nc()}wt=!1,c!==!1&&qe("setLegend")}l.setLegend=qi;function Oc(s,c){let u=S[s],
d=s==0&&J==2?_t:t[s],m;gt?m=u.values(l,s,c)??Xt:(m=u.value(l,c==null?null:d[c],s,c),m=m==null?Xt:{_:m}),ee.values[s]=m}function Sn(s,c,u){
mr=be,gr=Me,[be,Me]=V.move(l,be,Me),V.left=be,V.top=Me,Je&&(Jn&&jt(Jn,He(be),0,Y,A),Zn&&jt(Zn,0,He(Me),Y,A));let d,m=Ne>
Oe;Bt=he,ln=null;let w=T.ori==0?Y:A,v=T.ori==1?Y:A;if(be<0||Ge==0||m){d=V.idx=null;for(let y=0;y<S.length;y++){let k=xt[y];
k!=null&&jt(k,-10,-10,Y,A)}In&&Nt(null,tl,!0,s==null&&Pe.setSeries),ee.live&&(de.fill(d),wt=!0)}else{let y,k,P;i==1&&(y=
T.ori==0?be:Me,k=Ot(y,$),d=V.idx=Rt(k,t[0],Ne,Oe),P=H(t[0][d],T,w,0));let C=-10,D=-10,U=0,ae=0,re=!0,te="",I="";for(let N=i==
2?1:0;N<S.length;N++){let xe=S[N],Te=de[N],Ie=Te==null?null:i==1?t[N][Te]:t[N][1][Te],fe=V.dataIdx(l,N,d,k),_e=fe==null?
null:i==1?t[N][fe]:t[N][1][fe];if(wt=wt||_e!=Ie||fe!=Te,de[N]=fe,N>0&&xe.show){let at=fe==null?-10:fe==d?P:H(i==1?t[0][fe]:
t[N][0][fe],T,w,0),Qe=_e==null?-10:G(_e,i==1?E[xe.scale]:E[xe.facets[1].scale],v,0);if(In&&_e!=null){let vt=T.ori==1?be:
Me,Lt=Ve(Vt.dist(l,N,fe,Qe,vt));if(Lt<Bt){let Ft=Vt.bias;if(Ft!=0){let ct=Ot(vt,xe.scale),yt=_e>=0?1:-1,Pt=ct>=0?1:-1;Pt==
yt&&(Pt==1?Ft==1?_e>=ct:_e<=ct:Ft==1?_e<=ct:_e>=ct)&&(Bt=Lt,ln=N)}else Bt=Lt,ln=N}}if(wt||jn){let vt,Lt;T.ori==0?(vt=at,
Lt=Qe):(vt=Qe,Lt=at);let Ft,ct,yt,Pt,Wt,Xe,ut=!0,Mn=Ke.bbox;if(Mn!=null){ut=!1;let et=Mn(l,N);yt=et.left,Pt=et.top,Ft=et.
width,ct=et.height}else yt=vt,Pt=Lt,Ft=ct=Ke.size(l,N);if(Xe=Ke.fill(l,N),Wt=Ke.stroke(l,N),jn)N==ln&&Bt<=Vt.prox&&(C=yt,
D=Pt,U=Ft,ae=ct,re=ut,te=Xe,I=Wt);else{let et=xt[N];et!=null&&(Gn[N]=yt,Un[N]=Pt,mo(et,Ft,ct,ut),fo(et,Xe,Wt),jt(et,St(yt),
St(Pt),Y,A))}}}}if(jn){let N=Vt.prox,xe=kn==null?Bt<=N:Bt>N||ln!=kn;if(wt||xe){let Te=xt[0];Te!=null&&(Gn[0]=C,Un[0]=D,mo(
Te,U,ae,re),fo(Te,te,I),jt(Te,St(C),St(D),Y,A))}}}if(we.show&&tn)if(s!=null){let[y,k]=Pe.scales,[P,C]=Pe.match,[D,U]=s.cursor.
sync.scales,ae=s.cursor.drag;if(Fe=ae._x,We=ae._y,Fe||We){let{left:re,top:te,width:I,height:N}=s.select,xe=s.scales[D].ori,
Te=s.posToVal,Ie,fe,_e,at,Qe,vt=y!=null&&P(y,D),Lt=k!=null&&C(k,U);vt&&Fe?(xe==0?(Ie=re,fe=I):(Ie=te,fe=N),_e=E[y],at=H(
Te(Ie,D),_e,w,0),Qe=H(Te(Ie+fe,D),_e,w,0),vl(Dt(at,Qe),Ve(Qe-at))):vl(0,w),Lt&&We?(xe==1?(Ie=re,fe=I):(Ie=te,fe=N),_e=E[k],
at=G(Te(Ie,U),_e,v,0),Qe=G(Te(Ie+fe,U),_e,v,0),yl(Dt(at,Qe),Ve(Qe-at))):yl(0,v)}else Gi()}else{let y=Ve(mr-fr),k=Ve(gr-hr);
if(T.ori==1){let U=y;y=k,k=U}Fe=Ue.x&&y>=Ue.dist,We=Ue.y&&k>=Ue.dist;let P=Ue.uni;P!=null?Fe&&We&&(Fe=y>=P,We=k>=P,!Fe&&
!We&&(k>y?We=!0:Fe=!0)):Ue.x&&Ue.y&&(Fe||We)&&(Fe=We=!0);let C,D;Fe&&(T.ori==0?(C=Qn,D=be):(C=Xn,D=Me),vl(Dt(C,D),Ve(D-C)),
We||yl(0,v)),We&&(T.ori==1?(C=Qn,D=be):(C=Xn,D=Me),yl(Dt(C,D),Ve(D-C)),Fe||vl(0,w)),!Fe&&!We&&(vl(0,0),yl(0,0))}if(Ue._x=
Fe,Ue._y=We,s==null){if(u){if(Pr!=null){let[y,k]=Pe.scales;Pe.values[0]=y!=null?Ot(T.ori==0?be:Me,y):null,Pe.values[1]=k!=
null?Ot(T.ori==1?be:Me,k):null}Sl(us,l,be,Me,Y,A,d)}if(In){let y=u&&Pe.setSeries,k=Vt.prox;kn==null?Bt<=k&&Nt(ln,tl,!0,y):
Bt>k?Nt(null,tl,!0,y):ln!=kn&&Nt(ln,tl,!0,y)}}wt&&(ee.idx=d,qi()),c!==!1&&qe("setCursor")}let sn=null;Object.defineProperty(
l,"rect",{get(){return sn==null&&kl(!1),sn}});function kl(s=!1){s?sn=null:(sn=_.getBoundingClientRect(),qe("syncRect",sn))}
function xr(s,c,u,d,m,w,v){V._lock||tn&&s!=null&&s.movementX==0&&s.movementY==0||(Ii(s,c,u,d,m,w,v,!1,s!=null),s!=null?Sn(
null,!0,!0):Sn(c,!0,!1))}function Ii(s,c,u,d,m,w,v,y,k){if(sn==null&&kl(!1),vn(s),s!=null)u=s.clientX-sn.left,d=s.clientY-
sn.top;else{if(u<0||d<0){be=-10,Me=-10;return}let[P,C]=Pe.scales,D=c.cursor.sync,[U,ae]=D.values,[re,te]=D.scales,[I,N]=Pe.
match,xe=c.axes[0].side%2==1,Te=T.ori==0?Y:A,Ie=T.ori==1?Y:A,fe=xe?w:m,_e=xe?m:w,at=xe?d:u,Qe=xe?u:d;if(re!=null?u=I(P,re)?
p(U,E[P],Te,0):-10:u=Te*(at/fe),te!=null?d=N(C,te)?p(ae,E[C],Ie,0):-10:d=Ie*(Qe/_e),T.ori==1){let vt=u;u=d,d=vt}}k&&(c==
null||c.cursor.event.type==us)&&((u<=1||u>=Y-1)&&(u=An(u,Y)),(d<=1||d>=A-1)&&(d=An(d,A))),y?(fr=u,hr=d,[Qn,Xn]=V.move(l,
u,d)):(be=u,Me=d)}let ji={width:0,height:0,left:0,top:0};function Gi(){Bl(ji,!1)}let vr,yr,kr,Sr;function Mr(s,c,u,d,m,w,v){
tn=!0,Fe=We=Ue._x=Ue._y=!1,Ii(s,c,u,d,m,w,v,!0,!1),s!=null&&(Ze(ps,gs,Er,!1),Sl(so,l,Qn,Xn,Y,A,null));let{left:y,top:k,width:P,
height:C}=we;vr=y,yr=k,kr=P,Sr=C}function Er(s,c,u,d,m,w,v){tn=Ue._x=Ue._y=!1,Ii(s,c,u,d,m,w,v,!1,!0);let{left:y,top:k,width:P,
height:C}=we,D=P>0||C>0,U=vr!=y||yr!=k||kr!=P||Sr!=C;if(D&&U&&Bl(we),Ue.setScale&&D&&U){let ae=y,re=P,te=k,I=C;if(T.ori==
1&&(ae=k,re=C,te=y,I=P),Fe&&nn($,Ot(ae,$),Ot(ae+re,$)),We)for(let N in E){let xe=E[N];N!=$&&xe.from==null&&xe.min!=he&&nn(
N,Ot(te+I,N),Ot(te,N))}Gi()}else V.lock&&(V._lock=!V._lock,Sn(c,!0,s!=null));s!=null&&(Fn(ps,gs),Sl(ps,l,be,Me,Y,A,null))}
function Fc(s,c,u,d,m,w,v){if(V._lock)return;vn(s);let y=tn;if(tn){let k=!0,P=!0,C=10,D,U;T.ori==0?(D=Fe,U=We):(D=We,U=Fe),
D&&U&&(k=be<=C||be>=Y-C,P=Me<=C||Me>=A-C),D&&k&&(be=be<Qn?0:Y),U&&P&&(Me=Me<Xn?0:A),Sn(null,!0,!0),tn=!1}be=-10,Me=-10,de.
fill(null),Sn(null,!0,!0),y&&(tn=y)}function Tr(s,c,u,d,m,w,v){V._lock||(vn(s),_i(),Gi(),s!=null&&Sl(ao,l,be,Me,Y,A,null))}
function _r(){q.forEach(pd),Ti(l.width,l.height,!0)}$n(ri,rl,_r);let nl={};nl.mousedown=Mr,nl.mousemove=xr,nl.mouseup=Er,
nl.dblclick=Tr,nl.setSeries=(s,c,u,d)=>{let m=Pe.match[2];u=m(l,c,u),u!=-1&&Nt(u,d,!0,!1)},Je&&(Ze(so,_,Mr),Ze(us,_,xr),
Ze(ro,_,s=>{vn(s),kl(!1)}),Ze(oo,_,Fc),Ze(ao,_,Tr),Ms.add(l),l.syncRect=kl);let Kl=l.hooks=e.hooks||{};function qe(s,c,u){
Ni?xl.push([s,c,u]):s in Kl&&Kl[s].forEach(d=>{d.call(null,l,c,u)})}(e.plugins||[]).forEach(s=>{for(let c in s.hooks)Kl[c]=
(Kl[c]||[]).concat(s.hooks[c])});let Lr=(s,c,u)=>u,Pe=Ae({key:null,setSeries:!1,filters:{pub:vo,sub:vo},scales:[$,S[1]?S[1].
scale:null],match:[yo,yo,Lr],values:[null,null]},V.sync);Pe.match.length==2&&Pe.match.push(Lr),V.sync=Pe;let Pr=Pe.key,Ui=ba(
Pr);function Sl(s,c,u,d,m,w,v){Pe.filters.pub(s,c,u,d,m,w,v)&&Ui.pub(s,c,u,d,m,w,v)}Ui.sub(l);function Wc(s,c,u,d,m,w,v){
Pe.filters.sub(s,c,u,d,m,w,v)&&nl[s](null,c,u,d,m,w,v)}l.pub=Wc;function qc(){Ui.unsub(l),Ms.delete(l),mn.clear(),xs(ri,
rl,_r),h.remove(),ue?.remove(),qe("destroy")}l.destroy=qc;function Bi(){qe("init",e,t),sr(t||e.data,!1),W[$]?Oi($,W[$]):
_i(),Wl=we.show&&(we.width>0||we.height>0),xn=wt=!0,Ti(e.width,e.height)}return S.forEach(lr),q.forEach(vc),n?n instanceof
HTMLElement?(n.appendChild(h),Bi()):n(l,Bi):Bi(),l}Be.assign=Ae;Be.fmtNum=As;Be.rangeNum=oi;Be.rangeLog=ui;Be.rangeAsinh=
Ps;Be.orient=Hn;Be.pxRatio=ce;Be.join=np;Be.fmtDate=Ds,Be.tzDate=fp;Be.sync=ba;{Be.addGap=Yp,Be.clipGaps=fi;let e=Be.paths=
{points:Sa};e.linear=Ea,e.stepped=Qp,e.bars=Xp,e.spline=td}var Aa={stages:[],checkpoints:[],marks:[]},Pa=170,bi=["--s1","--s2","--s3","--s4","--s5","--s6"],hl=class{constructor(t,n,l,i){
this.options=t;this.lines=n;this.ground=l;this.signal=i;z(this.element,o("h3",null,t.title,t.unit?o("span",{class:"dim"},
" "+t.unit):null),this.place,this.legend),this.data=Ca(n),this.values(null);let r=new ResizeObserver(()=>this.fit());r.observe(
this.place),i.addEventListener("abort",()=>{r.disconnect(),this.plot?.destroy()},{once:!0}),Xr(()=>this.make(),i)}options;lines;ground;signal;element=o(
"figure",{class:"chart"});plot;place=o("div",{class:"plot"});legend=o("figcaption",null);data=[[]];update(t,n){let l=t.length===
this.lines.length&&t.every((i,r)=>i.label===this.lines[r].label);this.lines=t,this.ground=n,this.data=Ca(t),l&&this.plot?
this.plot.setData(this.data):this.make(),this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||
(this.plot?this.plot.setSize({width:t,height:Pa}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.
aborted)return;this.plot?.destroy(),this.place.replaceChildren();let n=this.data[0].length<40,l={stroke:Kt("--dim"),grid:{
stroke:Kt("--grid"),width:1},ticks:{stroke:Kt("--grid"),width:1},font:"11px system-ui, sans-serif"};this.plot=new Be({width:t,
height:Pa,legend:{show:!1},padding:[8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},...this.options.sync?{sync:{key:this.
options.sync,setSeries:!1}}:{}},scales:{x:{time:!1},y:{range:(i,r,a)=>this.range(r,a)}},axes:[{...l,size:26,incrs:[1,2,5,
10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},{...l,size:52,values:(i,r)=>r.map(a=>this.text(a))}],series:[{},...this.
lines.map((i,r)=>({label:i.label,stroke:Kt(bi[r%bi.length]),width:1.5,spanGaps:!0,points:{show:n,size:4}}))],hooks:{drawClear:[
i=>dd(i,this.ground)],draw:[i=>hd(i,this.ground)],setCursor:[i=>this.values(i.cursor.idx??null)]}},this.data,this.place),
this.plot.over.addEventListener("click",()=>this.click())}range(t,n){if(this.options.share&&(n??0)<=1&&(t??0)>=0)return[
0,1.02];if(t===null||n===null)return[0,1];let l=(n-t)*.06||Math.abs(n)*.1||1;return[t>=0&&t-l<0?0:t-l,n+l]}text(t){return this.
options.share?Ct(t).replace(/\.0 %$/," %"):M(t,3)}click(){let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;
let n=this.data[0][t];n!==void 0&&this.options.open(n)}values(t){let n=this.data[0],l=t!==null&&t<n.length?t:null;z(this.
legend,o("span",{class:"dim"},l!==null?`step ${M(n[l])}`:"last"),this.lines.map((i,r)=>{let a=[...this.data[r+1]??[]],p=l!==
null?a[l]:a.findLast(f=>f!=null);return o("span",{class:"key"},o("i",{class:"swatch",vars:{"--swatch":`var(${bi[r%bi.length]}\
)`}}),i.label===this.options.title?null:i.label+" ",o("b",null,this.exactly(p)))}))}exactly(t){return this.options.share?
Ct(t):M(t)}};function dd(e,t){let{ctx:n,bbox:l}=e;n.save(),n.font=`${11*devicePixelRatio}px system-ui, sans-serif`,t.stages.
forEach((i,r)=>{let a=Math.max(l.left,e.valToPos(i.first_step-.5,"x",!0)),p=i.last_step??1/0,f=Number.isFinite(p)?e.valToPos(
p+.5,"x",!0):l.left+l.width,h=Math.min(l.left+l.width,f);h<=a||(r%2===1&&(n.fillStyle=Kt("--band"),n.fillRect(a,l.top,h-
a,l.height)),t.stages.length>1&&h-a>40*devicePixelRatio&&(n.fillStyle=Kt("--dim"),n.beginPath(),n.save(),n.rect(a,l.top,
h-a,l.height),n.clip(),n.fillText(i.name.slice(0,40),a+4*devicePixelRatio,l.top+11*devicePixelRatio),n.restore()))}),n.restore()}
var fd={kill:"--bad",resume:"--s1",take_up:"--s1",plugin_restart:"--warn"};function hd(e,t){let{ctx:n,bbox:l}=e,i=a=>a>=
l.left&&a<=l.left+l.width;n.save();for(let a of t.marks){let p=fd[a.kind];if(a.step===void 0||!p)continue;let f=e.valToPos(
a.step+.5,"x",!0);i(f)&&(n.strokeStyle=Kt(p),n.lineWidth=devicePixelRatio,n.setLineDash([3*devicePixelRatio,3*devicePixelRatio]),
n.beginPath(),n.moveTo(f,l.top),n.lineTo(f,l.top+l.height),n.stroke())}n.setLineDash([]);let r=l.top+l.height;for(let a of t.
checkpoints){let p=e.valToPos(a.step,"x",!0);i(p)&&(n.fillStyle=Kt(a.best?"--s2":"--dim"),n.beginPath(),n.moveTo(p,r-(a.
best?9:6)*devicePixelRatio),n.lineTo(p-3.5*devicePixelRatio,r),n.lineTo(p+3.5*devicePixelRatio,r),n.fill())}n.restore()}
function Ca(e){let t=[...new Set(e.flatMap(i=>i.points.map(r=>r[0])))].sort((i,r)=>i-r),n=new Map(t.map((i,r)=>[i,r])),l=e.
map(i=>{let r=new Array(t.length).fill(void 0);for(let[a,p]of i.points)r[n.get(a)]=p;return r});return[t,...l]}var Ra=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"gap of log-probabilities",names:["train/logprob_ga\
p"],unit:"nats, the largest"},{title:"groups of equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function wi(e){
let t=new Set(e);return Ra.map(l=>({...l,names:l.names.filter(i=>t.has(i))})).filter(l=>l.names.length>0)}function Da(e){
let t=new Set(Ra.flatMap(l=>l.names)),n=new Map;for(let l of e.filter(i=>!t.has(i)).sort()){let i=md(l);n.set(i,[...n.get(
i)??[],l])}return n}function md(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}\
/${t[1]}`:t.length>1?t[0]:"other"}function $a(e,t){return t.names.length===1?e:t.names.some(l=>l.startsWith("validation/"))?
e.startsWith("validation/")?"held-out":"training":e.replace(/^[^/]*\//,"").replace(/_seconds$/,"").replaceAll("_"," ")}var Ha=6;async function Va(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Ha);e.title({text:"compare "+t.join(", ")});
let n=(await Yl(e.signal)).runs,l=o("div",null),i=o("div",null);if(z(e.root,o("div",{class:"bar"},o("h1",null,"Compare"),
gd(t,n)),bd(t,n),l,i),t.length<2){z(l,o("p",{class:"empty"},"Choose a second run."));return}await Promise.all([Le(e,i,async()=>{
let[r,...a]=t,p=[];for(let f of a)p.push(vd(await Or(r,f,e.signal),r,f));return p}),Le(e,l,()=>wd(e,t))])}function gd(e,t){
let n=t.filter(i=>!e.includes(i.name)),l=o("select",{"aria-label":"add a run","data-filter":!0},o("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(i=>o("option",{value:i.name},i.name)));return l.disabled=e.length>=Ha||n.length===0,
l.addEventListener("change",()=>{l.value!==""&&(location.hash=Q(["compare"],{run:[...e,l.value]}))}),l}function bd(e,t){
return o("div",{class:"sides"},e.map((n,l)=>{let i=t.find(r=>r.name===n);return o("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${l+1})`}},o("h2",null,o("i",{class:"swatch"}),o("a",{href:_n(n)},n)," ",i?_l(i):null,o("a",{class:"qui\
et",title:"leave it out",href:Q(["compare"],{run:e.filter(r=>r!==n)})},"\xD7")),i?cn([["step",M(i.step)],["held-out succ\
ess",Ll(i)],["adapter",i.adapter],["spec",i.spec]]):o("p",null,"There is no such run in this folder."))}))}async function wd(e,t){
let n=await Promise.all(t.map(g=>En(g,e.signal))),l=n.map(g=>new Set(g.metrics??[])),i=[...new Set(n.flatMap(g=>g.metrics??
[]))],r=i.filter(g=>l.every(b=>b.has(g))),a=i.filter(g=>!l.every(b=>b.has(g))),p=wi(i).flatMap(g=>g.names),f=g=>{let b=o(
"div",null);return Le(e,b,async()=>o("div",{class:"grid"},await xd(e,t,g))),b},h=r.filter(g=>!p.includes(g)).sort().slice(
0,60);return[f(p),h.length>0?Ce(`${ze(h.length,"other metric")} of all of them`,()=>f(h)):null,a.filter(g=>!p.includes(g)).
length>0?Ce("metrics that only some have",()=>f(a.filter(g=>!p.includes(g)).sort().slice(0,60))):null]}async function xd(e,t,n){
if(n.length===0)return[];let l=await Promise.all(t.map(i=>Jl(i,n,void 0,e.signal)));return n.map(i=>new hl({title:i,sync:"\
compare",share:i.endsWith("success_rate")},t.map((r,a)=>({label:r,points:l[a].series[i]??[]})),Aa,e.signal).element)}function vd(e,t,n){
let l=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],i=new Set(
e.unrecorded??[]),r=l.filter(([a,p])=>(p??[]).length===0&&!i.has(a)).map(([a])=>a);return ve(`What differs between ${t} \
and ${n}`,e.same_digest?o("p",null,"Their newest checkpoints are equal to the bit."):null,r.length>0?o("p",null,`The sam\
e in both: ${r.join(", ")}.`):null,i.size>0?o("p",{class:"dim"},`Not compared, because a run of an earlier version has n\
o record of it: ${[...i].join(", ")}.`):null,l.filter(([,a])=>(a??[]).length>0).map(([a,p])=>[o("h3",null,a),$e([{title:"",
cell:f=>o("code",null,f.path)},{title:t,wide:!0,cell:f=>za(f.a)},{title:n,wide:!0,cell:f=>za(f.b)}],p.slice(0,300))]))}function za(e){
if(e===void 0)return o("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return o("span",{class:"\
value"},t.length>300?t.slice(0,300)+" \u2026":t)}var Na=25;async function Fa(e,t){e.title({text:t});let n=await En(t,e.signal),l=o("div",null),i=o("div",null),r=new Fs(e,
n),a=new Ws(e,n),p=o("div",null),f=g=>{z(l,yd(g)),z(p,Ed(g),Td(g),_d(g)),document.querySelector(".crumbs [aria-current]")?.
setAttribute("data-status",g.status)};if(f(n),z(e.root,l,i,r.element,a.element,p),e.key("e","all episodes",()=>{location.
hash=Q(["run",t,"episodes"])}),e.key("v","validations",()=>{location.hash=Q(["run",t,"validations"])}),e.key("s","the ne\
west step",()=>{location.hash=Ye(t,Math.max(0,n.step))}),r.load(),a.load(),!n.live)return;Oa(e,t,i),e.onLive(t,g=>{h(g)});
let h=async g=>{let b=new Set(g.map(L=>L.kind)),x=await En(t,e.signal).catch(()=>null);!x||e.signal.aborted||(Object.assign(
n,x),f(x),(b.has("step")||b.has("state"))&&(r.refresh(x,b.has("state")),a.refresh(x)),Oa(e,t,i))}}function yd(e){let t=[
e.step>=0?`${M(e.step)}${e.steps?` of ${M(e.steps)}`:""}`:"none yet"];return[o("div",{class:"bar"},o("h1",null,e.name),_l(
e),o("span",{class:"grow"}),o("a",{class:"button",href:Q(["run",e.name,"episodes"])},"Episodes"),o("a",{class:"button",href:Q(
["run",e.name,"validations"])},"Validations"),o("a",{class:"button",href:Q(["compare"],{run:[e.name]})},"Compare")),(e.warnings??
[]).map(n=>o("p",{class:"warning",role:"status"},n)),e.problem||e.reason?o("p",{class:"warning"},e.problem??e.reason):null,
cn([["step",t],["stage",e.stage],["held-out success",Ll(e)],["episodes",e.episodes===void 0?null:M(e.episodes)],["adapte\
r",e.adapter],["train",e.train],["spec",e.spec],["where",e.machine],["started",Pn(e.started)],["took",e.live||e.ended?ti(
e.started,e.live?void 0:e.ended):null],["disk",un(e.disk_bytes)],["digest",e.digest?o("code",null,e.digest.slice(0,19)):
null]]),kd(e)]}function kd(e){let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,l)=>l[1]-n[1]);return t.length===
0?null:o("p",{class:"chips"},o("span",{class:"dim"},"Failed: "),t.map(([n,l])=>o("a",{class:"chip bad",href:Q(["run",e.name,
"episodes"],{class:n})},`${n.toLowerCase()} `,o("b",null,M(l)))))}var Fs=class{constructor(t,n){this.view=t;this.run=n}view;run;element=o(
"section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";async load(){this.drawn=(this.run.metrics??
[]).join(`
`);let t=wi(this.run.metrics??[]),n=o("div",{class:"grid"});await Le(this.view,this.element,async()=>(await this.fetch(t.
flatMap(l=>l.names)),z(n,t.map(l=>this.chart(l))),t.length===0?o("p",{class:"empty"},"No step has ended yet: there is no\
 curve to draw."):[n,[...Da(this.run.metrics??[])].map(([l,i])=>this.part(l,i))]))}part(t,n){let l=[o("b",null,t),o("spa\
n",{class:"dim"},` ${ze(n.length,"metric")}`)];return Ce(l,()=>{let i=o("div",null),r=24,a=p=>Le(this.view,i,async()=>{let f=n.
slice(p,p+r);return await this.fetch(f),[o("div",{class:"grid"},f.map(h=>this.chart({title:h,names:[h]}))),n.length>r?o(
"div",{class:"pager"},o("button",{disabled:p===0,onclick:()=>{a(p-r)}},"\u2190"),o("span",null,`${p+1} to ${p+f.length} \
of ${n.length}`),o("button",{disabled:p+r>=n.length,onclick:()=>{a(p+r)}},"\u2192")):null]});return a(0),i})}chart(t){let n=new hl(
{title:t.title,unit:t.unit,share:t.share,sync:"run",open:l=>{location.hash=Ye(this.run.name,l)}},this.lines(t),this.ground(),
this.view.signal);return this.charts.push({of:t,chart:n}),n.element}lines(t){return t.names.map(n=>({label:$a(n,t),points:this.
points.get(n)??[]}))}ground(){return{stages:this.run.stages??[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??
[]}}async fetch(t,n){if(t.length===0)return;let{series:l}=await Jl(this.run.name,t,n,this.view.signal);for(let[i,r]of Object.
entries(l)){let a=n===void 0?[]:(this.points.get(i)??[]).filter(p=>p[0]<=n);this.points.set(i,[...a,...r])}}async refresh(t,n){
if(this.run=t,this.drawn===""||this.charts.length===0&&(t.metrics??[]).length>0)return this.load();let l=[...new Set(this.
charts.flatMap(r=>r.of.names))],i=Math.max(-1,...l.flatMap(r=>(this.points.get(r)??[]).slice(-1).map(a=>a[0])));try{await this.
fetch(l,n||i<1?void 0:i-1)}catch{return}for(let{of:r,chart:a}of this.charts)a.update(this.lines(r),this.ground())}},Ws=class{constructor(t,n){
this.view=t;this.run=n;this.element.append(this.place)}view;run;element=ve("Steps");place=o("div",null);top;load(){return Le(
this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.top===void 0&&!this.place.contains(document.activeElement)){
let n=await this.draw().catch(()=>null);n&&!this.view.signal.aborted&&z(this.place,n)}}async draw(){let t=this.top??this.
run.step,n=Math.max(0,t-Na+1),{steps:l}=await Zl(this.run.name,n,Math.max(0,t),this.view.signal);if(l.length===0)return o(
"p",{class:"empty"},"No step has ended yet.");let i=r=>{let a=t+r*Na;this.top=a>=this.run.step?void 0:a,this.load()};return[
Sd(this.run.name,[...l].sort((r,a)=>a.step-r.step)),n>0||this.top!==void 0?o("div",{class:"pager"},o("button",{disabled:this.
top===void 0,onclick:()=>i(1)},"\u2190 Newer"),o("span",null,`steps ${n} to ${t}`),o("button",{disabled:n===0,onclick:()=>i(
-1)},"Older \u2192")):null]}};function Sd(e,t){let n=[...new Set(t.flatMap(l=>Object.keys(l.seconds??{})))];return $e([{
title:"step",right:!0,cell:l=>o("a",{href:Ye(e,l.step)},M(l.step))},{title:"stage",cell:l=>l.stage??"\u2013"},{title:"ep\
isodes",right:!0,cell:l=>M(l.episodes)},{title:"reward",right:!0,cell:l=>M(l.reward)},{title:"success",right:!0,cell:l=>Ct(
l.success)},{title:"failed",right:!0,cell:l=>qs(l.failed)},{title:"truncated",right:!0,cell:l=>qs(l.truncated)},...n.map(
l=>({title:l.replaceAll("_"," "),right:!0,cell:i=>pt(i.seconds?.[l])})),{title:"",wide:!0,cell:()=>""}],t,l=>Ye(e,l.step))}
function qs(e){return e?o("span",{class:"bad"},M(e)):M(e)}var Md={start:"started",resume:"resumed",kill:"killed",take_up:"\
trainer taken up",stage:"stage",plugin_restart:"plugin restarted"};function Ed(e){let t=[...e.marks??[]].sort((i,r)=>r.time.
localeCompare(i.time));if(t.length===0)return null;let n=i=>$e([{title:"time",cell:r=>Pn(r.time)},{title:"step",right:!0,
cell:r=>M(r.step)},{title:"what",cell:r=>o("span",{class:"badge "+(r.kind==="kill"?"bad":"")},Md[r.kind]??r.kind.replaceAll(
"_"," "))},{title:"",wide:!0,cell:r=>r.text}],i),l=10;return ve("What happened",n(t.slice(0,l)),t.length>l?Ce(`${ze(Math.
min(t.length,500)-l,"earlier entry").replace("entrys","entries")}`,()=>n(t.slice(l,500))):null)}function Td(e){return(e.
plugins??[]).length===0?null:ve("Plugins",$e([{title:"address",cell:t=>o("code",null,t.address)},{title:"plugin",cell:t=>`${t.
name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>qs(
t.restarts)},{title:"CPU",right:!0,cell:t=>pt(t.cpu_seconds)},{title:"memory",right:!0,cell:t=>un(t.memory_bytes)},{title:"\
last words",wide:!0,cell:t=>t.last_words?o("div",{class:"words"},je(t.last_words,400)):""}],e.plugins),o("p",{class:"dim"},
"All that a plugin wrote: ",Ln(`awhost logs ${e.name}`)))}function _d(e){let t=[...e.checkpoints??[]].sort((n,l)=>l.step-
n.step).slice(0,200);return t.length===0?null:ve("Checkpoints",$e([{title:"step",right:!0,cell:n=>o("a",{href:Ye(e.name,
n.step)},M(n.step))},{title:"",cell:n=>n.best?o("span",{class:"badge good"},"best"):""},{title:"path",wide:!0,cell:n=>n.
path?Ln(n.path):""}],t))}async function Oa(e,t,n){let l=await Vr(t,e.signal).catch(()=>null);if(!l||!l.live||e.signal.aborted)
return z(n);if(l.waits.length===0)return z(n);let i=l.waits[0];z(n,Ce([o("b",null,"What waits for what: "),Ld(i),l.waits.
length>1?`, and ${l.waits.length-1} more`:""],()=>$e([{title:"who",cell:r=>r.episodes?ze(r.episodes,"episode"):"the "+r.
who},{title:"waits for",cell:r=>[r.for," ",r.address??"",r.call?`, ${r.call}`:""]},{title:"since",right:!0,cell:r=>pt(r.
seconds)},{title:"longest",cell:r=>r.episode?o("a",{href:st(t,r.episode)},r.episode):""},{title:"",wide:!0,cell:r=>r.detail??
""}],l.waits),n.querySelector("details")?.open??!1))}function Ld(e){return`${e.episodes?`${ze(e.episodes,"episode")} wai\
t`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${pt(e.seconds)}`}var Zt=e=>({text:e,href:_n(e)});function Mt(e){let t=e.filter(i=>typeof i=="number"&&Number.isFinite(i)),n=Math.min(0,...t),l=Math.max(1,...t);if(n<0){let i=Math.
max(-n,Math.max(0,...t));return{low:-i,high:i}}return{low:0,high:l}}function Is(e){return{low:-e,high:e}}function $t(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let l=n.high-
n.low,i=l===0?.5:Math.min(1,Math.max(0,(t-n.low)/l));return e.classList.add(i<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(i-.5)*200)}%`),e}function hn(e,t,n,l=!1){let i=t.outcome==="FAILED",r=o("a",{class:"cell"+(l?" here":""),href:st(e,t.id),title:Pd(t),"ari\
a-current":l?"true":void 0},i?"failed":t.reward===null||t.reward===void 0?"none":M(t.reward,3),t.success===!0?o("span",{
class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome==="TRUNCATED"?o("span",{class:"cut","aria-label":"truncated"},
"\u2702"):null);return $t(r,i?null:t.reward,n)}function Pd(e){let t=e.success===!0?", solved":e.success===!1?", not solv\
ed":"",n=e.class?` (${dt(e.class)})`:"";return`${e.id}: ${dt(e.outcome)}${n}, reward ${M(e.reward)}${t}`}function Vn(e){
let t=e.outcome==="FAILED"?"bad":e.outcome==="SCORED"?"good":"warn";return o("span",{class:"badge "+t},dt(e.outcome),e.class?
`: ${dt(e.class)}`:"")}function Wa(e,t){return $t(o("span",{class:"cell small"},M(e.reward,3)),e.reward,t)}var ja=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","q","sort"],
Cd=["SCORED","TRUNCATED","FAILED","DROPPED","CANCELLED"],Ad=[["","in order"],["-reward","best first"],["reward","worst f\
irst"],["-turns","most turns first"],["turns","fewest turns first"]];function Ga(e){let t={};for(let n of ja){let l=e.get(
n);l&&(t[n]=l)}return t}function vi(e){return ja.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function Ua(e,t,n){let l=f=>t.
get(f)??"",i=[...new Set([...n,l("class")])].filter(f=>f!==""),r=["member","task","group","turns_min","turns_max"].some(
f=>l(f)!==""),a=o("form",{class:"filter",role:"search"},xi("q","text",l("q"),{"data-filter":!0,placeholder:"words in the\
 conversation",type:"search"}),js("outcome",l("outcome"),[["","any outcome"],...Cd.map(f=>[f,f.toLowerCase()])]),js("cla\
ss",l("class"),[["","any failure"],...i.map(f=>[f,f.toLowerCase().replaceAll("_"," ")])]),js("sort",l("sort"),Ad),Ia("re\
ward",l),o("details",{class:"more",open:r},o("summary",null,"more"),o("div",{class:"filter"},Ia("turns",l),xi("task","ta\
sk",l("task")),xi("group","group",l("group")),xi("member","member",l("member")))),o("button",null,"Filter"),vi(t)?o("a",
{class:"button quiet",href:Q(e,qa(t))},"Clear"):null),p=()=>{let f=qa(t);for(let[h,g]of new FormData(a))typeof g=="strin\
g"&&g.trim()!==""&&(f[h]=g.trim());location.hash=Q(e,f)};return a.addEventListener("submit",f=>{f.preventDefault(),p()}),
a.addEventListener("change",f=>{f.target instanceof HTMLSelectElement&&p()}),a}function qa(e){let t={};for(let n of["spl\
it","layout"]){let l=e.get(n);l&&(t[n]=l)}return t}function xi(e,t,n,l={}){return o("label",null,o("span",null,t),o("inp\
ut",{name:e,value:n,type:"text",autocomplete:"off",...l}))}function Ia(e,t){let n=(l,i)=>o("input",{name:`${e}_${l}`,value:t(
`${e}_${l}`),type:"number",step:"any",placeholder:i,"aria-label":`${e} ${i}`});return o("label",{class:"range"},o("span",
null,e),n("min","from"),n("max","to"))}function js(e,t,n){let l=o("select",{name:e,"aria-label":e},n.map(([i,r])=>o("opt\
ion",{value:i},r)));return l.value=t,l}function Hl(e,t){let n=new Map;for(let l of e){let i=t(l),r=n.get(i);r?r.push(l):n.set(i,[l])}return n}var Rd=100;async function Us(e,t,n){let l=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(Zt(t),{text:n===void 0?
"episodes":`step ${n}`});let i=await En(t,e.signal),r=new Gs(e,i,n,l);z(e.root,Dd(e,i,n,l),n===void 0?null:$d(e,t,n),Ua(
l,e.query,Object.keys(i.failures??{})),n===void 0||vi(e.query)?null:Hd(e,t,n),r.element),await r.load(),i.live&&e.onLive(
t,a=>r.hear(a.some(p=>n===void 0||p.step===n)))}function Dd(e,t,n,l){let i=e.query.get("split")??"",r=Object.fromEntries(
[...e.query].filter(([h])=>h!=="cursor")),a=(h,g)=>o("a",{class:"tab"+(i===h?" here":""),"aria-current":i===h?"true":void 0,
href:Q(l,{...r,split:h})},g),p=e.query.get("layout")??"",f=h=>{location.hash=Ye(t.name,Math.max(0,(n??0)+h),{split:i})};
return n!==void 0&&(e.key("ArrowLeft","step before",()=>f(-1)),e.key("ArrowRight","next step",()=>f(1))),o("div",{class:"\
bar"},o("h1",null,n===void 0?"Episodes":`Step ${M(n)}`),n===void 0?null:o("span",{class:"turn"},o("button",{disabled:n===
0,title:"step before (\u2190)","aria-label":"step before",onclick:()=>f(-1)},"\u2190"),o("button",{title:"next step (\u2192)",
"aria-label":"next step",onclick:()=>f(1)},"\u2192")),o("span",{class:"tabs"},a("","All"),a("train","Training"),a("valid\
ation","Held-out")),n===void 0?null:o("span",{class:"tabs"},o("a",{class:"tab"+(p===""?" here":""),href:Q(l,{...r,layout:""})},
"Groups"),o("a",{class:"tab"+(p==="list"?" here":""),href:Q(l,{...r,layout:"list"})},"List")))}function $d(e,t,n){let l=o(
"div",null);return Le(e,l,async()=>{let i=(await Zl(t,n,n,e.signal)).steps.find(r=>r.step===n);return i?cn([["stage",i.stage],
["episodes",M(i.episodes)],["reward",M(i.reward)],["success",Ct(i.success)],["failed",M(i.failed)],["truncated",M(i.truncated)],
...zd(i)]):o("p",{class:"dim"},"The step has not ended, or is not of this run.")}),l}function zd(e){return Object.entries(
e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),pt(n)])}function Hd(e,t,n){let l=o("div",null),i=e.query.get("split")??
void 0,r=p=>Ml(t,{step:n,split:i,sort:p,limit:3},e.signal);Le(e,l,async()=>{let[p,f]=await Promise.all([r("-reward"),r("\
reward")]),h=b=>b.episodes.filter(x=>typeof x.reward=="number");if(h(p).length===0)return null;let g=Mt([...h(p),...h(f)].
map(b=>b.reward));return o("div",{class:"extremes"},a("Best",h(p),g),a("Worst",h(f),g))});let a=(p,f,h)=>ve(p,f.map(g=>o(
"p",{class:"answer"},hn(t,g,h)," ",o("a",{href:st(t,g.id),class:"quiet"},yi(g.answer)||"no answer"))));return l}var Gs=class{constructor(t,n,l,i){
this.view=t;this.run=n;this.step=l;this.path=i;this.element.append(this.news,this.place)}view;run;step;path;element=o("d\
iv",null);place=o("div",null);news=o("div",null);load(){return z(this.news),Le(this.view,this.place,()=>this.draw())}hear(t){
if(!t)return;this.view.query.has("cursor")||this.element.contains(document.activeElement)||this.element.querySelector(".\
current, :hover")!==null?z(this.news,o("p",{class:"news"},o("button",{onclick:()=>{this.load()}},"There is more: show it"))):
this.load()}async draw(){let t=this.view.query.get("cursor")??void 0,n=await Ml(this.run.name,{...Ga(this.view.query),step:this.
step,limit:Rd,cursor:t},this.view.signal);if(n.episodes.length===0)return o("p",{class:"empty"},this.emptiness());let l=this.
step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),i=Mt(n.episodes.map(a=>a.reward)),r=n.
total===void 0?"":`${ze(n.total,"episode")}`;return[o("p",{class:"legend"},o("b",null,r),Vd(i)),this.strip(n.episodes,i),
l?this.groups(n.episodes,i):this.list(n.episodes,i),this.pager(n,t)]}emptiness(){return vi(this.view.query)?"No episode \
is like this.":this.run.live?"No episode has ended yet: the list fills by itself.":"There are no episodes."}strip(t,n){if(this.
step!==void 0||!this.view.query.get("task"))return null;let l=Hl([...t].sort((i,r)=>i.step-r.step),i=>i.step);return ve(
"This task through time",o("div",{class:"strip"},[...l].map(([i,r])=>o("div",null,o("a",{class:"dim",href:Ye(this.run.name,
i)},`step ${i}`),r.map(a=>hn(this.run.name,a,n))))))}groups(t,n){let l=Hl(t,i=>JSON.stringify([i.split,i.group]));return o(
"div",{class:"groups"},[...l.values()].map(i=>{let r=i[0],a=Tl(this.run.name,r.group,r.step,r.split);return o("section",
{class:"group item",data:{href:a}},o("div",{class:"of"},o("a",{href:a,title:"side by side"},r.split==="validation"?"held\
-out ":"",`group ${r.group}`),o("a",{class:"task",title:"this task through time",href:Q(["run",this.run.name,"episodes"],
{task:r.task})},r.task),o("span",{class:"dim"},Nd(i))),o("div",{class:"cells"},i.map(p=>hn(this.run.name,p,n))))}))}list(t,n){
let l=this.run.name;return $e([...this.step===void 0?[{title:"step",right:!0,cell:i=>o("a",{href:Ye(l,i.step)},M(i.step))}]:
[],{title:"episode",cell:i=>o("a",{href:st(l,i.id)},i.id)},{title:"reward",right:!0,cell:i=>Wa(i,n)},{title:"success",cell:i=>i.
success===!0?"solved":i.success===!1?"not solved":"\u2013"},{title:"outcome",cell:Vn},{title:"task",cell:i=>o("a",{class:"\
short",href:Q(["run",l,"episodes"],{task:i.task})},i.task)},{title:"answer",wide:!0,cell:i=>o("div",{class:"short"},yi(i.
answer))},{title:"turns",right:!0,cell:i=>M(i.turns)},{title:"tokens",right:!0,cell:i=>M(i.tokens)},{title:"took",right:!0,
cell:i=>pt(i.seconds)},{title:"attempt",right:!0,cell:i=>M(i.attempt)}],t,i=>st(l,i.id))}pager(t,n){if(!t.next&&!n)return null;
let l=Object.fromEntries([...this.view.query].filter(([r])=>r!=="cursor")),i=()=>{t.next&&(location.hash=Q(this.path,{...l,
cursor:t.next}))};return this.view.key("n","next page",i),o("div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.
hash=Q(this.path,l)}},"First page"),o("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!t.
next,onclick:i},"Next page \u2192"))}};function Vd(e){return o("span",{class:"ramp"},o("span",null,M(e.low)),o("i",null),
o("span",null,M(e.high)),o("i",{class:"hatched"}),o("span",null,"no reward"))}function Nd(e){let t=e.map(l=>l.reward).filter(
l=>typeof l=="number");if(t.length===0)return"no rewards";let n=t.reduce((l,i)=>l+i,0)/t.length;return t.length>1&&t.every(
l=>l===t[0])?`all ${M(n,3)}: teaches nothing`:`mean ${M(n,3)}`}function yi(e){let t=(e??"").replace(/\s+/g," ").trim();return t.
length>160?t.slice(0,160)+" \u2026":t}var Od=200;function Vl(e){let t=e.transcripts??(e.messages?[{messages:e.messages}]:[]),n=o("div",{class:"conversation"});
if(t.reduce((a,p)=>a+p.messages.length,0)===0)return z(n,o("p",{class:"empty"},"Nothing was said.")),n;let i=[...Fd(t)],
r=a=>{n.querySelector(":scope > button")?.remove();let p=Math.min(i.length,a+Od);It(n,Wd(i.slice(a,p))),p<i.length&&n.append(
o("button",{onclick:()=>r(p)},`show more: ${ze(i.length-p,"message")} are left`))};return r(0),n}function*Fd(e){for(let t of e){
let n=new Set;for(let[l,i]of t.messages.entries()){if(n.has(i))continue;let r=new Map,a=new Set((i.tool_calls??[]).map(p=>p.
id));for(let p of t.messages.slice(l+1)){if(p.role!=="tool")break;!p.tool_call_id||!a.delete(p.tool_call_id)||(r.set(p.tool_call_id,
p),n.add(p))}yield{member:t.agent??"",depth:Math.max(0,t.depth??0),message:i,results:r}}}}function Wd(e){let t=o("div",null),
n=[{element:t,member:""}];for(let l of e){let i=l.member===""?0:l.depth+1;for(;n.length>i+1||n.length===i+1&&i>0&&n.at(-1).
member!==l.member;)n.pop();for(;n.length<=i;){let r=o("details",{class:"member",open:!0},o("summary",null,l.member));n.at(
-1).element.append(r),n.push({element:r,member:l.member})}n.at(-1).element.append(qd(l))}return[...t.childNodes]}function qd(e){
let t=e.message,n=t.role||"unknown",l=(t.content??"").length;return o("article",{class:`message item ${jd(n)}${t.is_error?
" error":""}`},o("header",null,o("b",null,n),t.name?o("span",{class:"dim"},t.name):null,t.is_error?o("span",{class:"badg\
e bad"},"error"):null,l>2e3?o("span",{class:"dim"},`${l.toLocaleString("en")} characters`):null),t.reasoning?Ce([o("b",null,
"thinks"),o("span",{class:"dim"}," "+Bs(t.reasoning))],()=>je(t.reasoning),!1,"thinks"):null,t.content?je(t.content):null,
(t.images??[]).map(Ba),(t.attachments??[]).map(i=>Ya(i,t.content??"")),(t.tool_calls??[]).map(i=>Ud(i,e.results.get(i.id))),
(t.malformed??[]).map(i=>o("div",{class:"malformed"},o("span",{class:"badge warn"},"not a call")," ",i.reason,Ce("what i\
t wrote",()=>je(i.text)))),Gd(t)?o("p",{class:"dim"},"(nothing)"):null)}var Id=new Set(["system","user","assistant","too\
l"]);function jd(e){return Id.has(e)?e:"other"}function Gd(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.attachments?.
length&&!e.tool_calls?.length&&!e.malformed?.length}function Ud(e,t){let n=[o("span",{class:"arrow"},"\u2192"),o("b",null,
e.name||"(no name)"),o("span",{class:"dim oneline"},Bs(e.arguments)),t?.is_error?o("span",{class:"badge bad"},"error"):null,
o("span",{class:"result oneline"},t?"\u2190 "+Bs(t.content??""):"no result")];return Ce(n,()=>o("div",{class:"body"},o("\
h4",null,"arguments"),je(Bd(e.arguments)),o("h4",null,"result"),t?[t.content?je(t.content):o("p",{class:"dim"},"(nothing\
)"),(t.images??[]).map(Ba),(t.attachments??[]).map(l=>Ya(l,t.content??""))]:o("p",{class:"dim"},"The episode ended befor\
e there was one.")),!1,"call")}function Bd(e){if(e.length>1e6)return e;try{return JSON.stringify(JSON.parse(e),null,2)}catch{
return e}}function Bs(e){return El(e.slice(0,300).replace(/\s+/g," ").trim())}var Kd=new Set(["image/png","image/jpeg","\
image/gif","image/webp"]),Yd=8<<20;function Ba(e){let t=["picture",e.mime_type,e.url,e.data?un(Math.floor(e.data.length*
3/4)):""];return Ka(t.filter(n=>n).join(", "),e.mime_type,e.data)}function Ka(e,t,n){return!n||!t||!Kd.has(t)||n.length>
Yd||!/^[A-Za-z0-9+/]+=*$/.test(n)?o("p",{class:"attachment"},"+ "+e):Ce("+ "+e,()=>{let l=document.createElement("img");
return l.alt=ll(e),l.src=`data:${t};base64,${n}`,l},!1,"attachment")}function Ya(e,t){let n=[e.kind||"attachment",e.mime_type,
e.name,e.uri,e.size?un(e.size):"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:""].filter(i=>i).join(
", ");if(e.data)return Ka(n,e.mime_type,e.data);let l=e.json!==void 0?JSON.stringify(e.json,null,2):e.text??"";return l===
""||l===t?o("p",{class:"attachment"},"+ "+n):Ce("+ "+n,()=>je(l),!1,"attachment")}function ki(e){let t=e.reward,n=t?.total??e.episode.reward,l=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),i=Mt([n,...Object.values(t?.parts??{})]),r=e.episode.success;return o("div",{class:"reward"},o("p",
{class:"total"},$t(o("span",{class:"cell"},M(n)),n,i),r===!0?o("span",{class:"badge good"},"solved"):null,r===!1?o("span",
{class:"badge"},"not solved"):null,n==null?o("span",{class:"dim"},Zd(e)):null),t?.expression?o("p",null,o("span",{class:"\
dim"},"by "),o("code",{class:"expression"},t.expression)):null,l.length===0?null:$e([{title:"part",cell:a=>o("code",null,
a.replace(/^reward\./,""))},{title:"value",right:!0,cell:a=>Jd(t?.parts?.[a],i)},{title:"in words",wide:!0,cell:a=>t?.notes?.[a]?
je(t.notes[a],400):""}],l),(t?.own_rewards??[]).map(a=>o("p",null,o("code",null,`agent.${a.agent}`)," says ",M(a.reward),
a.is_success===void 0?"":a.is_success?", solved":", not solved")),Qd(t?.turn_rewards??[]))}function Jd(e,t){return e===void 0?
"":$t(o("span",{class:"cell small"},M(e)),e,t)}function Zd(e){return e.failure||e.episode.outcome==="FAILED"?"It failed,\
 so that it has no reward.":"It has no reward."}function Qd(e){if(e.length===0)return null;let t=Mt(e.map(n=>n.reward));
return o("p",{class:"cells"},o("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>$t(o("span",{class:"cell small",title:n.
call_id},M(n.reward,3)),n.reward,t)))}var Xd=360,ef=200;async function Ja(e,t,n){let l=Number(e.query.get("step")??0),i=e.query.get("split")??"train";e.title(
Zt(t),{text:`step ${l}`,href:Ye(t,l)},{text:`group ${n}`});let{episodes:r}=await Ml(t,{step:l,split:i,group:n,limit:ef},
e.signal),a=r[0];if(!a){z(e.root,o("p",{class:"empty"},"This group has no episodes."));return}let p=Mt(r.map(_=>_.reward)),
f=o("div",{class:"beside"}),h=r.map(_=>hn(t,_,p)),g=0,b=()=>Math.max(1,Math.min(6,Math.floor((document.documentElement.clientWidth-
32)/Xd))),x=()=>{let _=r.slice(g,g+b());h.forEach((R,O)=>R.classList.toggle("here",O>=g&&O<g+_.length)),z(f,_.map(R=>tf(
e,t,R)))},L=_=>{g=Math.min(Math.max(0,r.length-b()),Math.max(0,g+_*b())),x()};e.key("ArrowLeft","samples before",()=>L(-1)),
e.key("ArrowRight","next samples",()=>L(1)),z(e.root,o("div",{class:"bar"},o("h1",null,`Group ${n}`),o("span",{class:"tu\
rn"},o("button",{title:"samples before (\u2190)","aria-label":"samples before",onclick:()=>L(-1)},"\u2190"),o("button",{
title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(1)},"\u2192"))),o("p",null,"Task ",o("a",{href:Q(
["run",t,"episodes"],{task:a.task})},a.task)),o("div",{class:"cells"},h),f),x()}function tf(e,t,n){let l=o("div",null);return Le(
e,l,async()=>{let i=await Ql(t,n.id,e.signal);return[ki(i),Vl(i)]}),o("section",{class:"panel"},o("h2",null,o("a",{href:st(
t,n.id)},`sample ${M(n.sample)}`)," ",Vn(n)),l)}function Xa(e){let t=e.some(n=>n.model);return $e([{title:"member",cell:n=>o("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>M(n.turns)},{title:"prompt tokens",right:!0,cell:n=>M(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>M(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>pn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${M(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var Za=200;
function ec(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>0?Qa(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),l=Hl(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),i=[],r=new Set,a=(l.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;a.length>0;){let g=a.pop();if(r.has(g.call.call_id))continue;r.add(g.call.call_id),
i.push(g);let b=l.get(g.call.call_id)??[],x=b.length>1;for(let L of b.toReversed())a.push({call:L,depth:g.depth+(x?1:0),
branch:x})}for(let g of t)r.has(g.call_id)||i.push({call:g,depth:0,branch:!1});let p=o("div",{class:"forest"}),f=g=>z(p,
i.slice(0,g).map(nf),i.length>g?o("button",{onclick:()=>f(g+Za)},`show more: ${ze(i.length-g,"call")} are left`):null);f(
Za);let h=(l.get("")??[]).length;return[o("p",{class:"dim"},`${ze(t.length,"call")} in ${ze(h,"tree")}. A branch goes on\
 from an earlier answer; what is not trained is marked.`),p,(e.chains??[]).length>0?Qa(e.chains):null]}function nf({call:e,
depth:t,branch:n}){let l=!e.parent,i=[o("span",{class:"twig"},l?"\u25CF":n?"\u251C":"\u2502"),o("code",null,e.call_id),e.
agent?o("span",null,e.agent):null,e.auxiliary?o("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?
o("span",{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?o("span",{class:"dim"},dt(e.finish)):null,o("sp\
an",{class:"dim"},`${M(e.prompt_tokens)} + ${M(e.output_tokens)} tokens`),o("span",{class:"oneline dim"},(e.text??"").slice(
0,200))],r=Ce(i,()=>e.text?je(e.text):o("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" u\
ntrained":""));return r.style.setProperty("--depth",String(Math.min(t,24))),r}function Qa(e){return Ce([o("b",null,"chai\
ns"),o("span",{class:"dim"},` ${e.length}`)],()=>$e([{title:"chain",cell:t=>o("code",null,t.chain)},{title:"agent",cell:t=>t.
agent??""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>M(t.
reward)},{title:"digest",wide:!0,cell:t=>o("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var ml=1500,Qt=(e,t)=>e?.[t]??null;function Ks(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function lc(e,t){let[
n,l]=[Qt(e.logprobs,t),Qt(e.trainer_logprobs,t)];return n===null||l===null?null:l-n}var Ys=(e,t)=>e.reduce((n,l)=>Math.max(
n,Math.abs(l)),t),tc=e=>({low:-Ys(e,1),high:0}),nc=[{name:"mask",label:"trained",value:Ks,scale:()=>({low:0,high:1})},{name:"\
sampler",label:"log-probability, sampler",value:(e,t)=>Qt(e.logprobs,t),scale:tc},{name:"trainer",label:"log-probability\
, trainer",value:(e,t)=>Qt(e.trainer_logprobs,t),scale:tc},{name:"gap",label:"gap",value:lc,scale:e=>Is(Ys(e,1e-6))},{name:"\
advantage",label:"advantage",value:(e,t)=>Qt(e.advantages,t),scale:e=>Is(Ys(e,1e-6))}];function ic(e){if(!e||e.length===
0)return o("p",{class:"dim"},"The tokens of this episode are not on record: the framework has them. ","With the local ad\
apter and TRL, all columns can be recorded; docs/ui.md says how.");let t=o("div",null),n=i=>z(t,new Js(e[i]).element);if(n(
0),e.length===1)return t;let l=o("select",{"aria-label":"row"},e.slice(0,500).map((i,r)=>o("option",{value:String(r)},`r\
ow ${r+1} of ${e.length}${i.chain?`: ${i.chain}`:""}`)));return l.addEventListener("change",()=>n(Number(l.value))),[l,t]}
var Js=class{constructor(t){this.row=t;this.text.addEventListener("mouseover",n=>this.point(n.target)),this.text.addEventListener(
"click",n=>this.point(n.target)),this.text.addEventListener("keydown",n=>{let l={ArrowRight:1,ArrowLeft:-1}[n.key];l!==void 0&&
(n.preventDefault(),n.stopPropagation(),this.stand(this.at<0?this.from:this.at+l))}),z(this.element,this.tabs,this.legend,
this.readout,this.text,this.pager),this.draw(),this.tell(-1)}row;element=o("div",{class:"tokens"});measure=nc[0];from=0;text=o(
"div",{class:"row",dir:"auto",tabindex:0,role:"group","aria-label":"tokens"});readout=o("div",{class:"readout",role:"sta\
tus"});tabs=o("div",{class:"tabs"});pager=o("div",{class:"pager"});legend=o("div",{class:"legend"});at=-1;get length(){return this.
row.ids.length}draw(){let{row:t,measure:n}=this,l=[],i=0;for(let f=0;f<this.length;f++){let h=n.value(t,f);h===null?i++:
l.push(h)}let r=n.scale(l);z(this.tabs,nc.map(f=>o("button",{class:"tab"+(f===n?" here":""),"aria-pressed":f===n?"true":
"false",onclick:()=>{this.measure=f,this.draw()}},f.label))),z(this.legend,l.length===0?o("p",{class:"unknown"},`${n.label}\
: unknown for all tokens. This framework does not report it.`):this.ramp(r,l,i));let a=Math.min(this.length,this.from+ml),
p=[];for(let f=this.from;f<a;f++)p.push(this.token(f,n.value(t,f),r));z(this.text,p),this.drawPager(a)}ramp(t,n,l){if(this.
measure.name==="mask"){let i=n.reduce((r,a)=>r+a,0);return o("p",{class:"ramp"},o("i",{class:"one high"}),`${M(i)} train\
ed`,o("i",{class:"one low"}),`${M(n.length-i)} not trained`,l>0?[o("i",{class:"hatched"}),`${M(l)} unknown`]:null,this.cutWords())}
return o("p",{class:"ramp"},M(t.low,3),o("i",null),M(t.high,3),l>0?[o("i",{class:"hatched"}),`${M(l)} unknown`]:null,this.
cutWords())}cutWords(){let{total:t}=this.row;return!t||t<=this.length?null:o("span",{class:"badge warn"},`the first ${M(
this.length)} of ${M(t)} tokens`)}token(t,n,l){let i=this.row.text?.[t],r=o("span",{class:"token",data:{i:String(t)}},i==
null?`\u27E8${this.row.ids[t]}\u27E9`:lf(i));return i?.includes(`
`)&&r.classList.add("ends"),t===this.row.prompt_length&&r.classList.add("first"),$t(r,n,l)}drawPager(t){let n=i=>{this.from=
Math.max(0,Math.min(i,this.length-1)),this.draw()},l=this.largest();z(this.pager,o("button",{disabled:this.from===0,onclick:()=>n(
this.from-ml)},"\u2190"),o("span",null,`tokens ${M(this.from+1)} to ${M(t)} of ${M(this.length)}`),o("button",{disabled:t>=
this.length,onclick:()=>n(this.from+ml)},"\u2192"),o("button",{disabled:this.firstTrained()<0,onclick:()=>this.stand(this.
firstTrained())},"First trained"),l>=0&&this.measure.name!=="mask"?o("button",{onclick:()=>this.stand(l)},`Largest ${this.
measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Ks(this.row,t)===1)return t;
return-1}largest(){let[t,n]=[-1,-1];for(let l=0;l<this.length;l++){let i=this.measure.value(this.row,l);i!==null&&Math.abs(
i)>n&&([t,n]=[l,Math.abs(i)])}return t}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){
t<0||t>=this.length||((t<this.from||t>=this.from+ml)&&(this.from=Math.floor(t/ml)*ml,this.draw()),this.mark(t),this.text.
querySelector(".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("h\
ere"),this.text.children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,l=a=>a===
null?o("span",{class:"unknown"},eo):o("b",null,M(a)),i=t<0?null:Ks(n,t),r=t<0?null:Qt(n.turn_ids,t);z(this.readout,t<0?o(
"span",{class:"dim"},`${ze(this.length,"token")}: point at one for its values`):[o("span",null,"token ",o("b",null,M(t)),
" ",o("code",null,El(n.text?.[t]??"")),o("span",{class:"dim"},` id ${n.ids[t]}`)),o("span",null,i===null?o("span",{class:"\
unknown"},"trained: unknown"):i?"trained":"not trained"),r===null||r<0?null:o("span",null,"turn ",o("b",null,M(r+1))),o(
"span",null,"sampler ",l(Qt(n.logprobs,t))),o("span",null,"trainer ",l(Qt(n.trainer_logprobs,t))),o("span",null,"gap ",l(
lc(n,t))),o("span",null,"advantage ",l(Qt(n.advantages,t)))])}};function lf(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".
repeat(e.length):El(e)}var sc=150,sf=["queue","model","tool","reward","host"];function rc(e){if(e.length===0)return o("p",{class:"dim"},"No tim\
es are on record.");let t=Math.min(...e.slice(0,5e4).map(a=>a.start_ms)),n=Math.max(...e.slice(0,5e4).map(a=>a.start_ms+
a.ms)),l=Math.max(n-t,1e-9),i=o("div",{class:"waterfall"}),r=a=>z(i,e.slice(0,a).map(p=>of(p,t,l)),e.length>a?o("button",
{onclick:()=>r(a+sc)},`show more: ${ze(e.length-a,"bar")} are left`):null);return r(sc),[rf(e),i,o("p",{class:"axis dim"},
o("span",null,"0"),o("span",null,pn(l)))]}function Zs(e){return sf.includes(e)?e:"other"}function rf(e){let t=new Map;for(let i of e)
t.set(i.part,(t.get(i.part)??0)+i.ms);let n=[...t.values()].reduce((i,r)=>i+r,0)||1,l=[...t].sort((i,r)=>r[1]-i[1]);return o(
"div",null,o("div",{class:"stack","aria-hidden":"true"},l.map(([i,r])=>o("i",{class:"part "+Zs(i),vars:{"--share":`${100*
r/n}%`}}))),o("p",{class:"chips"},l.map(([i,r])=>o("span",{class:"key"},o("i",{class:"swatch part "+Zs(i)}),`${i} `,o("b",
null,pn(r)),o("span",{class:"dim"},` ${Math.round(100*r/n)} %`)))))}function of(e,t,n){let l=100*(e.start_ms-t)/n,i=Math.
max(.3,100*e.ms/n);return o("div",{class:"wait",title:`${e.label??e.part}: ${pn(e.ms)}, from ${pn(e.start_ms-t)}`},o("sp\
an",{class:"name"},e.label||e.part),o("span",{class:"lane"},o("i",{class:"part "+Zs(e.part),vars:{"--left":`${Math.min(l,
99.7)}%`,"--share":`${Math.min(i,100)}%`}})),o("span",{class:"ms"},pn(e.ms)))}async function ac(e,t,n){e.title(Zt(t),{text:`episode ${n}`});let l=await Ql(t,n,e.signal),i=l.episode;e.title(Zt(t),{text:`\
step ${i.step}`,href:Ye(t,i.step,{split:i.split})},{text:n});let r=l.siblings??[];af(e,t,l),z(e.root,o("div",{class:"bar"},
o("h1",null,n),Vn(i),o("span",{class:"grow"}),(l.commands??[]).map(a=>Ln(a))),l.failure?o("div",{class:"trouble"},o("h2",
null,`Failed: ${dt(l.failure.class)}`),je(l.failure.detail??"")):null,r.length>1?cf(t,l,r):null,o("div",{class:"episode"},
o("div",null,ve("Conversation",Vl(l)),mf(l)),o("aside",null,ve("Reward",ki(l),pf(l)),df(l.madness??[]),uf(t,l),ff(l),ve(
"Where the time went",rc(l.times??[])),gf(l.attempts??[]),oc("Environment's state",l.state),oc("What the agent left",l.metadata),
bf(e,t,n))),hf(l),ve("Tokens",ic(l.tokens?.rows)))}function af(e,t,n){let l=n.siblings??[],i=l.findIndex(a=>a.id===n.episode.
id),r=a=>{let p=l[i+a];p&&(location.hash=st(t,p.id))};e.key("ArrowLeft","sample before",()=>r(-1)),e.key("ArrowRight","n\
ext sample",()=>r(1)),e.key("b","the group side by side",()=>{location.hash=Tl(t,n.episode.group,n.episode.step,n.episode.
split)}),e.key("o","open or fold all calls",()=>{let a=[...document.querySelectorAll("details.call, details.thinks")],p=!a.
some(f=>f.open);for(let f of a)f.open=p}),e.key("c","copy the command that shows it in a terminal",()=>{document.querySelector(
"main button.copy")?.click()})}function cf(e,t,n){let l=t.episode,i=Mt(n.map(r=>r.reward));return o("div",{class:"siblin\
gs"},o("a",{href:Tl(e,l.group,l.step,l.split)},`group ${l.group}`),o("div",{class:"cells"},n.slice(0,300).map(r=>hn(e,r,
i,r.id===l.id))))}function uf(e,t){let n=t.episode;return ve("About",cn([["task",o("a",{href:Q(["run",e,"episodes"],{task:n.
task}),title:"this task through time"},n.task)],["split",n.split==="validation"?"held-out":"training"],["step",M(n.step)],
["sample",M(n.sample)],["turns",M(n.turns)],["tokens",M(n.tokens)],["took",pt(n.seconds)],["counts",n.standing?dt(n.standing):
null]]))}function pf(e){let t=[];return e.use&&t.push(`In training: ${dt(e.use)}.`),e.why&&t.push(`Not trained because o\
f: ${dt(e.why)}.`),e.masked&&!e.use&&t.push("It is masked: it counts in its group, and is not trained on."),e.drop_group&&
t.push("Its group is dropped."),t.length>0?o("p",{class:"dim"},t.join(" ")):null}function df(e){return e.length===0?null:
ve("Checks that were not passed",e.slice(0,100).map(t=>o("p",null,o("span",{class:"badge warn"},t.check),` turn ${t.turn}\
 of ${t.agent}: ${dt(t.reason)} in its ${t.part}`,t.near?[", near ",o("code",null,t.near)]:null)))}function ff(e){return(e.
members??[]).length>0?ve("Members",Xa(e.members)):null}function hf(e){let t=ec(e);return t===null?null:ve("Calls of the \
program",t)}function mf(e){let t=e.own_steps??[];return t.length===0?null:ve("The agent's own steps",t.slice(0,200).map(
(n,l)=>Ce(`step ${l+1}`,()=>Vl({episode:e.episode,messages:n.messages}))))}function gf(e){return e.length<2&&!e.some(t=>t.
class)?null:ve("Attempts",$e([{title:"",right:!0,cell:t=>M(t.attempt)},{title:"outcome",cell:t=>Vn(t)},{title:"began",cell:t=>t.
started?Pn(t.started):"\u2013"},{title:"took",right:!0,cell:t=>pt(t.seconds)},{title:"",wide:!0,cell:t=>t.detail?je(t.detail,
300):""}],e.slice(0,100)))}function oc(e,t){return t==null?null:ve(e,Ce("show",()=>je(JSON.stringify(t,null,2))))}function bf(e,t,n){
return ve("Private part of the task",Ce("show it: it holds the answer that no agent may see",()=>{let l=o("div",null);return Le(
e,l,async()=>{let i=await zr(t,n,e.signal);return je(JSON.stringify("private"in i?i.private:i,null,2))}),l}))}var wf=240;async function uc(e,t){e.title(Zt(t),{text:"validations"});let n=o("div",null);z(e.root,o("div",{class:"bar"},
o("h1",null,"Validations"),xf(e)),n),await Le(e,n,()=>vf(e,t))}var Nl=()=>{};function xf(e){return e.key("ArrowLeft","va\
lidations before",()=>Nl(-1)),e.key("ArrowRight","later validations",()=>Nl(1)),o("span",{class:"turn"},o("button",{title:"\
validations before (\u2190)","aria-label":"validations before",onclick:()=>Nl(-1)},"\u2190"),o("button",{title:"later va\
lidations (\u2192)","aria-label":"later validations",onclick:()=>Nl(1)},"\u2192"))}async function vf(e,t){let n=e.query.
get("cursor")??void 0,l=await Hr(t,n,e.signal);if(l.tasks.length===0)return o("p",{class:"empty"},"This run has not vali\
dated yet.");let i=o("div",null),r=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/wf)),a=Math.max(
0,l.steps.length-r()),p=()=>z(i,yf(t,l,l.steps.slice(a,a+r())));Nl=g=>{a=Math.min(Math.max(0,l.steps.length-r()),Math.max(
0,a+g*r())),p()},p();let f=["run",t,"validations"],h=()=>{l.next&&(location.hash=Q(f,{cursor:l.next}))};return e.key("n",
"next page",h),[i,l.next||n?o("div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.hash=Q(f)}},"First pag\
e"),o("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!l.next,onclick:h},"Next pag\
e \u2192")):null]}function yf(e,t,n){let l=Mt(t.tasks.flatMap(i=>i.episodes.map(r=>r.reward)));return o("div",{class:"sc\
roll"},o("table",{class:"answers"},o("thead",null,o("tr",null,o("th",null,"task"),n.map(i=>o("th",null,o("a",{href:Ye(e,
i,{split:"validation"})},`after step ${M(i)}`))))),o("tbody",null,t.tasks.map(i=>o("tr",{class:"item",data:{href:cc(e,i.
task)}},o("th",null,o("a",{href:cc(e,i.task)},i.task)),n.map(r=>o("td",null,i.episodes.filter(a=>a.step===r).map(a=>$t(o(
"a",{class:"cell answer",href:st(e,a.id)},o("b",null,M(a.reward,3),a.success===!0?" \u2713":""),o("span",null,yi(a.answer)||
"no answer")),a.reward,l)))))))))}var cc=(e,t)=>Q(["run",e,"episodes"],{task:t,split:"validation"});var Mi=o("main",{tabindex:"-1"}),er=o("nav",{class:"crumbs","aria-label":"Where this is"}),Xs=o("span",{class:"connectio\
n",role:"status"}),Qs=new AbortController;function kf(){Qr(),pc(),It(document.body,[o("header",null,o("a",{class:"home",
href:Q([])},"awhost"),er,Xs,o("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>ns()},"?"),o("but\
ton",{class:"quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:os},"\u25D0")),Mi]),Br(),an("j","next\
 item",()=>ts(1)),an("k","item before",()=>ts(-1)),an("Enter","open or fold the item",()=>Kr()),an("/","go to the filter",
Sf),an("u","up, to what this is part of",Mf),an("t","light or dark",os),an("?","these keys",()=>ns()),addEventListener("\
hashchange",()=>{pc(),Si()}),Si()}function pc(){let e=rs(location.hash);e&&(Yi(e.token),history.replaceState(null,"",e.rest))}
function Sf(){Mi.querySelector("[data-filter]")?.focus()}function Mf(){let e=er.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??Q([])}function Si(){if(Qs.abort(),Qs=new AbortController,Ur(),dc("off"),!Rr()){_f();return}let{path:e,
query:t}=ss(location.hash),n=Ef(t,Qs.signal),l=n.root;z(Mi,l),scrollTo(0,0),Tf(n,e).catch(i=>{n.signal.aborted||z(l,as(i,
Si))})}function Ef(e,t){return{root:o("div",{class:"view"}),signal:t,query:e,key:(n,l,i)=>Gr(n,l,()=>{t.aborted||i()}),onLive:(n,l)=>Jr(
n,t,l,i=>{t.aborted||dc(i)}),title:(...n)=>{document.title=[...n].reverse().map(l=>l.text).concat("awhost").join(" \xB7 "),
z(er,n.map(l=>[o("span",{class:"slash","aria-hidden":"true"},"/"),l.href?o("a",{href:l.href},l.text):o("span",{"aria-cur\
rent":"page"},l.text)]))}}}async function Tf(e,t){let[n,l,i,r]=t;if(n===void 0)return to(e);if(n==="compare")return Va(e);
if(n==="run"&&l!==void 0){if(i===void 0)return Fa(e,l);if(i==="step"&&/^\d+$/.test(r??""))return Us(e,l,Number(r));if(i===
"episodes")return Us(e,l,void 0);if(i==="group"&&r!==void 0)return Ja(e,l,r);if(i==="episode"&&r!==void 0)return ac(e,l,
r);if(i==="validations")return uc(e,l)}e.title({text:"not found"}),z(e.root,o("section",{class:"trouble"},o("h2",null,"T\
here is no such view."),o("p",null,"The address was cut off, or is of another version of awhost. ",o("a",{href:Q([])},"A\
ll runs"))))}function dc(e){Xs.className="connection "+e,z(Xs,{live:"live",lost:"no connection, trying again",off:""}[e])}
function _f(){let e=o("input",{type:"password","aria-label":"token",autocomplete:"off",size:40}),t=o("form",null,e,o("bu\
tton",null,"Open"));t.addEventListener("submit",n=>{n.preventDefault();let l=e.value.trim();Yi(rs(l.slice(Math.max(0,l.indexOf(
"#"))))?.token??l),Si()}),z(Mi,o("section",{class:"trouble"},o("h2",null,"This page needs a token."),o("p",null,"Open th\
e link that awhost ui prints, or paste the link or its token here. A tab keeps its token until it is closed."),t)),e.focus()}
kf();})();
