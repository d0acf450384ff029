"use strict";(()=>{var Ar="awhost-token",Yi=sessionStorage.getItem(Ar)??"";function Ji(e){Yi=e,sessionStorage.setItem(Ar,e)}function Rr(){return Yi!==
""}var rn=class extends Error{constructor(n,l,i){super(l);this.status=n;this.summary=l;this.detail=i}status;summary;detail};
function jc(e,t){let n=new URLSearchParams;for(let[i,s]of Object.entries(t??{}))for(let a of Array.isArray(s)?s:[s])a!==
void 0&&a!==""&&n.append(i,String(a));let l=n.toString();return l===""?e:`${e}?${l}`}async function Dr(e,t,n){let l;try{
l=await fetch(jc(e,t),{signal:n,headers:{Authorization:`Bearer ${Yi}`},cache:"no-store",credentials:"omit",redirect:"err\
or"})}catch(i){throw n.aborted?i:new rn(0,"The server does not answer.","awhost ui may have ended: start it again, and r\
eload the page.")}if(!l.ok)throw await Gc(l);return l}async function Gc(e){let t=await e.json().catch(()=>null);return new rn(
e.status,t?.error?.summary??`The server answered ${e.status}.`,t?.error?.detail??"")}async function qt(e,t,n){return await(await Dr(
e,t,n)).json()}var on=e=>`api/runs/${encodeURIComponent(e)}`,$r=(e,t)=>`${on(e)}/episodes/${encodeURIComponent(t)}`,Yl=e=>qt(
"api/runs",void 0,e),Tn=(e,t)=>qt(on(e),void 0,t),Jl=(e,t,n,l)=>qt(`${on(e)}/metrics`,{name:t,after:n},l),Zl=(e,t,n,l)=>qt(
`${on(e)}/steps`,{from:t,to:n},l),Ml=(e,t,n)=>qt(`${on(e)}/episodes`,t,n),Ql=(e,t,n)=>qt($r(e,t),void 0,n),zr=(e,t,n)=>qt(
`${$r(e,t)}/private`,void 0,n),Hr=(e,t,n)=>qt(`${on(e)}/validations`,{cursor:t},n),Vr=(e,t)=>qt(`${on(e)}/waits`,void 0,
t),Nr=(e,t)=>Dr(`${on(e)}/live`,void 0,t);async function Or(e,t,n){let l=await qt("api/compare",{run:[e,t]},n);return"co\
mparison"in l?l.comparison:l}var Uc=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
qr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,Bc=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
Kc=/^[\n\t -~]*$/,Fr=/\p{M}/u,Wr=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,Zi=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),Yc=4;function Xi(e){if(Kc.test(e))return[{text:e,escaped:!1}];let t=new Qi;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function an(e){return Xi(e).map(t=>t.text).join("")}function El(e){return an(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var Qi=class{out=[];shown="";before="";marks=0;take(t,n){let l=t.codePointAt(n);if(l===13&&
t[n+1]===`
`)return 1;if(l===27||l===155){let s=Uc.exec(t.slice(n,n+512));if(s)return this.escape(Jc(s[0])),s[0].length}let i=String.
fromCodePoint(l);return this.isShown(i,t,n+i.length)?(this.marks=Fr.test(i)?this.marks+1:0,this.shown+=i,this.before=i):
this.escape(Ir(l)),i.length}done(){return this.flush(),this.out}isShown(t,n,l){if(t===`
`||t==="	"||!Bc.test(t))return!0;if(Fr.test(t)&&!qr.test(t))return this.marks<Yc;let i=l<n.length?String.fromCodePoint(n.
codePointAt(l)):"";switch(t){case"\u200D":return Wr.test(this.before)&&Wr.test(i)||Zi.test(this.before);case"\u200C":return Zi.
test(this.before)&&Zi.test(i);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function Jc(e){return[...e].map(t=>qr.test(t)?Ir(t.codePointAt(
0)):t).join("")}function Ir(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function o(e,t,...n){let l=document.createElement(e);for(let[i,s]of Object.entries(t??{}))Zc(l,i,s);return It(l,n),l}function Zc(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[l,i]of Object.entries(n))e.style.setProperty(l,i);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":an(String(n)))}}function It(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?It(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(an(String(n)))))}function H(e,...t){e.replaceChildren(),It(e,t)}var Qc=6e3,Xc=1e5;
function Ie(e,t=Qc){let n=o("div",{class:"prose",dir:"auto"}),l=0,i=p=>{let f=eu(e,Math.min(p,e.length));for(let h of Xi(
e.slice(l,f)))n.append(h.escaped?o("span",{class:"escape"},h.text):h.text);l=f};if(i(t),l===e.length)return n;let s=o("b\
utton",{class:"quiet",onclick:()=>{i(l+Xc),l===e.length?s.remove():a()}}),a=()=>H(s,`show more: ${jr(e.length-l)} of ${jr(
e.length)} characters are left`);return a(),o("div",null,n,s)}function jr(e){return e.toLocaleString("en")}function eu(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var Xl=new Map,ts=new Map;function Gr(e,t,n){Xl.set(e,{what:t,act:n})}function cn(e,t,n){ts.set(e,{what:t,act:n})}function Ur(){
Xl.clear()}function Br(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),es();return}if(tu(e.target))return;let t=Xl.
get(e.key)??ts.get(e.key);t&&(e.preventDefault(),t.act())})}function tu(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function ns(e){let t=[...document.querySelectorAll("main .item")].filter(
i=>i.offsetParent!==null);if(t.length===0)return;let n=t.findIndex(i=>i.classList.contains("current")),l=n<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[l].classList.add("current"),t[l].scrollIntoView(
{block:"nearest"})}function Kr(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function ls(){
if(es())return;let e=[...Xl,...ts,["Esc",{what:"leave a field, close this"}]],t=o("dialog",{class:"help","aria-label":"K\
eys"},o("h2",null,"Keys"),o("table",null,o("tbody",null,e.map(([n,l])=>o("tr",null,o("td",null,o("kbd",null,nu[n]??n)),o(
"td",null,l.what))))),o("button",{onclick:()=>es()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var nu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function es(){
let e=document.querySelector("dialog.help");return e?.close(),e!==null}var iu=1e3,Yr=45e3;function Jr(e,t,n,l){su(e,t,new is(n,t),l)}async function su(e,t,n,l){let i=500;for(let s=!0;!t.aborted;s=
!1){try{await ru(e,t,a=>n.take(a),()=>{l("live"),i=500,s||n.take({kind:"state"})})}catch(a){if(a instanceof rn&&a.status>=
400&&a.status<500)break}if(t.aborted)break;l("lost"),await au(i,t),i=Math.min(2*i,15e3)}l("off")}async function ru(e,t,n,l){
let i=new AbortController,s=()=>i.abort();t.addEventListener("abort",s,{once:!0});let a=setTimeout(s,Yr);try{let f=(await Nr(
e,i.signal)).body.pipeThrough(new TextDecoderStream).getReader();l();for(let h="";;){let{done:g,value:b}=await f.read();
if(g)return;clearTimeout(a),a=setTimeout(s,Yr),h=ou(h+b,n)}}finally{clearTimeout(a),t.removeEventListener("abort",s),i.abort()}}
function ou(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),l=n.pop();for(let i of n){let s=i.split(`
`).filter(a=>a.startsWith("data:")).map(a=>a.slice(5).trimStart()).join(`
`);if(s!=="")try{t(JSON.parse(s))}catch{t({kind:"state"})}}return l}var is=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},iu)}};function au(e,t){return new Promise(n=>{let l=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(l),n()},{once:!0})})}function rs(e){let[t="",n=""]=cu(e.replace(/^#/,""));return{path:t.split("/").filter(l=>l!=="").map(ss),query:new URLSearchParams(
n)}}function cu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function ss(e){try{return decodeURIComponent(
e)}catch{return e}}function Q(e,t={}){let n=new URLSearchParams;for(let[i,s]of Object.entries(t))for(let a of Array.isArray(
s)?s:[s])a!==void 0&&a!==""&&n.append(i,String(a));let l=n.toString();return"#/"+e.map(i=>encodeURIComponent(i)).join("/")+
(l?"?"+l:"")}var Ln=e=>Q(["run",e]),Ye=(e,t,n={})=>Q(["run",e,"step",t],n),st=(e,t)=>Q(["run",e,"episode",t]),Tl=(e,t,n,l)=>Q(
["run",e,"group",t],{step:n,split:l});function os(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:ss(
t[1]),rest:"#"+(t[2]?ss(t[2]):"/")};let{path:n,query:l}=rs(e),i=l.get("token");if(i===null)return null;l.delete("token");
let s=l.toString();return{token:i,rest:"#/"+n.map(encodeURIComponent).join("/")+(s?"?"+s:"")}}var Zr="awhost-theme";function uu(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function Qr(){let e=localStorage.getItem(Zr);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function as(){let e=uu()?"light":"dark";localStorage.setItem(Zr,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function Xr(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function Kt(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function cs(e,t){let[n,l]=e instanceof rn?[e.summary,e.detail]:["The page could not draw this.",e instanceof Error?e.message:
String(e)];return o("section",{class:"trouble",role:"alert"},o("h2",null,n),o("p",null,l),o("button",{onclick:t},"Try ag\
ain"))}async function Le(e,t,n){let l=setTimeout(()=>H(t,o("p",{class:"dim"},"Loading \u2026")),200);try{let i=await n();
e.signal.aborted||H(t,i)}catch(i){e.signal.aborted||H(t,cs(i,()=>{Le(e,t,n)}))}finally{clearTimeout(l)}}function ve(e,...t){
let n=o("section",{class:"panel"},o("h2",null,e));return It(n,t),n}function Ce(e,t,n=!1,l=""){let i=o("details",{class:"\
fold "+l},o("summary",null,e)),s=!1,a=()=>{s||!i.open||(s=!0,It(i,[t()]))};return i.addEventListener("toggle",a),n&&(i.open=
!0,a()),i}function Ue(e,t,n){let l=s=>[s.right?"right":"",s.wide?"wide":"",s.half?"half":""].join(" ").trim()||void 0,i=o(
"tbody",null,t.map(s=>{let a=o("tr",null,e.map(p=>o("td",{class:l(p)},p.cell(s))));return n&&(a.classList.add("item"),a.
dataset.href=n(s)),a}));return o("div",{class:"scroll"},o("table",null,o("thead",null,o("tr",null,e.map(s=>o("th",{class:l(
s)},s.title)))),i))}function un(e){return o("dl",{class:"pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>o(
"div",null,o("dt",null,t),o("dd",null,n))))}function Pn(e,t=e){let n=o("span",null,t),l=o("button",{class:"copy",title:"\
copy: "+e},n);return l.addEventListener("click",()=>{pu(e).then(i=>{l.classList.add("done"),H(n,i?"copied":"not copied: \
select it by hand"),setTimeout(()=>{H(n,t),l.classList.remove("done")},1200)})}),l}async function pu(e){try{return await navigator.
clipboard.writeText(e),!0}catch{return!1}}var eo="unknown";function M(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return ei(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?ei(e.toExponential(2)):ei(String(Number(e.toPrecision(t))))}function ei(e){return e.replace(/^-/,"\u2212")}function Ct(e){
return e==null||!Number.isFinite(e)?"\u2013":ei((100*e).toFixed(1))+" %"}function pn(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function dn(e){
return e==null?"\u2013":e<1?`${M(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:pt(e/1e3)}function pt(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return du(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,l]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${l} min`:`${l} min ${t%60} s`}function du(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function Cn(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=l=>String(
l).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function ti(e,t){return e?pt(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function $e(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function dt(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var An=50,fu=5e3;async function to(e){e.title();let t=new Set,n=o("div",null),l=o("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),i=o("button",{disabled:!0,onclick:()=>s()},"Comp\
are");H(e.root,o("div",{class:"bar"},o("h1",null,"Runs"),l,i),n);let s=()=>{t.size>1&&(location.hash=Q(["compare"],{run:[
...t]}))};e.key("c","compare the chosen runs",s),e.key("x","choose the run for a comparison",()=>{document.querySelector(
"tr.current input")?.click()});let a=[],p=0,f=()=>H(n,h()),h=()=>{let x=l.value.trim().toLowerCase(),E=a.filter($=>x===""||
mu($).includes(x));p=Math.min(p,Math.max(0,Math.ceil(E.length/An)-1));let L=$=>{let I=o("input",{type:"checkbox","aria-l\
abel":`compare ${$.name}`,checked:t.has($.name)});return I.addEventListener("change",()=>{I.checked?t.add($.name):t.delete(
$.name),i.disabled=t.size<2,H(i,t.size<2?"Compare":`Compare ${t.size} runs`)}),I},z=$=>{p+=$,f()};return[E.length===0?gu(
a.length):bu(E.slice(p*An,(p+1)*An),L),E.length>An?o("div",{class:"pager"},o("button",{disabled:p===0,onclick:()=>z(-1)},
"\u2190 Newer"),o("span",null,`${p*An+1} to ${Math.min(E.length,(p+1)*An)} of ${E.length}`),o("button",{disabled:(p+1)*An>=
E.length,onclick:()=>z(1)},"Older \u2192")):null]};l.addEventListener("input",()=>{p=0,f()});let g=async()=>{a=(await Yl(
e.signal)).runs};await Le(e,n,async()=>(await g(),h()));let b=setInterval(()=>{!a.some(x=>x.live)||document.hidden||n.contains(
document.activeElement)||g().then(()=>hu(f),()=>{})},fu);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}
function hu(e){let t=document.querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll(
"tr.item"))n.dataset.href===t&&n.classList.add("current")}function mu(e){return[e.name,e.spec,e.train,e.adapter,e.status,
e.outcome,e.stage,e.machine].join(" ").toLowerCase()}function gu(e){return e>0?o("p",{class:"empty"},"No run has these w\
ords."):ve("No runs yet",o("p",null,"A run that begins in this folder shows up here: "),Pn("awhost apply"))}function bu(e,t){
let n=e.some(l=>l.machine);return Ue([{title:"",cell:t},{title:"run",cell:l=>o("a",{class:"short",href:Ln(l.name),title:l.
name},l.name)},{title:"status",cell:_l},{title:"step",right:!0,cell:wu},{title:"held-out success",right:!0,cell:Ll},{title:"\
stage",cell:l=>l.stage??"\u2013"},{title:"adapter",cell:l=>l.adapter??"\u2013"},{title:"spec",wide:!0,cell:l=>l.problem?
o("span",{class:"bad"},l.problem):l.spec},...n?[{title:"where",cell:l=>l.machine??"\u2013"}]:[],{title:"started",cell:l=>Cn(
l.started)},{title:"took",right:!0,cell:l=>l.live||l.ended?ti(l.started,l.live?void 0:l.ended):"\u2013"},{title:"disk",right:!0,
cell:l=>pn(l.disk_bytes)}],e,l=>Ln(l.name))}function _l(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"liv\
e":t?"bad":e.status==="finished"?"good":"warn",l=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:
e.status;return o("span",{class:"badge "+n},l)}function wu(e){if(e.step<0)return"\u2013";let t=e.steps?o("progress",{value:e.
step,max:e.steps,"aria-hidden":"true"}):null;return[o("span",null,M(e.step),e.steps?o("span",{class:"dim"},` of ${M(e.steps)}`):
null),t]}function Ll(e){return e.success_after===void 0&&e.success_before===void 0?"\u2013":e.success_after===void 0?[Ct(
e.success_before),o("span",{class:"dim"}," before")]:[o("span",{class:"dim"},`${Ct(e.success_before)} \u2192 `),Ct(e.success_after)]}var xu="uplot",vu="u-hz",yu="u-vt",ku="u-title",Su="u-wrap",Mu="u-under",Eu="u-over",Tu="u-axis",$n="u-off",_u="u-select",
Lu="u-cursor-x",Pu="u-cursor-y",Cu="u-cursor-pt",Au="u-legend",Ru="u-live",Du="u-inline",$u="u-series",zu="u-marker",no="\
u-label",Hu="u-value",Cl="width",Al="height";var lo="bottom",il="left",us="right",_s="#000",io=_s+"0",ps="mousemove",so="mousedown",ds="mouseup",ro="mouseenter",oo="\
mouseleave",ao="dblclick",Vu="resize",Nu="scroll",co="change",ri="dppxchange",Ls="--",pl=typeof window<"u",bs=pl?document:
null,rl=pl?window:null,Ou=pl?navigator:null,ce,ni;function ws(){let e=devicePixelRatio;ce!=e&&(ce=e,ni&&vs(co,ni,ws),ni=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),zn(co,ni,ws),rl.dispatchEvent(new CustomEvent(
ri)))}function ft(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function xs(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function ye(e,t,n){e.style[t]=n+"px"}function At(e,t,n,l){let i=bs.createElement(e);return t!=null&&ft(i,
t),n?.insertBefore(i,l),i}function kt(e,t){return At("div",e,t)}var uo=new WeakMap;function jt(e,t,n,l,i){let s="transla\
te("+t+"px,"+n+"px)",a=uo.get(e);s!=a&&(e.style.transform=s,uo.set(e,s),t<0||n<0||t>l||n>i?ft(e,$n):xs(e,$n))}var po=new WeakMap;
function fo(e,t,n){let l=t+n,i=po.get(e);l!=i&&(po.set(e,l),e.style.background=t,e.style.borderColor=n)}var ho=new WeakMap;
function mo(e,t,n,l){let i=t+""+n,s=ho.get(e);i!=s&&(ho.set(e,i),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
l?-t/2+"px":0,e.style.marginTop=l?-n/2+"px":0)}var Ps={passive:!0},Fu={...Ps,capture:!0};function zn(e,t,n,l){t.addEventListener(
e,n,l?Fu:Ps)}function vs(e,t,n,l){t.removeEventListener(e,n,Ps)}pl&&ws();function Rt(e,t,n,l){let i;n=n||0,l=l||t.length-
1;let s=l<=2147483647;for(;l-n>1;)i=s?n+l>>1:ht((n+l)/2),t[i]<e?n=i:l=i;return e-t[n]<=t[l]-e?n:l}function Io(e){return(n,l,i)=>{
let s=-1,a=-1;for(let p=l;p<=i;p++)if(e(n[p])){s=p;break}for(let p=i;p>=l;p--)if(e(n[p])){a=p;break}return[s,a]}}var jo=e=>e!=
null,Go=e=>e!=null&&e>0,ci=Io(jo),Wu=Io(Go);function qu(e,t,n,l=0,i=!1){let s=i?Wu:ci,a=i?Go:jo;[t,n]=s(e,t,n);let p=e[t],
f=e[t];if(t>-1)if(l==1)p=e[t],f=e[n];else if(l==-1)p=e[n],f=e[t];else for(let h=t;h<=n;h++){let g=e[h];a(g)&&(g<p?p=g:g>
f&&(f=g))}return[p??he,f??-he]}function ui(e,t,n,l){let i=wo(e),s=wo(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let a=n==10?
Yt:Uo,p=i==1?ht:St,f=s==1?St:ht,h=p(a(He(e))),g=f(a(He(t))),b=ol(n,h),x=ol(n,g);return n==10&&(h<0&&(b=me(b,-h)),g<0&&(x=
me(x,-g))),l||n==2?(e=b*i,t=x*s):(e=Jo(e,b),t=pi(t,x)),[e,t]}function Cs(e,t,n,l){let i=ui(e,t,n,l);return e==0&&(i[0]=0),
t==0&&(i[1]=0),i}var As=.1,go={mode:3,pad:As},Dl={pad:0,soft:null,mode:0},Iu={min:Dl,max:Dl};function oi(e,t,n,l){return di(
n)?bo(e,t,n):(Dl.pad=n,Dl.soft=l?0:null,Dl.mode=l?3:0,bo(e,t,Iu))}function oe(e,t){return e??t}function ju(e,t,n){for(t=
oe(t,0),n=oe(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function bo(e,t,n){let l=n.min,i=n.max,s=oe(l.pad,
0),a=oe(i.pad,0),p=oe(l.hard,-he),f=oe(i.hard,he),h=oe(l.soft,he),g=oe(i.soft,-he),b=oe(l.mode,0),x=oe(i.mode,0),E=t-e,L=Yt(
E),z=tt(He(e),He(t)),$=Yt(z),I=He($-L);(E<1e-24||I>10)&&(E=0,(e==0||t==0)&&(E=1e-24,b==2&&h!=he&&(s=0),x==2&&g!=-he&&(a=
0)));let S=E||z||1e3,q=Yt(S),T=ol(10,ht(q)),Z=S*(E==0?e==0?.1:1:s),D=me(Jo(e-Z,T/10),24),X=e>=h&&(b==1||b==3&&D<=h||b==2&&
D>=h)?h:he,K=tt(p,D<X&&e>=X?X:Dt(X,D)),ne=S*(E==0?t==0?.1:1:a),B=me(pi(t+ne,T/10),24),_=t<=g&&(x==1||x==3&&B>=g||x==2&&B<=
g)?g:-he,J=Dt(f,B>_&&t<=_?_:tt(_,B));return K==J&&K==0&&(J=100),[K,J]}var Gu=new Intl.NumberFormat(pl?Ou.language:"en-US"),
Rs=e=>Gu.format(e),mt=Math,si=mt.PI,He=mt.abs,ht=mt.floor,ze=mt.round,St=mt.ceil,Dt=mt.min,tt=mt.max,ol=mt.pow,wo=mt.sign,
Yt=mt.log10,Uo=mt.log2,Uu=(e,t=1)=>mt.sinh(e)*t,fs=(e,t=1)=>mt.asinh(e/t),he=1/0;function xo(e){return(Yt((e^e>>31)-(e>>
31))|0)+1}function ys(e,t,n){return Dt(tt(e,t),n)}function Bo(e){return typeof e=="function"}function le(e){return Bo(e)?
e:()=>e}var Bu=()=>{},Ko=e=>e,Yo=(e,t)=>t,Ku=e=>null,vo=e=>!0,yo=(e,t)=>e==t,Yu=/\.\d*?(?=9{6,}|0{6,})/gm,Hn=e=>{if(Qo(e)||
hn.has(e))return e;let t=`${e}`,n=t.match(Yu);if(n==null)return e;let l=n[0].length-1;if(t.indexOf("e-")!=-1){let[i,s]=t.
split("e");return+`${Hn(i)}e${s}`}return me(e,l)};function Rn(e,t){return Hn(me(Hn(e/t))*t)}function pi(e,t){return Hn(St(
Hn(e/t))*t)}function Jo(e,t){return Hn(ht(Hn(e/t))*t)}function me(e,t=0){if(Qo(e))return e;let n=10**t,l=e*n*(1+Number.EPSILON);
return ze(l)/n}var hn=new Map;function Zo(e){return((""+e).split(".")[1]||"").length}function zl(e,t,n,l){let i=[],s=l.map(
Zo);for(let a=t;a<n;a++){let p=He(a),f=me(ol(e,a),p);for(let h=0;h<l.length;h++){let g=e==10?+`${l[h]}e${a}`:l[h]*f,b=(a>=
0?0:p)+(a>=s[h]?0:s[h]),x=e==10?g:me(g,b);i.push(x),hn.set(x,b)}}return i}var $l={},Ds=[],al=[null,null],fn=Array.isArray,
Qo=Number.isInteger,Ju=e=>e===void 0;function ko(e){return typeof e=="string"}function di(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function Zu(e){return e!=null&&typeof e=="object"}var Qu=Object.getPrototypeOf(
Uint8Array),Xo="__proto__";function cl(e,t=di){let n;if(fn(e)){let l=e.find(i=>i!=null);if(fn(l)||t(l)){n=Array(e.length);
for(let i=0;i<e.length;i++)n[i]=cl(e[i],t)}else n=e.slice()}else if(e instanceof Qu)n=e.slice();else if(t(e)){n={};for(let l in e)
l!=Xo&&(n[l]=cl(e[l],t))}else n=e;return n}function Ae(e){let t=arguments;for(let n=1;n<t.length;n++){let l=t[n];for(let i in l)
i!=Xo&&(di(e[i])?Ae(e[i],cl(l[i])):e[i]=cl(l[i]))}return e}var Xu=0,ep=1,tp=2;function np(e,t,n){for(let l=0,i,s=-1;l<t.
length;l++){let a=t[l];if(a>s){for(i=a-1;i>=0&&e[i]==null;)e[i--]=null;for(i=a+1;i<n&&e[i]==null;)e[s=i++]=null}}}function lp(e,t){
if(rp(e)){let a=e[0].slice();for(let p=1;p<e.length;p++)a.push(...e[p].slice(1));return op(a[0])||(a=sp(a)),a}let n=new Set;
for(let a=0;a<e.length;a++){let f=e[a][0],h=f.length;for(let g=0;g<h;g++)n.add(f[g])}let l=[Array.from(n).sort((a,p)=>a-
p)],i=l[0].length,s=new Map;for(let a=0;a<i;a++)s.set(l[0][a],a);for(let a=0;a<e.length;a++){let p=e[a],f=p[0];for(let h=1;h<
p.length;h++){let g=p[h],b=Array(i).fill(void 0),x=t?t[a][h]:ep,E=[];for(let L=0;L<g.length;L++){let z=g[L],$=s.get(f[L]);
z===null?x!=Xu&&(b[$]=z,x==tp&&E.push($)):b[$]=z}np(b,E,i),l.push(b)}}return l}var ip=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function sp(e){let t=e[0],n=t.length,l=Array(n);for(let s=0;s<l.length;s++)l[s]=s;l.sort(
(s,a)=>t[s]-t[a]);let i=[];for(let s=0;s<e.length;s++){let a=e[s],p=Array(n);for(let f=0;f<n;f++)p[f]=a[l[f]];i.push(p)}
return i}function rp(e){let t=e[0][0],n=t.length;for(let l=1;l<e.length;l++){let i=e[l][0];if(i.length!=n)return!1;if(i!=
t){for(let s=0;s<n;s++)if(i[s]!=t[s])return!1}}return!0}function op(e,t=100){let n=e.length;if(n<=1)return!0;let l=0,i=n-
1;for(;l<=i&&e[l]==null;)l++;for(;i>=l&&e[i]==null;)i--;if(i<=l)return!0;let s=tt(1,ht((i-l+1)/t));for(let a=e[l],p=l+s;p<=
i;p+=s){let f=e[p];if(f!=null){if(f<=a)return!1;a=f}}return!0}var ea=["January","February","March","April","May","June",
"July","August","September","October","November","December"],ta=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function na(e){return e.slice(0,3)}var ap=ta.map(na),cp=ea.map(na),up={MMMM:ea,MMM:cp,WWWW:ta,WWW:ap};function Pl(e){
return(e<10?"0":"")+e}function pp(e){return(e<10?"00":e<100?"0":"")+e}var dp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Pl(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Pl(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Pl(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Pl(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Pl(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>pp(e.getMilliseconds())};function $s(e,t){t=t||up;let n=[],l=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=l.exec(
e);)n.push(i[0][0]=="{"?dp[i[1]]:i[0]);return s=>{let a="";for(let p=0;p<n.length;p++)a+=typeof n[p]=="string"?n[p]:n[p](
s,t);return a}}var fp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function hp(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==fp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var la=e=>e%1==0,ai=[1,2,2.5,5],mp=zl(10,-32,0,ai),ia=zl(10,0,32,ai),gp=ia.filter(la),Dn=mp.concat(
ia),zs=`
`,sa="{YYYY}",So=zs+sa,ra="{M}/{D}",Rl=zs+ra,li=Rl+"/{YY}",oa="{aa}",bp="{h}:{mm}",sl=bp+oa,Mo=zs+sl,Eo=":{ss}",pe=null;
function aa(e){let t=e*1e3,n=t*60,l=n*60,i=l*24,s=i*30,a=i*365,f=(e==1?zl(10,0,3,ai).filter(la):zl(10,-3,0,ai)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,l,l*2,l*3,l*4,l*6,l*8,l*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,s,s*2,s*
3,s*4,s*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),h=[[a,sa,pe,pe,pe,pe,pe,pe,1],[i*28,"{MMM}",So,pe,pe,pe,pe,pe,1],[i,ra,So,pe,
pe,pe,pe,pe,1],[l,"{h}"+oa,li,pe,Rl,pe,pe,pe,1],[n,sl,li,pe,Rl,pe,pe,pe,1],[t,Eo,li+" "+sl,pe,Rl+" "+sl,pe,Mo,pe,1],[e,Eo+
".{fff}",li+" "+sl,pe,Rl+" "+sl,pe,Mo,pe,1]];function g(b){return(x,E,L,z,$,I)=>{let S=[],q=$>=a,T=$>=s&&$<a,Z=b(L),D=me(
Z*e,3),X=hs(Z.getFullYear(),q?0:Z.getMonth(),T||q?1:Z.getDate()),K=me(X*e,3);if(T||q){let ne=T?$/s:0,B=q?$/a:0,_=D==K?D:
me(hs(X.getFullYear()+B,X.getMonth()+ne,1)*e,3),J=new Date(ze(_/e)),V=J.getFullYear(),G=J.getMonth();for(let W=0;_<=z;W++){
let ie=hs(V+B*W,G+ne*W,1),F=ie-b(me(ie*e,3));_=me((+ie+F)*e,3),_<=z&&S.push(_)}}else{let ne=$>=i?i:$,B=ht(L)-ht(D),_=K+B+
pi(D-K,ne);S.push(_);let J=b(_),V=J.getHours()+J.getMinutes()/n+J.getSeconds()/l,G=$/l,W=x.axes[E]._space,ie=I/W;for(;_=
me(_+$,e==1?0:3),!(_>z);)if(G>1){let F=ht(me(V+G,6))%24,se=b(_).getHours()-F;se>1&&(se=-1),_-=se*l,V=(V+G)%24;let de=S[S.
length-1];me((_-de)/$,3)*ie>=.7&&S.push(_)}else S.push(_)}return S}}return[f,h,g]}var[wp,xp,vp]=aa(1),[yp,kp,Sp]=aa(.001);
zl(2,-53,53,[1]);function To(e,t){return e.map(n=>n.map((l,i)=>i==0||i==8||l==null?l:t(i==1||n[8]==0?l:n[1]+l)))}function _o(e,t){
return(n,l,i,s,a)=>{let p=t.find(L=>a>=L[0])||t[t.length-1],f,h,g,b,x,E;return l.map(L=>{let z=e(L),$=z.getFullYear(),I=z.
getMonth(),S=z.getDate(),q=z.getHours(),T=z.getMinutes(),Z=z.getSeconds(),D=$!=f&&p[2]||I!=h&&p[3]||S!=g&&p[4]||q!=b&&p[5]||
T!=x&&p[6]||Z!=E&&p[7]||p[1];return f=$,h=I,g=S,b=q,x=T,E=Z,D(z)})}}function Mp(e,t){let n=$s(t);return(l,i,s,a,p)=>i.map(
f=>n(e(f)))}function hs(e,t,n){return new Date(e,t,n)}function Lo(e,t){return t(e)}var Ep="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Po(e,t){return(n,l,i,s)=>s==null?Ls:t(e(l))}function Tp(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function _p(e,t){return e.series[t].fill(e,t)}var Lp={show:!0,live:!0,isolate:!1,mount:Bu,
markers:{show:!0,width:2,stroke:Tp,fill:_p,dash:"solid"},idx:null,idxs:null,values:[]};function Pp(e,t){let n=e.cursor.points,
l=kt(),i=n.size(e,t);ye(l,Cl,i),ye(l,Al,i);let s=i/-2;ye(l,"marginLeft",s),ye(l,"marginTop",s);let a=n.width(e,t,i);return a&&
ye(l,"borderWidth",a),l}function Cp(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Ap(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function Rp(e,t){return e.series[t].points.size}var ms=[0,0];function Dp(e,t,n){return ms[0]=
t,ms[1]=n,ms}function ii(e,t,n,l=!0){return i=>{i.button==0&&(!l||i.target==t)&&n(i)}}function gs(e,t,n,l=!0){return i=>{
(!l||i.target==t)&&n(i)}}var $p={show:!0,x:!0,y:!0,lock:!1,move:Dp,points:{one:!1,show:Pp,size:Rp,width:0,stroke:Ap,fill:Cp},
bind:{mousedown:ii,mouseup:ii,click:ii,dblclick:ii,mousemove:gs,mouseleave:gs,mouseenter:gs},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,l,i)=>l-
i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ca={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Hs=Ae({},ca,{filter:Yo}),ua=Ae({},Hs,{size:10}),pa=Ae({},ca,{show:!1}),Vs='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',da="bold "+Vs,fa=1.5,Co={show:!0,scale:"x",stroke:_s,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:da,side:2,grid:Hs,ticks:ua,border:pa,font:Vs,lineGap:fa,rotate:0},zp="\
Value",Hp="Time",Ao={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function Vp(e,t,n,l,i){return t.map(s=>s==
null?"":Rs(s))}function Np(e,t,n,l,i,s,a){let p=[],f=hn.get(i)||0;n=a?n:me(pi(n,i),f);for(let h=n;h<=l;h=me(h+i,f))p.push(
Object.is(h,-0)?0:h);return p}function ks(e,t,n,l,i,s,a){let p=[],f=e.scales[e.axes[t].scale].log,h=f==10?Yt:Uo,g=ht(h(n));
i=ol(f,g),f==10&&(i=Dn[Rt(i,Dn)]);let b=n,x=i*f;f==10&&(x=Dn[Rt(x,Dn)]);do p.push(b),b=b+i,f==10&&!hn.has(b)&&(b=me(b,hn.
get(i))),b>=x&&(i=b,x=i*f,f==10&&(x=Dn[Rt(x,Dn)]));while(b<=l);return p}function Op(e,t,n,l,i,s,a){let f=e.scales[e.axes[t].
scale].asinh,h=l>f?ks(e,t,tt(f,n),l,i):[f],g=l>=0&&n<=0?[0]:[];return(n<-f?ks(e,t,tt(f,-l),-n,i):[f]).reverse().map(x=>-x).
concat(g,h)}var ha=/./,Fp=/[12357]/,Wp=/[125]/,Ro=/1/,Ss=(e,t,n,l)=>e.map((i,s)=>t==4&&i==0||s%l==0&&n.test(i.toExponential()[i<
0?1:0])?i:null);function qp(e,t,n,l,i){let s=e.axes[n],a=s.scale,p=e.scales[a],f=e.valToPos,h=s._space,g=f(10,a),b=f(9,a)-
g>=h?ha:f(7,a)-g>=h?Fp:f(5,a)-g>=h?Wp:Ro;if(b==Ro){let x=He(f(1,a)-g);if(x<h)return Ss(t.slice().reverse(),p.distr,b,St(
h/x)).reverse()}return Ss(t,p.distr,b,1)}function Ip(e,t,n,l,i){let s=e.axes[n],a=s.scale,p=s._space,f=e.valToPos,h=He(f(
1,a)-f(2,a));return h<p?Ss(t.slice().reverse(),3,ha,St(p/h)).reverse():t}function jp(e,t,n,l){return l==null?Ls:t==null?
"":Rs(t)}var Do={show:!0,scale:"y",stroke:_s,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:da,side:3,
grid:Hs,ticks:ua,border:pa,font:Vs,lineGap:fa,rotate:0};function Gp(e,t){let n=3+(e||1)*2;return me(n*t,3)}function Up(e,t){
let{scale:n,idxs:l}=e.series[0],i=e._data[0],s=e.valToPos(i[l[0]],n,!0),a=e.valToPos(i[l[1]],n,!0),p=He(a-s),f=e.series[t],
h=p/(f.points.space*ce);return l[1]-l[0]<=h}var $o={scale:null,auto:!0,sorted:0,min:he,max:-he},ma=(e,t,n,l,i)=>i,zo={show:!0,
auto:!0,sorted:0,gaps:ma,alpha:1,facets:[Ae({},$o,{scale:"x"}),Ae({},$o,{scale:"y"})]},Ho={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:ma,alpha:1,points:{show:Up,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function Bp(e,t,n,l,i){
return n/10}var ga={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Kp=Ae({},ga,{time:!1,ori:1}),Vo={};
function ba(e,t){let n=Vo[e];return n||(n={key:e,plots:[],sub(l){n.plots.push(l)},unsub(l){n.plots=n.plots.filter(i=>i!=
l)},pub(l,i,s,a,p,f,h){for(let g=0;g<n.plots.length;g++)n.plots[g]!=i&&n.plots[g].pub(l,i,s,a,p,f,h)}},e!=null&&(Vo[e]=n)),
n}var ul=1,Ms=2;function Vn(e,t,n){let l=e.mode,i=e.series[t],s=l==2?e._data[t]:e._data,a=e.scales,p=e.bbox,f=s[0],h=l==
2?s[1]:s[t],g=l==2?a[i.facets[0].scale]:a[e.series[0].scale],b=l==2?a[i.facets[1].scale]:a[i.scale],x=p.left,E=p.top,L=p.
width,z=p.height,$=e.valToPosH,I=e.valToPosV;return g.ori==0?n(i,f,h,g,b,$,I,x,E,L,z,hi,dl,gi,xa,ya):n(i,f,h,g,b,I,$,E,x,
z,L,mi,fl,Fs,va,ka)}function Ns(e,t){let n=0,l=0,i=oe(e.bands,Ds);for(let s=0;s<i.length;s++){let a=i[s];a.series[0]==t?
n=a.dir:a.series[1]==t&&(a.dir==1?l|=1:l|=2)}return[n,l==1?-1:l==2?1:l==3?2:0]}function Yp(e,t,n,l,i){let s=e.mode,a=e.series[t],
p=s==2?a.facets[1].scale:a.scale,f=e.scales[p];return i==-1?f.min:i==1?f.max:f.distr==3?f.dir==1?f.min:f.max:0}function Jt(e,t,n,l,i,s){
return Vn(e,t,(a,p,f,h,g,b,x,E,L,z,$)=>{let I=a.pxRound,S=h.dir*(h.ori==0?1:-1),q=h.ori==0?dl:fl,T,Z;S==1?(T=n,Z=l):(T=l,
Z=n);let D=I(b(p[T],h,z,E)),X=I(x(f[T],g,$,L)),K=I(b(p[Z],h,z,E)),ne=I(x(s==1?g.max:g.min,g,$,L)),B=new Path2D(i);return q(
B,K,ne),q(B,D,ne),q(B,D,X),B})}function fi(e,t,n,l,i,s){let a=null;if(e.length>0){a=new Path2D;let p=t==0?gi:Fs,f=n;for(let b=0;b<
e.length;b++){let x=e[b];if(x[1]>x[0]){let E=x[0]-f;E>0&&p(a,f,l,E,l+s),f=x[1]}}let h=n+i-f,g=10;h>0&&p(a,f,l-g/2,h,l+s+
g)}return a}function Jp(e,t,n){let l=e[e.length-1];l&&l[0]==t?l[1]=n:e.push([t,n])}function Os(e,t,n,l,i,s,a){let p=[],f=e.
length;for(let h=i==1?n:l;h>=n&&h<=l;h+=i)if(t[h]===null){let b=h,x=h;if(i==1)for(;++h<=l&&t[h]===null;)x=h;else for(;--h>=
n&&t[h]===null;)x=h;let E=s(e[b]),L=x==b?E:s(e[x]),z=b-i;E=a<=0&&z>=0&&z<f?s(e[z]):E;let I=x+i;L=a>=0&&I>=0&&I<f?s(e[I]):
L,L>=E&&p.push([E,L])}return p}function No(e){return e==0?Ko:e==1?ze:t=>Rn(t,e)}function wa(e){let t=e==0?hi:mi,n=e==0?(i,s,a,p,f,h)=>{
i.arcTo(s,a,p,f,h)}:(i,s,a,p,f,h)=>{i.arcTo(a,s,f,p,h)},l=e==0?(i,s,a,p,f)=>{i.rect(s,a,p,f)}:(i,s,a,p,f)=>{i.rect(a,s,f,
p)};return(i,s,a,p,f,h=0,g=0)=>{h==0&&g==0?l(i,s,a,p,f):(h=Dt(h,p/2,f/2),g=Dt(g,p/2,f/2),t(i,s+h,a),n(i,s+p,a,s+p,a+f,h),
n(i,s+p,a+f,s,a+f,g),n(i,s,a+f,s,a,g),n(i,s,a,s+p,a,h),i.closePath())}}var hi=(e,t,n)=>{e.moveTo(t,n)},mi=(e,t,n)=>{e.moveTo(
n,t)},dl=(e,t,n)=>{e.lineTo(t,n)},fl=(e,t,n)=>{e.lineTo(n,t)},gi=wa(0),Fs=wa(1),xa=(e,t,n,l,i,s)=>{e.arc(t,n,l,i,s)},va=(e,t,n,l,i,s)=>{
e.arc(n,t,l,i,s)},ya=(e,t,n,l,i,s,a)=>{e.bezierCurveTo(t,n,l,i,s,a)},ka=(e,t,n,l,i,s,a)=>{e.bezierCurveTo(n,t,i,l,a,s)};
function Sa(e){return(t,n,l,i,s)=>Vn(t,n,(a,p,f,h,g,b,x,E,L,z,$)=>{let{pxRound:I,points:S}=a,q,T;h.ori==0?(q=hi,T=xa):(q=
mi,T=va);let Z=me(S.width*ce,3),D=(S.size-S.width)/2*ce,X=me(D*2,3),K=new Path2D,ne=new Path2D,{left:B,top:_,width:J,height:V}=t.
bbox;gi(ne,B-X,_-X,J+X*2,V+X*2);let G=W=>{if(f[W]!=null){let ie=I(b(p[W],h,z,E)),F=I(x(f[W],g,$,L));q(K,ie+D,F),T(K,ie,F,
D,0,si*2)}};if(s)s.forEach(G);else for(let W=l;W<=i;W++)G(W);return{stroke:Z>0?K:null,fill:K,clip:ne,flags:ul|Ms}})}function Ma(e){
return(t,n,l,i,s,a)=>{l!=i&&(s!=l&&a!=l&&e(t,n,l),s!=i&&a!=i&&e(t,n,i),e(t,n,a))}}var Zp=Ma(dl),Qp=Ma(fl);function Ea(e){
let t=oe(e?.alignGaps,0);return(n,l,i,s)=>Vn(n,l,(a,p,f,h,g,b,x,E,L,z,$)=>{[i,s]=ci(f,i,s);let I=a.pxRound,S=V=>I(b(V,h,
z,E)),q=V=>I(x(V,g,$,L)),T,Z;h.ori==0?(T=dl,Z=Zp):(T=fl,Z=Qp);let D=h.dir*(h.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:ul},K=X.stroke,ne=!1;if(s-i>=z*4){let V=N=>n.posToVal(N,h.key,!0),G=null,W=null,ie,F,
nt,ke=S(p[D==1?i:s]),se=S(p[i]),de=S(p[s]),ee=V(D==1?se+1:de-1);for(let N=D==1?i:s;N>=i&&N<=s;N+=D){let Re=p[N],Se=(D==1?
Re<ee:Re>ee)?ke:S(Re),ue=f[N];Se==ke?ue!=null?(F=ue,G==null?(T(K,Se,q(F)),ie=G=W=F):F<G?G=F:F>W&&(W=F)):ue===null&&(ne=!0):
(G!=null&&Z(K,ke,q(G),q(W),q(ie),q(F)),ue!=null?(F=ue,T(K,Se,q(F)),G=W=ie=F):(G=W=null,ue===null&&(ne=!0)),ke=Se,ee=V(ke+
D))}G!=null&&G!=W&&nt!=ke&&Z(K,ke,q(G),q(W),q(ie),q(F))}else for(let V=D==1?i:s;V>=i&&V<=s;V+=D){let G=f[V];G===null?ne=
!0:G!=null&&T(K,S(p[V]),q(G))}let[_,J]=Ns(n,l);if(a.fill!=null||_!=0){let V=X.fill=new Path2D(K),G=a.fillTo(n,l,a.min,a.
max,_),W=q(G),ie=S(p[i]),F=S(p[s]);D==-1&&([F,ie]=[ie,F]),T(V,F,W),T(V,ie,W)}if(!a.spanGaps){let V=[];ne&&V.push(...Os(p,
f,i,s,D,S,t)),X.gaps=V=a.gaps(n,l,i,s,V),X.clip=fi(V,h.ori,E,L,z,$)}return J!=0&&(X.band=J==2?[Jt(n,l,i,s,K,-1),Jt(n,l,i,
s,K,1)]:Jt(n,l,i,s,K,J)),X})}function Xp(e){let t=oe(e.align,1),n=oe(e.ascDesc,!1),l=oe(e.alignGaps,0),i=oe(e.extend,!1);
return(s,a,p,f)=>Vn(s,a,(h,g,b,x,E,L,z,$,I,S,q)=>{[p,f]=ci(b,p,f);let T=h.pxRound,{left:Z,width:D}=s.bbox,X=se=>T(L(se,x,
S,$)),K=se=>T(z(se,E,q,I)),ne=x.ori==0?dl:fl,B={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ul},_=B.
stroke,J=x.dir*(x.ori==0?1:-1),V=K(b[J==1?p:f]),G=X(g[J==1?p:f]),W=G,ie=G;i&&t==-1&&(ie=Z,ne(_,ie,V)),ne(_,G,V);for(let se=J==
1?p:f;se>=p&&se<=f;se+=J){let de=b[se];if(de==null)continue;let ee=X(g[se]),N=K(de);t==1?ne(_,ee,V):ne(_,W,N),ne(_,ee,N),
V=N,W=ee}let F=W;i&&t==1&&(F=Z+D,ne(_,F,V));let[nt,ke]=Ns(s,a);if(h.fill!=null||nt!=0){let se=B.fill=new Path2D(_),de=h.
fillTo(s,a,h.min,h.max,nt),ee=K(de);ne(se,F,ee),ne(se,ie,ee)}if(!h.spanGaps){let se=[];se.push(...Os(g,b,p,f,J,X,l));let de=h.
width*ce/2,ee=n||t==1?de:-de,N=n||t==-1?-de:de;se.forEach(Re=>{Re[0]+=ee,Re[1]+=N}),B.gaps=se=h.gaps(s,a,p,f,se),B.clip=
fi(se,x.ori,$,I,S,q)}return ke!=0&&(B.band=ke==2?[Jt(s,a,p,f,_,-1),Jt(s,a,p,f,_,1)]:Jt(s,a,p,f,_,ke)),B})}function Oo(e,t,n,l,i,s,a=he){
if(e.length>1){let p=null;for(let f=0,h=1/0;f<e.length;f++)if(t[f]!==void 0){if(p!=null){let g=He(e[f]-e[p]);g<h&&(h=g,a=
He(n(e[f],l,i,s)-n(e[p],l,i,s)))}p=f}}return a}function ed(e){e=e||$l;let t=oe(e.size,[.6,he,1]),n=e.align||0,l=e.gap||0,
i=e.radius;i=i==null?[0,0]:typeof i=="number"?[i,0]:i;let s=le(i),a=1-t[0],p=oe(t[1],he),f=oe(t[2],1),h=oe(e.disp,$l),g=oe(
e.each,E=>{}),{fill:b,stroke:x}=h;return(E,L,z,$)=>Vn(E,L,(I,S,q,T,Z,D,X,K,ne,B,_)=>{let J=I.pxRound,V=n,G=l*ce,W=p*ce,ie=f*
ce,F,nt;T.ori==0?[F,nt]=s(E,L):[nt,F]=s(E,L);let ke=T.dir*(T.ori==0?1:-1),se=T.ori==0?gi:Fs,de=T.ori==0?g:(A,ge,De,qn,wn,Ht,xn)=>{
g(A,ge,De,wn,qn,xn,Ht)},ee=oe(E.bands,Ds).find(A=>A.series[0]==L),N=ee!=null?ee.dir:0,Re=I.fillTo(E,L,I.min,I.max,N),Je=J(
X(Re,Z,_,ne)),Se,ue,Et,rt=B,Ee=J(I.width*ce),zt=!1,Gt=null,gt=null,Xt=null,On=null;b!=null&&(Ee==0||x!=null)&&(zt=!0,Gt=
b.values(E,L,z,$),gt=new Map,new Set(Gt).forEach(A=>{A!=null&&gt.set(A,new Path2D)}),Ee>0&&(Xt=x.values(E,L,z,$),On=new Map,
new Set(Xt).forEach(A=>{A!=null&&On.set(A,new Path2D)})));let{x0:Fn,size:gl}=h;if(Fn!=null&&gl!=null){V=1,S=Fn.values(E,
L,z,$),Fn.unit==2&&(S=S.map(De=>E.posToVal(K+De*B,T.key,!0)));let A=gl.values(E,L,z,$);gl.unit==2?ue=A[0]*B:ue=D(A[0],T,
B,K)-D(0,T,B,K),rt=Oo(S,q,D,T,B,K,rt),Et=rt-ue+G}else rt=Oo(S,q,D,T,B,K,rt),Et=rt*a+G,ue=rt-Et;Et<1&&(Et=0),Ee>=ue/2&&(Ee=
0),Et<5&&(J=Ko);let Ol=Et>0,gn=rt-Et-(Ol?Ee:0);ue=J(ys(gn,ie,W)),Se=(V==0?ue/2:V==ke?0:ue)-V*ke*((V==0?G/2:0)+(Ol?Ee/2:0));
let Ze={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Wn=zt?null:new Path2D,Ut=null;if(ee!=null)Ut=E.data[ee.
series[1]];else{let{y0:A,y1:ge}=h;A!=null&&ge!=null&&(q=ge.values(E,L,z,$),Ut=A.values(E,L,z,$))}let bn=F*ue,Y=nt*ue;for(let A=ke==
1?z:$;A>=z&&A<=$;A+=ke){let ge=q[A];if(ge==null)continue;if(Ut!=null){let lt=Ut[A]??0;if(ge-lt==0)continue;Je=X(lt,Z,_,ne)}
let De=T.distr!=2||h!=null?S[A]:A,qn=D(De,T,B,K),wn=X(oe(ge,Re),Z,_,ne),Ht=J(qn-Se),xn=J(tt(wn,Je)),ot=J(Dt(wn,Je)),bt=xn-
ot;if(ge!=null){let lt=ge<0?Y:bn,Tt=ge<0?bn:Y;zt?(Ee>0&&Xt[A]!=null&&se(On.get(Xt[A]),Ht,ot+ht(Ee/2),ue,tt(0,bt-Ee),lt,Tt),
Gt[A]!=null&&se(gt.get(Gt[A]),Ht,ot+ht(Ee/2),ue,tt(0,bt-Ee),lt,Tt)):se(Wn,Ht,ot+ht(Ee/2),ue,tt(0,bt-Ee),lt,Tt),de(E,L,A,
Ht-Ee/2,ot,ue+Ee,bt)}}return Ee>0?Ze.stroke=zt?On:Wn:zt||(Ze._fill=I.width==0?I._fill:I._stroke??I._fill,Ze.width=0),Ze.
fill=zt?gt:Wn,Ze})}function td(e,t){let n=oe(t?.alignGaps,0);return(l,i,s,a)=>Vn(l,i,(p,f,h,g,b,x,E,L,z,$,I)=>{[s,a]=ci(
h,s,a);let S=p.pxRound,q=F=>S(x(F,g,$,L)),T=F=>S(E(F,b,I,z)),Z,D,X;g.ori==0?(Z=hi,X=dl,D=ya):(Z=mi,X=fl,D=ka);let K=g.dir*
(g.ori==0?1:-1),ne=q(f[K==1?s:a]),B=ne,_=[],J=[];for(let F=K==1?s:a;F>=s&&F<=a;F+=K)if(h[F]!=null){let ke=f[F],se=q(ke);
_.push(B=se),J.push(T(h[F]))}let V={stroke:e(_,J,Z,X,D,S),fill:null,clip:null,band:null,gaps:null,flags:ul},G=V.stroke,[
W,ie]=Ns(l,i);if(p.fill!=null||W!=0){let F=V.fill=new Path2D(G),nt=p.fillTo(l,i,p.min,p.max,W),ke=T(nt);X(F,B,ke),X(F,ne,
ke)}if(!p.spanGaps){let F=[];F.push(...Os(f,h,s,a,K,q,n)),V.gaps=F=p.gaps(l,i,s,a,F),V.clip=fi(F,g.ori,L,z,$,I)}return ie!=
0&&(V.band=ie==2?[Jt(l,i,s,a,G,-1),Jt(l,i,s,a,G,1)]:Jt(l,i,s,a,G,ie)),V})}function nd(e){return td(ld,e)}function ld(e,t,n,l,i,s){
let a=e.length;if(a<2)return null;let p=new Path2D;if(n(p,e[0],t[0]),a==2)l(p,e[1],t[1]);else{let f=Array(a),h=Array(a-1),
g=Array(a-1),b=Array(a-1);for(let x=0;x<a-1;x++)g[x]=t[x+1]-t[x],b[x]=e[x+1]-e[x],h[x]=g[x]/b[x];f[0]=h[0];for(let x=1;x<
a-1;x++)h[x]===0||h[x-1]===0||h[x-1]>0!=h[x]>0?f[x]=0:(f[x]=3*(b[x-1]+b[x])/((2*b[x]+b[x-1])/h[x-1]+(b[x]+2*b[x-1])/h[x]),
isFinite(f[x])||(f[x]=0));f[a-1]=h[a-2];for(let x=0;x<a-1;x++)i(p,e[x]+b[x]/3,t[x]+f[x]*b[x]/3,e[x+1]-b[x]/3,t[x+1]-f[x+
1]*b[x]/3,e[x+1],t[x+1])}return p}var Es=new Set;function Fo(){for(let e of Es)e.syncRect(!0)}pl&&(zn(Vu,rl,Fo),zn(Nu,rl,
Fo,!0),zn(ri,rl,()=>{Be.pxRatio=ce}));var id=Ea(),sd=Sa();function Wo(e,t,n,l){return(l?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((s,a)=>Ts(s,a,t,n))}function rd(e,t){return e.map((n,l)=>l==0?{}:Ae({},t,n))}function Ts(e,t,n,l){
return Ae({},t==0?n:l,e)}function Ta(e,t,n){return t==null?al:[t,n]}var od=Ta;function ad(e,t,n){return t==null?al:oi(t,
n,As,!0)}function _a(e,t,n,l){return t==null?al:ui(t,n,e.scales[l].log,!1)}var cd=_a;function La(e,t,n,l){return t==null?
al:Cs(t,n,e.scales[l].log,!1)}var ud=La;function pd(e,t,n,l,i){let s=tt(xo(e),xo(t)),a=t-e,p=Rt(i/l*a,n);do{let f=n[p],h=l*
f/a;if(h>=i&&s+(f<5?hn.get(f):0)<=17)return[f,h]}while(++p<n.length);return[0,0]}function qo(e){let t,n;return e=e.replace(
/(\d+)px/,(l,i)=>(t=ze((n=+i)*ce))+"px"),[e,t,n]}function dd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=me(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Be(e,t,n){let l={mode:oe(e.mode,1)},i=l.mode;function s(r,c,u,d){
let m=c.valToPct(r);return d+u*(c.dir==-1?1-m:m)}function a(r,c,u,d){let m=c.valToPct(r);return d+u*(c.dir==-1?m:1-m)}function p(r,c,u,d){
return c.ori==0?s(r,c,u,d):a(r,c,u,d)}l.valToPosH=s,l.valToPosV=a;let f=!1;l.status=0;let h=l.root=kt(xu);if(e.id!=null&&
(h.id=e.id),ft(h,e.class),e.title){let r=kt(ku,h);r.textContent=e.title}let g=At("canvas"),b=l.ctx=g.getContext("2d"),x=kt(
Su,h);zn("click",x,r=>{r.target===L&&(be!=Xn||Me!=el)&&Ge.click(l,r)},!0);let E=l.under=kt(Mu,x);x.appendChild(g);let L=l.
over=kt(Eu,x);e=cl(e);let z=+oe(e.pxAlign,1),$=No(z);(e.plugins||[]).forEach(r=>{r.opts&&(e=r.opts(l,e)||e)});let I=e.ms||
.001,S=l.series=i==1?Wo(e.series||[],Ao,Ho,!1):rd(e.series||[null],zo),q=l.axes=Wo(e.axes||[],Co,Do,!0),T=l.scales={},Z=l.
bands=e.bands||[];Z.forEach(r=>{r.fill=le(r.fill||null),r.dir=oe(r.dir,-1)});let D=i==2?S[1].facets[0].scale:S[0].scale,
X={axes:Pc,series:Mc},K=(e.drawOrder||["axes","series"]).map(r=>X[r]);function ne(r){let c=r.distr==3?u=>Yt(u>0?u:r.clamp(
l,u,r.min,r.max,r.key)):r.distr==4?u=>fs(u,r.asinh):r.distr==100?u=>r.fwd(u):u=>u;return u=>{let d=c(u),{_min:m,_max:w}=r,
v=w-m;return(d-m)/v}}function B(r){let c=T[r];if(c==null){let u=(e.scales||$l)[r]||$l;if(u.from!=null){B(u.from);let d=Ae(
{},T[u.from],u,{key:r});d.valToPct=ne(d),T[r]=d}else{c=T[r]=Ae({},r==D?ga:Kp,u),c.key=r;let d=c.time,m=c.range,w=fn(m);if((r!=
D||i==2&&!d)&&(w&&(m[0]==null||m[1]==null)&&(m={min:m[0]==null?go:{mode:1,hard:m[0],soft:m[0]},max:m[1]==null?go:{mode:1,
hard:m[1],soft:m[1]}},w=!1),!w&&di(m))){let v=m;m=(y,k,P)=>k==null?al:oi(k,P,v)}c.range=le(m||(d?od:r==D?c.distr==3?cd:c.
distr==4?ud:Ta:c.distr==3?_a:c.distr==4?La:ad)),c.auto=le(w?!1:c.auto),c.clamp=le(c.clamp||Bp),c._min=c._max=null,c.valToPct=
ne(c)}}}B("x"),B("y"),i==1&&S.forEach(r=>{B(r.scale)}),q.forEach(r=>{B(r.scale)});for(let r in e.scales)B(r);let _=T[D],
J=_.distr,V,G;_.ori==0?(ft(h,vu),V=s,G=a):(ft(h,yu),V=a,G=s);let W={};for(let r in T){let c=T[r];(c.min!=null||c.max!=null)&&
(W[r]={min:c.min,max:c.max},c.min=c.max=null)}let ie=e.tzDate||(r=>new Date(ze(r/I))),F=e.fmtDate||$s,nt=I==1?vp(ie):Sp(
ie),ke=_o(ie,To(I==1?xp:kp,F)),se=Po(ie,Lo(Ep,F)),de=[],ee=l.legend=Ae({},Lp,e.legend),N=l.cursor=Ae({},$p,{drag:{y:i==2}},
e.cursor),Re=ee.show,Je=N.show,Se=ee.markers;ee.idxs=de,Se.width=le(Se.width),Se.dash=le(Se.dash),Se.stroke=le(Se.stroke),
Se.fill=le(Se.fill);let ue,Et,rt,Ee=[],zt=[],Gt,gt=!1,Xt={};if(ee.live){let r=S[1]?S[1].values:null;gt=r!=null,Gt=gt?r(l,
1,0):{_:0};for(let c in Gt)Xt[c]=Ls}if(Re)if(ue=At("table",Au,h),rt=At("tbody",null,ue),ee.mount(l,ue),gt){Et=At("thead",
null,ue,rt);let r=At("tr",null,Et);At("th",null,r);for(var On in Gt)At("th",no,r).textContent=On}else ft(ue,Du),ee.live&&
ft(ue,Ru);let Fn={show:!0},gl={show:!1};function Ol(r,c){if(c==0&&(gt||!ee.live||i==2))return al;let u=[],d=At("tr",$u,rt,
rt.childNodes[c]);ft(d,r.class),r.show||ft(d,$n);let m=At("th",null,d);if(Se.show){let y=kt(zu,m);if(c>0){let k=Se.width(
l,c);k&&(y.style.border=k+"px "+Se.dash(l,c)+" "+Se.stroke(l,c)),y.style.background=Se.fill(l,c)}}let w=kt(no,m);r.label instanceof
HTMLElement?w.appendChild(r.label):w.textContent=r.label,c>0&&(Se.show||(w.style.color=r.width>0?Se.stroke(l,c):Se.fill(
l,c)),Ze("click",m,y=>{if(N._lock)return;yn(y);let k=S.indexOf(r);if((y.ctrlKey||y.metaKey)!=ee.isolate){let P=S.some((C,R)=>R>
0&&R!=k&&C.show);S.forEach((C,R)=>{R>0&&Nt(R,P?R==k?Fn:gl:Fn,!0,Pe.setSeries)})}else Nt(k,{show:!r.show},!0,Pe.setSeries)},
!1),jn&&Ze(ro,m,y=>{N._lock||(yn(y),Nt(S.indexOf(r),nl,!0,Pe.setSeries))},!1));for(var v in Gt){let y=At("td",Hu,d);y.textContent=
"--",u.push(y)}return[d,u]}let gn=new Map;function Ze(r,c,u,d=!0){let m=gn.get(c)||{},w=N.bind[r](l,c,u,d);w&&(zn(r,c,m[r]=
w),gn.set(c,m))}function Wn(r,c,u){let d=gn.get(c)||{};for(let m in d)(r==null||m==r)&&(vs(m,c,d[m]),delete d[m]);r==null&&
gn.delete(c)}let Ut=0,bn=0,Y=0,A=0,ge=0,De=0,qn=ge,wn=De,Ht=Y,xn=A,ot=0,bt=0,lt=0,Tt=0;l.bbox={};let Ti=!1,Fl=!1,In=!1,vn=!1,
Wl=!1,wt=!1;function _i(r,c,u){(u||r!=l.width||c!=l.height)&&tr(r,c),Yn(!1),In=!0,Fl=!0,Jn()}function tr(r,c){l.width=Ut=
Y=r,l.height=bn=A=c,ge=De=0,bc(),wc();let u=l.bbox;ot=u.left=Rn(ge*ce,.5),bt=u.top=Rn(De*ce,.5),lt=u.width=Rn(Y*ce,.5),Tt=
u.height=Rn(A*ce,.5)}let hc=3;function mc(){let r=!1,c=0;for(;!r;){c++;let u=_c(c),d=Lc(c);r=c==hc||u&&d,r||(tr(l.width,
l.height),Fl=!0)}}function gc({width:r,height:c}){_i(r,c)}l.setSize=gc;function bc(){let r=!1,c=!1,u=!1,d=!1;q.forEach((m,w)=>{
if(m.show&&m._show){let{side:v,_size:y}=m,k=v%2,P=m.label!=null?m.labelSize:0,C=y+P;C>0&&(k?(Y-=C,v==3?(ge+=C,d=!0):u=!0):
(A-=C,v==0?(De+=C,r=!0):c=!0))}}),kn[0]=r,kn[1]=u,kn[2]=c,kn[3]=d,Y-=en[1]+en[3],ge+=en[3],A-=en[2]+en[0],De+=en[0]}function wc(){
let r=ge+Y,c=De+A,u=ge,d=De;function m(w,v){switch(w){case 1:return r+=v,r-v;case 2:return c+=v,c-v;case 3:return u-=v,u+
v;case 0:return d-=v,d+v}}q.forEach((w,v)=>{if(w.show&&w._show){let y=w.side;w._pos=m(y,w._size),w.label!=null&&(w._lpos=
m(y,w.labelSize))}})}if(N.dataIdx==null){let r=N.hover,c=r.skip=new Set(r.skip??[]);c.add(void 0);let u=r.prox=le(r.prox),
d=r.bias??=0;N.dataIdx=(m,w,v,y)=>{if(w==0)return v;let k=v,P=u(m,w,v,y)??he,C=P>=0&&P<he,R=_.ori==0?Y:A,U=N.left,ae=t[0],
re=t[w];if(c.has(re[v])){k=null;let te=null,j=null,O;if(d==0||d==-1)for(O=v;te==null&&O-- >0;)c.has(re[O])||(te=O);if(d==
0||d==1)for(O=v;j==null&&O++<re.length;)c.has(re[O])||(j=O);if(te!=null||j!=null)if(C){let xe=te==null?-1/0:V(ae[te],_,R,
0),Te=j==null?1/0:V(ae[j],_,R,0),qe=U-xe,fe=Te-U;qe<=fe?qe<=P&&(k=te):fe<=P&&(k=j)}else k=j==null?te:te==null?j:v-te<=j-
v?te:j}else C&&He(U-V(ae[v],_,R,0))>P&&(k=null);return k}}let yn=r=>{N.event=r};N.idxs=de,N._lock=!1;let Ke=N.points;Ke.
show=le(Ke.show),Ke.size=le(Ke.size),Ke.stroke=le(Ke.stroke),Ke.width=le(Ke.width),Ke.fill=le(Ke.fill);let Vt=l.focus=Ae(
{},e.focus||{alpha:.3},N.focus),jn=Vt.prox>=0,Gn=jn&&Ke.one,xt=[],Un=[],Bn=[];function nr(r,c){let u=Ke.show(l,c);if(u instanceof
HTMLElement)return ft(u,Cu),ft(u,r.class),jt(u,-10,-10,Y,A),L.insertBefore(u,xt[c]),u}function lr(r,c){if(i==1||c>0){let u=i==
1&&T[r.scale].time,d=r.value;r.value=u?ko(d)?Po(ie,Lo(d,F)):d||se:d||jp,r.label=r.label||(u?Hp:zp)}if(Gn||c>0){r.width=r.
width==null?1:r.width,r.paths=r.paths||id||Ku,r.fillTo=le(r.fillTo||Yp),r.pxAlign=+oe(r.pxAlign,z),r.pxRound=No(r.pxAlign),
r.stroke=le(r.stroke||null),r.fill=le(r.fill||null),r._stroke=r._fill=r._paths=r._focus=null;let u=Gp(tt(1,r.width),1),d=r.
points=Ae({},{size:u,width:tt(1,u*.2),stroke:r.stroke,space:u*2,paths:sd,_stroke:null,_fill:null},r.points);d.show=le(d.
show),d.filter=le(d.filter),d.fill=le(d.fill),d.stroke=le(d.stroke),d.paths=le(d.paths),d.pxAlign=r.pxAlign}if(Re){let u=Ol(
r,c);Ee.splice(c,0,u[0]),zt.splice(c,0,u[1]),ee.values.push(null)}if(Je){de.splice(c,0,null);let u=null;Gn?c==0&&(u=nr(r,
c)):c>0&&(u=nr(r,c)),xt.splice(c,0,u),Un.splice(c,0,0),Bn.splice(c,0,0)}We("addSeries",c)}function xc(r,c){c=c??S.length,
r=i==1?Ts(r,c,Ao,Ho):Ts(r,c,{},zo),S.splice(c,0,r),lr(S[c],c)}l.addSeries=xc;function vc(r){if(S.splice(r,1),Re){ee.values.
splice(r,1),zt.splice(r,1);let c=Ee.splice(r,1)[0];Wn(null,c.firstChild),c.remove()}Je&&(de.splice(r,1),xt.splice(r,1)[0].
remove(),Un.splice(r,1),Bn.splice(r,1)),We("delSeries",r)}l.delSeries=vc;let kn=[!1,!1,!1,!1];function yc(r,c){if(r._show=
r.show,r.show){let u=r.side%2,d=T[r.scale];d==null&&(r.scale=u?S[1].scale:D,d=T[r.scale]);let m=d.time;r.size=le(r.size),
r.space=le(r.space),r.rotate=le(r.rotate),fn(r.incrs)&&r.incrs.forEach(v=>{!hn.has(v)&&hn.set(v,Zo(v))}),r.incrs=le(r.incrs||
(d.distr==2?gp:m?I==1?wp:yp:Dn)),r.splits=le(r.splits||(m&&d.distr==1?nt:d.distr==3?ks:d.distr==4?Op:Np)),r.stroke=le(r.
stroke),r.grid.stroke=le(r.grid.stroke),r.ticks.stroke=le(r.ticks.stroke),r.border.stroke=le(r.border.stroke);let w=r.values;
r.values=fn(w)&&!fn(w[0])?le(w):m?fn(w)?_o(ie,To(w,F)):ko(w)?Mp(ie,w):w||ke:w||Vp,r.filter=le(r.filter||(d.distr>=3&&d.log==
10?qp:d.distr==3&&d.log==2?Ip:Yo)),r.font=qo(r.font),r.labelFont=qo(r.labelFont),r._size=r.size(l,null,c,0),r._space=r._rotate=
r._incrs=r._found=r._splits=r._values=null,r._size>0&&(kn[c]=!0,r._el=kt(Tu,x))}}function bl(r,c,u,d){let[m,w,v,y]=u,k=c%
2,P=0;return k==0&&(y||w)&&(P=c==0&&!m||c==2&&!v?ze(Co.size/3):0),k==1&&(m||v)&&(P=c==1&&!w||c==3&&!y?ze(Do.size/2):0),P}
let ir=l.padding=(e.padding||[bl,bl,bl,bl]).map(r=>le(oe(r,bl))),en=l._padding=ir.map((r,c)=>r(l,c,kn,0)),je,Ve=null,Ne=null,
ql=i==1?S[0].idxs:null,_t=null,wl=!1;function sr(r,c){if(t=r??[],l.data=l._data=t,i==2){je=0;for(let u=1;u<S.length;u++)
je+=t[u][0].length}else{t.length==0&&(l.data=l._data=t=[[]]),_t=t[0],je=_t.length;let u=t;if(J==2){u=t.slice();let d=u[0]=
Array(je);for(let m=0;m<je;m++)d[m]=m}l._data=t=u}if(Yn(!0),We("setData"),J==2&&(In=!0),c!==!1){let u=_;u.auto(l,wl)?Li():
nn(D,u.min,u.max),vn=vn||N.left>=0,wt=!0,Jn()}}l.setData=sr;function Li(){wl=!0;let r,c;i==1&&(je>0?(Ve=ql[0]=0,Ne=ql[1]=
je-1,r=t[0][Ve],c=t[0][Ne],J==2?(r=Ve,c=Ne):r==c&&(J==3?[r,c]=ui(r,r,_.log,!1):J==4?[r,c]=Cs(r,r,_.log,!1):_.time?c=r+ze(
86400/I):[r,c]=oi(r,c,As,!0))):(Ve=ql[0]=r=null,Ne=ql[1]=c=null)),nn(D,r,c)}let Il,Kn,Pi,Ci,Ai,Ri,Di,$i,zi,it;function rr(r,c,u,d,m,w){
r??=io,u??=Ds,d??="butt",m??=io,w??="round",r!=Il&&(b.strokeStyle=Il=r),m!=Kn&&(b.fillStyle=Kn=m),c!=Pi&&(b.lineWidth=Pi=
c),w!=Ai&&(b.lineJoin=Ai=w),d!=Ri&&(b.lineCap=Ri=d),u!=Ci&&b.setLineDash(Ci=u)}function or(r,c,u,d){c!=Kn&&(b.fillStyle=
Kn=c),r!=Di&&(b.font=Di=r),u!=$i&&(b.textAlign=$i=u),d!=zi&&(b.textBaseline=zi=d)}function Hi(r,c,u,d,m=0){if(d.length>0&&
r.auto(l,wl)&&(c==null||c.min==null)){let w=oe(Ve,0),v=oe(Ne,d.length-1),y=u.min==null?qu(d,w,v,m,r.distr==3):[u.min,u.max];
r.min=Dt(r.min,u.min=y[0]),r.max=tt(r.max,u.max=y[1])}}let ar={min:null,max:null};function kc(){for(let d in T){let m=T[d];
W[d]==null&&(m.min==null||W[D]!=null&&m.auto(l,wl))&&(W[d]=ar)}for(let d in T){let m=T[d];W[d]==null&&m.from!=null&&W[m.
from]!=null&&(W[d]=ar)}W[D]!=null&&Yn(!0);let r={};for(let d in W){let m=W[d];if(m!=null){let w=r[d]=cl(T[d],Zu);if(m.min!=
null)Ae(w,m);else if(d!=D||i==2)if(je==0&&w.from==null){let v=w.range(l,null,null,d);w.min=v[0],w.max=v[1]}else w.min=he,
w.max=-he}}if(je>0){S.forEach((d,m)=>{if(i==1){let w=d.scale,v=W[w];if(v==null)return;let y=r[w];if(m==0){let k=y.range(
l,y.min,y.max,w);y.min=k[0],y.max=k[1],Ve=Rt(y.min,t[0]),Ne=Rt(y.max,t[0]),Ne-Ve>1&&(t[0][Ve]<y.min&&Ve++,t[0][Ne]>y.max&&
Ne--),d.min=_t[Ve],d.max=_t[Ne]}else d.show&&d.auto&&Hi(y,v,d,t[m],d.sorted);d.idxs[0]=Ve,d.idxs[1]=Ne}else if(m>0&&d.show&&
d.auto){let[w,v]=d.facets,y=w.scale,k=v.scale,[P,C]=t[m],R=r[y],U=r[k];R!=null&&Hi(R,W[y],w,P,w.sorted),U!=null&&Hi(U,W[k],
v,C,v.sorted),d.min=v.min,d.max=v.max}});for(let d in r){let m=r[d],w=W[d];if(m.from==null&&(w==null||w.min==null)){let v=m.
range(l,m.min==he?null:m.min,m.max==-he?null:m.max,d);m.min=v[0],m.max=v[1]}}}for(let d in r){let m=r[d];if(m.from!=null){
let w=r[m.from];if(w.min==null)m.min=m.max=null;else{let v=m.range(l,w.min,w.max,d);m.min=v[0],m.max=v[1]}}}let c={},u=!1;
for(let d in r){let m=r[d],w=T[d];if(w.min!=m.min||w.max!=m.max){w.min=m.min,w.max=m.max;let v=w.distr;w._min=v==3?Yt(w.
min):v==4?fs(w.min,w.asinh):v==100?w.fwd(w.min):w.min,w._max=v==3?Yt(w.max):v==4?fs(w.max,w.asinh):v==100?w.fwd(w.max):w.
max,c[d]=u=!0}}if(u){S.forEach((d,m)=>{i==2?m>0&&c.y&&(d._paths=null):c[d.scale]&&(d._paths=null)});for(let d in c)In=!0,
We("setScale",d);Je&&N.left>=0&&(vn=wt=!0)}for(let d in W)W[d]=null}function Sc(r){let c=ys(Ve-1,0,je-1),u=ys(Ne+1,0,je-
1);for(;r[c]==null&&c>0;)c--;for(;r[u]==null&&u<je-1;)u++;return[c,u]}function Mc(){if(je>0){let r=S.some(c=>c._focus)&&
it!=Vt.alpha;r&&(b.globalAlpha=it=Vt.alpha),S.forEach((c,u)=>{if(u>0&&c.show&&(cr(u,!1),cr(u,!0),c._paths==null)){let d=it;
it!=c.alpha&&(b.globalAlpha=it=c.alpha);let m=i==2?[0,t[u][0].length-1]:Sc(t[u]);c._paths=c.paths(l,u,m[0],m[1]),it!=d&&
(b.globalAlpha=it=d)}}),S.forEach((c,u)=>{if(u>0&&c.show){let d=it;it!=c.alpha&&(b.globalAlpha=it=c.alpha),c._paths!=null&&
ur(u,!1);{let m=c._paths!=null?c._paths.gaps:null,w=c.points.show(l,u,Ve,Ne,m),v=c.points.filter(l,u,w,m);(w||v)&&(c.points.
_paths=c.points.paths(l,u,Ve,Ne,v),ur(u,!0))}it!=d&&(b.globalAlpha=it=d),We("drawSeries",u)}}),r&&(b.globalAlpha=it=1)}}
function cr(r,c){let u=c?S[r].points:S[r];u._stroke=u.stroke(l,r),u._fill=u.fill(l,r)}function ur(r,c){let u=c?S[r].points:
S[r],{stroke:d,fill:m,clip:w,flags:v,_stroke:y=u._stroke,_fill:k=u._fill,_width:P=u.width}=u._paths;P=me(P*ce,3);let C=null,
R=P%2/2;c&&k==null&&(k=P>0?"#fff":y);let U=u.pxAlign==1&&R>0;if(U&&b.translate(R,R),!c){let ae=ot-P/2,re=bt-P/2,te=lt+P,
j=Tt+P;C=new Path2D,C.rect(ae,re,te,j)}c?Vi(y,P,u.dash,u.cap,k,d,m,v,w):Ec(r,y,P,u.dash,u.cap,k,d,m,v,C,w),U&&b.translate(
-R,-R)}function Ec(r,c,u,d,m,w,v,y,k,P,C){let R=!1;k!=0&&Z.forEach((U,ae)=>{if(U.series[0]==r){let re=S[U.series[1]],te=t[U.
series[1]],j=(re._paths||$l).band;fn(j)&&(j=U.dir==1?j[0]:j[1]);let O,xe=null;re.show&&j&&ju(te,Ve,Ne)?(xe=U.fill(l,ae)||
w,O=re._paths.clip):j=null,Vi(c,u,d,m,xe,v,y,k,P,C,O,j),R=!0}}),R||Vi(c,u,d,m,w,v,y,k,P,C)}let pr=ul|Ms;function Vi(r,c,u,d,m,w,v,y,k,P,C,R){
rr(r,c,u,d,m),(k||P||R)&&(b.save(),k&&b.clip(k),P&&b.clip(P)),R?(y&pr)==pr?(b.clip(R),C&&b.clip(C),Gl(m,v),jl(r,w,c)):y&
Ms?(Gl(m,v),b.clip(R),jl(r,w,c)):y&ul&&(b.save(),b.clip(R),C&&b.clip(C),Gl(m,v),b.restore(),jl(r,w,c)):(Gl(m,v),jl(r,w,c)),
(k||P||R)&&b.restore()}function jl(r,c,u){u>0&&(c instanceof Map?c.forEach((d,m)=>{b.strokeStyle=Il=m,b.stroke(d)}):c!=null&&
r&&b.stroke(c))}function Gl(r,c){c instanceof Map?c.forEach((u,d)=>{b.fillStyle=Kn=d,b.fill(u)}):c!=null&&r&&b.fill(c)}function Tc(r,c,u,d){
let m=q[r],w;if(d<=0)w=[0,0];else{let v=m._space=m.space(l,r,c,u,d),y=m._incrs=m.incrs(l,r,c,u,d,v);w=pd(c,u,y,d,v)}return m.
_found=w}function Ni(r,c,u,d,m,w,v,y,k,P){let C=v%2/2;z==1&&b.translate(C,C),rr(y,v,k,P,y),b.beginPath();let R,U,ae,re,te=m+
(d==0||d==3?-w:w);u==0?(U=m,re=te):(R=m,ae=te);for(let j=0;j<r.length;j++)c[j]!=null&&(u==0?R=ae=r[j]:U=re=r[j],b.moveTo(
R,U),b.lineTo(ae,re));b.stroke(),z==1&&b.translate(-C,-C)}function _c(r){let c=!0;return q.forEach((u,d)=>{if(!u.show)return;
let m=T[u.scale];if(m.min==null){u._show&&(c=!1,u._show=!1,Yn(!1));return}else u._show||(c=!1,u._show=!0,Yn(!1));let w=u.
side,v=w%2,{min:y,max:k}=m,[P,C]=Tc(d,y,k,v==0?Y:A);if(C==0)return;let R=m.distr==2,U=u._splits=u.splits(l,d,y,k,P,C,R),
ae=m.distr==2?U.map(O=>_t[O]):U,re=m.distr==2?_t[U[1]]-_t[U[0]]:P,te=u._values=u.values(l,u.filter(l,ae,d,C,re),d,C,re);
u._rotate=w==2?u.rotate(l,te,d,C):0;let j=u._size;u._size=St(u.size(l,te,d,r)),j!=null&&u._size!=j&&(c=!1)}),c}function Lc(r){
let c=!0;return ir.forEach((u,d)=>{let m=u(l,d,kn,r);m!=en[d]&&(c=!1),en[d]=m}),c}function Pc(){for(let r=0;r<q.length;r++){
let c=q[r];if(!c.show||!c._show)continue;let u=c.side,d=u%2,m,w,v=c.stroke(l,r),y=u==0||u==3?-1:1,[k,P]=c._found;if(c.label!=
null){let Xe=c.labelGap*y,ut=ze((c._lpos+Xe)*ce);or(c.labelFont[0],v,"center",u==2?"top":lo),b.save(),d==1?(m=w=0,b.translate(
ut,ze(bt+Tt/2)),b.rotate((u==3?-si:si)/2)):(m=ze(ot+lt/2),w=ut);let En=Bo(c.label)?c.label(l,r,k,P):c.label;b.fillText(En,
m,w),b.restore()}if(P==0)continue;let C=T[c.scale],R=d==0?lt:Tt,U=d==0?ot:bt,ae=c._splits,re=C.distr==2?ae.map(Xe=>_t[Xe]):
ae,te=C.distr==2?_t[ae[1]]-_t[ae[0]]:k,j=c.ticks,O=c.border,xe=j.show?j.size:0,Te=ze(xe*ce),qe=ze((c.alignTo==2?c._size-
xe-c.gap:c.gap)*ce),fe=c._rotate*-si/180,_e=$(c._pos*ce),at=(Te+qe)*y,Qe=_e+at;w=d==0?Qe:0,m=d==1?Qe:0;let vt=c.font[0],
Lt=c.align==1?il:c.align==2?us:fe>0?il:fe<0?us:d==0?"center":u==3?us:il,Ft=fe||d==1?"middle":u==2?"top":lo;or(vt,v,Lt,Ft);
let ct=c.font[1]*c.lineGap,yt=ae.map(Xe=>$(p(Xe,C,R,U))),Pt=c._values;for(let Xe=0;Xe<Pt.length;Xe++){let ut=Pt[Xe];if(ut!=
null){d==0?m=yt[Xe]:w=yt[Xe],ut=""+ut;let En=ut.indexOf(`
`)==-1?[ut]:ut.split(/\n/gm);for(let et=0;et<En.length;et++){let Cr=En[et];fe?(b.save(),b.translate(m,w+et*ct),b.rotate(
fe),b.fillText(Cr,0,0),b.restore()):b.fillText(Cr,m,w+et*ct)}}}j.show&&Ni(yt,j.filter(l,re,r,P,te),d,u,_e,Te,me(j.width*
ce,3),j.stroke(l,r),j.dash,j.cap);let Wt=c.grid;Wt.show&&Ni(yt,Wt.filter(l,re,r,P,te),d,d==0?2:1,d==0?bt:ot,d==0?Tt:lt,me(
Wt.width*ce,3),Wt.stroke(l,r),Wt.dash,Wt.cap),O.show&&Ni([_e],[1],d==0?1:0,d==0?1:2,d==1?bt:ot,d==1?Tt:lt,me(O.width*ce,
3),O.stroke(l,r),O.dash,O.cap)}We("drawAxes")}function Yn(r){S.forEach((c,u)=>{u>0&&(c._paths=null,r&&(i==1?(c.min=null,
c.max=null):c.facets.forEach(d=>{d.min=null,d.max=null})))})}let Ul=!1,Oi=!1,xl=[];function Cc(){Oi=!1;for(let r=0;r<xl.
length;r++)We(...xl[r]);xl.length=0}function Jn(){Ul||(ip(dr),Ul=!0)}function Ac(r,c=!1){Ul=!0,Oi=c,r(l),dr(),c&&xl.length>
0&&queueMicrotask(Cc)}l.batch=Ac;function dr(){if(Ti&&(kc(),Ti=!1),In&&(mc(),In=!1),Fl){if(ye(E,il,ge),ye(E,"top",De),ye(
E,Cl,Y),ye(E,Al,A),ye(L,il,ge),ye(L,"top",De),ye(L,Cl,Y),ye(L,Al,A),ye(x,Cl,Ut),ye(x,Al,bn),g.width=ze(Ut*ce),g.height=ze(
bn*ce),q.forEach(({_el:r,_show:c,_size:u,_pos:d,side:m})=>{if(r!=null)if(c){let w=m===3||m===0?u:0,v=m%2==1;ye(r,v?"left":
"top",d-w),ye(r,v?"width":"height",u),ye(r,v?"top":"left",v?De:ge),ye(r,v?"height":"width",v?A:Y),xs(r,$n)}else ft(r,$n)}),
Il=Kn=Pi=Ai=Ri=Di=$i=zi=Ci=null,it=1,kl(!0),ge!=qn||De!=wn||Y!=Ht||A!=xn){Yn(!1);let r=Y/Ht,c=A/xn;if(Je&&!vn&&N.left>=0){
N.left*=r,N.top*=c,Zn&&jt(Zn,ze(N.left),0,Y,A),Qn&&jt(Qn,0,ze(N.top),Y,A);for(let u=0;u<xt.length;u++){let d=xt[u];d!=null&&
(Un[u]*=r,Bn[u]*=c,jt(d,St(Un[u]),St(Bn[u]),Y,A))}}if(we.show&&!Wl&&we.left>=0&&we.width>0){we.left*=r,we.width*=r,we.top*=
c,we.height*=c;for(let u in Gi)ye(tl,u,we[u])}qn=ge,wn=De,Ht=Y,xn=A}We("setSize"),Fl=!1}Ut>0&&bn>0&&(b.clearRect(0,0,g.width,
g.height),We("drawClear"),K.forEach(r=>r()),We("draw")),we.show&&Wl&&(Bl(we),Wl=!1),Je&&vn&&(Mn(null,!0,!1),vn=!1),ee.show&&
ee.live&&wt&&(Ii(),wt=!1),f||(f=!0,l.status=1,We("ready")),wl=!1,Ul=!1}l.redraw=(r,c)=>{In=c||!1,r!==!1?nn(D,_.min,_.max):
Jn()};function Fi(r,c){let u=T[r];if(u.from==null){if(je==0){let d=u.range(l,c.min,c.max,r);c.min=d[0],c.max=d[1]}if(c.min>
c.max){let d=c.min;c.min=c.max,c.max=d}if(je>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;r==D&&u.distr==2&&je>
0&&(c.min=Rt(c.min,t[0]),c.max=Rt(c.max,t[0]),c.min==c.max&&c.max++),W[r]=c,Ti=!0,Jn()}}l.setScale=Fi;let Wi,qi,Zn,Qn,fr,
hr,Xn,el,mr,gr,be,Me,tn=!1,Ge=N.drag,Oe=Ge.x,Fe=Ge.y;Je&&(N.x&&(Wi=kt(Lu,L)),N.y&&(qi=kt(Pu,L)),_.ori==0?(Zn=Wi,Qn=qi):(Zn=
qi,Qn=Wi),be=N.left,Me=N.top);let we=l.select=Ae({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),tl=we.show?kt(
_u,we.over?L:E):null;function Bl(r,c){if(we.show){for(let u in r)we[u]=r[u],u in Gi&&ye(tl,u,r[u]);c!==!1&&We("setSelect")}}
l.setSelect=Bl;function Rc(r){if(S[r].show)Re&&xs(Ee[r],$n);else if(Re&&ft(Ee[r],$n),Je){let u=Gn?xt[0]:xt[r];u!=null&&jt(
u,-10,-10,Y,A)}}function nn(r,c,u){Fi(r,{min:c,max:u})}function Nt(r,c,u,d){c.focus!=null&&Vc(r),c.show!=null&&S.forEach(
(m,w)=>{w>0&&(r==w||r==null)&&(m.show=c.show,Rc(w),i==2?(nn(m.facets[0].scale,null,null),nn(m.facets[1].scale,null,null)):
nn(m.scale,null,null),Jn())}),u!==!1&&We("setSeries",r,c),d&&Sl("setSeries",l,r,c)}l.setSeries=Nt;function Dc(r,c){Ae(Z[r],
c)}function $c(r,c){r.fill=le(r.fill||null),r.dir=oe(r.dir,-1),c=c??Z.length,Z.splice(c,0,r)}function zc(r){r==null?Z.length=
0:Z.splice(r,1)}l.addBand=$c,l.setBand=Dc,l.delBand=zc;function Hc(r,c){S[r].alpha=c,Je&&xt[r]!=null&&(xt[r].style.opacity=
c),Re&&Ee[r]&&(Ee[r].style.opacity=c)}let Bt,ln,Sn,nl={focus:!0};function Vc(r){if(r!=Sn){let c=r==null,u=Vt.alpha!=1;S.
forEach((d,m)=>{if(i==1||m>0){let w=c||m==0||m==r;d._focus=c?null:w,u&&Hc(m,w?1:Vt.alpha)}}),Sn=r,u&&Jn()}}Re&&jn&&Ze(oo,
ue,r=>{N._lock||(yn(r),Sn!=null&&Nt(null,nl,!0,Pe.setSeries))});function Ot(r,c,u){let d=T[c];u&&(r=r/ce-(d.ori==1?De:ge));
let m=Y;d.ori==1&&(m=A,r=m-r),d.dir==-1&&(r=m-r);let w=d._min,v=d._max,y=r/m,k=w+(v-w)*y,P=d.distr;return P==3?ol(10,k):
P==4?Uu(k,d.asinh):P==100?d.bwd(k):k}function Nc(r,c){let u=Ot(r,D,c);return Rt(u,t[0],Ve,Ne)}l.valToIdx=r=>Rt(r,t[0]),l.
posToIdx=Nc,l.posToVal=Ot,l.valToPos=(r,c,u)=>T[c].ori==0?s(r,T[c],u?lt:Y,u?ot:0):a(r,T[c],u?Tt:A,u?bt:0),l.setCursor=(r,c,u)=>{
be=r.left,Me=r.top,Mn(null,c,u)};function br(r,c){ye(tl,il,we.left=r),ye(tl,Cl,we.width=c)}function wr(r,c){ye(tl,"top",
we.top=r),ye(tl,Al,we.height=c)}let vl=_.ori==0?br:wr,yl=_.ori==1?br:wr;function Oc(){if(Re&&ee.live)for(let r=i==2?1:0;r<
S.length;r++){if(r==0&&gt)continue;let c=ee.values[r],u=0;for(let d in c)zt[r][u++].firstChild.nodeValue=c[d]}}function Ii(r,c){
if(r!=null&&(r.idxs?r.idxs.forEach((u,d)=>{de[d]=u}):Ju(r.idx)||de.fill(r.idx),ee.idx=de[0]),Re&&ee.live){for(let u=0;u<
S.length;u++)(u>0||i==1&&!gt)&&Fc(u,de[u]);Oc()}wt=!1,c!==!1&&We("setLegend")}l.setLegend=Ii;function Fc(r,c){let u=S[r],
d=r==0&&J==2?_t:t[r],m;gt?m=u.values(l,r,c)??Xt:(m=u.value(l,c==null?null:d[c],r,c),m=m==null?Xt:{_:m}),ee.values[r]=m}function Mn(r,c,u){
mr=be,gr=Me,[be,Me]=N.move(l,be,Me),N.left=be,N.top=Me,Je&&(Zn&&jt(Zn,ze(be),0,Y,A),Qn&&jt(Qn,0,ze(Me),Y,A));let d,m=Ve>
Ne;Bt=he,ln=null;let w=_.ori==0?Y:A,v=_.ori==1?Y:A;if(be<0||je==0||m){d=N.idx=null;for(let y=0;y<S.length;y++){let k=xt[y];
k!=null&&jt(k,-10,-10,Y,A)}jn&&Nt(null,nl,!0,r==null&&Pe.setSeries),ee.live&&(de.fill(d),wt=!0)}else{let y,k,P;i==1&&(y=
_.ori==0?be:Me,k=Ot(y,D),d=N.idx=Rt(k,t[0],Ve,Ne),P=V(t[0][d],_,w,0));let C=-10,R=-10,U=0,ae=0,re=!0,te="",j="";for(let O=i==
2?1:0;O<S.length;O++){let xe=S[O],Te=de[O],qe=Te==null?null:i==1?t[O][Te]:t[O][1][Te],fe=N.dataIdx(l,O,d,k),_e=fe==null?
null:i==1?t[O][fe]:t[O][1][fe];if(wt=wt||_e!=qe||fe!=Te,de[O]=fe,O>0&&xe.show){let at=fe==null?-10:fe==d?P:V(i==1?t[0][fe]:
t[O][0][fe],_,w,0),Qe=_e==null?-10:G(_e,i==1?T[xe.scale]:T[xe.facets[1].scale],v,0);if(jn&&_e!=null){let vt=_.ori==1?be:
Me,Lt=He(Vt.dist(l,O,fe,Qe,vt));if(Lt<Bt){let Ft=Vt.bias;if(Ft!=0){let ct=Ot(vt,xe.scale),yt=_e>=0?1:-1,Pt=ct>=0?1:-1;Pt==
yt&&(Pt==1?Ft==1?_e>=ct:_e<=ct:Ft==1?_e<=ct:_e>=ct)&&(Bt=Lt,ln=O)}else Bt=Lt,ln=O}}if(wt||Gn){let vt,Lt;_.ori==0?(vt=at,
Lt=Qe):(vt=Qe,Lt=at);let Ft,ct,yt,Pt,Wt,Xe,ut=!0,En=Ke.bbox;if(En!=null){ut=!1;let et=En(l,O);yt=et.left,Pt=et.top,Ft=et.
width,ct=et.height}else yt=vt,Pt=Lt,Ft=ct=Ke.size(l,O);if(Xe=Ke.fill(l,O),Wt=Ke.stroke(l,O),Gn)O==ln&&Bt<=Vt.prox&&(C=yt,
R=Pt,U=Ft,ae=ct,re=ut,te=Xe,j=Wt);else{let et=xt[O];et!=null&&(Un[O]=yt,Bn[O]=Pt,mo(et,Ft,ct,ut),fo(et,Xe,Wt),jt(et,St(yt),
St(Pt),Y,A))}}}}if(Gn){let O=Vt.prox,xe=Sn==null?Bt<=O:Bt>O||ln!=Sn;if(wt||xe){let Te=xt[0];Te!=null&&(Un[0]=C,Bn[0]=R,mo(
Te,U,ae,re),fo(Te,te,j),jt(Te,St(C),St(R),Y,A))}}}if(we.show&&tn)if(r!=null){let[y,k]=Pe.scales,[P,C]=Pe.match,[R,U]=r.cursor.
sync.scales,ae=r.cursor.drag;if(Oe=ae._x,Fe=ae._y,Oe||Fe){let{left:re,top:te,width:j,height:O}=r.select,xe=r.scales[R].ori,
Te=r.posToVal,qe,fe,_e,at,Qe,vt=y!=null&&P(y,R),Lt=k!=null&&C(k,U);vt&&Oe?(xe==0?(qe=re,fe=j):(qe=te,fe=O),_e=T[y],at=V(
Te(qe,R),_e,w,0),Qe=V(Te(qe+fe,R),_e,w,0),vl(Dt(at,Qe),He(Qe-at))):vl(0,w),Lt&&Fe?(xe==1?(qe=re,fe=j):(qe=te,fe=O),_e=T[k],
at=G(Te(qe,U),_e,v,0),Qe=G(Te(qe+fe,U),_e,v,0),yl(Dt(at,Qe),He(Qe-at))):yl(0,v)}else Ui()}else{let y=He(mr-fr),k=He(gr-hr);
if(_.ori==1){let U=y;y=k,k=U}Oe=Ge.x&&y>=Ge.dist,Fe=Ge.y&&k>=Ge.dist;let P=Ge.uni;P!=null?Oe&&Fe&&(Oe=y>=P,Fe=k>=P,!Oe&&
!Fe&&(k>y?Fe=!0:Oe=!0)):Ge.x&&Ge.y&&(Oe||Fe)&&(Oe=Fe=!0);let C,R;Oe&&(_.ori==0?(C=Xn,R=be):(C=el,R=Me),vl(Dt(C,R),He(R-C)),
Fe||yl(0,v)),Fe&&(_.ori==1?(C=Xn,R=be):(C=el,R=Me),yl(Dt(C,R),He(R-C)),Oe||vl(0,w)),!Oe&&!Fe&&(vl(0,0),yl(0,0))}if(Ge._x=
Oe,Ge._y=Fe,r==null){if(u){if(Pr!=null){let[y,k]=Pe.scales;Pe.values[0]=y!=null?Ot(_.ori==0?be:Me,y):null,Pe.values[1]=k!=
null?Ot(_.ori==1?be:Me,k):null}Sl(ps,l,be,Me,Y,A,d)}if(jn){let y=u&&Pe.setSeries,k=Vt.prox;Sn==null?Bt<=k&&Nt(ln,nl,!0,y):
Bt>k?Nt(null,nl,!0,y):ln!=Sn&&Nt(ln,nl,!0,y)}}wt&&(ee.idx=d,Ii()),c!==!1&&We("setCursor")}let sn=null;Object.defineProperty(
l,"rect",{get(){return sn==null&&kl(!1),sn}});function kl(r=!1){r?sn=null:(sn=L.getBoundingClientRect(),We("syncRect",sn))}
function xr(r,c,u,d,m,w,v){N._lock||tn&&r!=null&&r.movementX==0&&r.movementY==0||(ji(r,c,u,d,m,w,v,!1,r!=null),r!=null?Mn(
null,!0,!0):Mn(c,!0,!1))}function ji(r,c,u,d,m,w,v,y,k){if(sn==null&&kl(!1),yn(r),r!=null)u=r.clientX-sn.left,d=r.clientY-
sn.top;else{if(u<0||d<0){be=-10,Me=-10;return}let[P,C]=Pe.scales,R=c.cursor.sync,[U,ae]=R.values,[re,te]=R.scales,[j,O]=Pe.
match,xe=c.axes[0].side%2==1,Te=_.ori==0?Y:A,qe=_.ori==1?Y:A,fe=xe?w:m,_e=xe?m:w,at=xe?d:u,Qe=xe?u:d;if(re!=null?u=j(P,re)?
p(U,T[P],Te,0):-10:u=Te*(at/fe),te!=null?d=O(C,te)?p(ae,T[C],qe,0):-10:d=qe*(Qe/_e),_.ori==1){let vt=u;u=d,d=vt}}k&&(c==
null||c.cursor.event.type==ps)&&((u<=1||u>=Y-1)&&(u=Rn(u,Y)),(d<=1||d>=A-1)&&(d=Rn(d,A))),y?(fr=u,hr=d,[Xn,el]=N.move(l,
u,d)):(be=u,Me=d)}let Gi={width:0,height:0,left:0,top:0};function Ui(){Bl(Gi,!1)}let vr,yr,kr,Sr;function Mr(r,c,u,d,m,w,v){
tn=!0,Oe=Fe=Ge._x=Ge._y=!1,ji(r,c,u,d,m,w,v,!0,!1),r!=null&&(Ze(ds,bs,Er,!1),Sl(so,l,Xn,el,Y,A,null));let{left:y,top:k,width:P,
height:C}=we;vr=y,yr=k,kr=P,Sr=C}function Er(r,c,u,d,m,w,v){tn=Ge._x=Ge._y=!1,ji(r,c,u,d,m,w,v,!1,!0);let{left:y,top:k,width:P,
height:C}=we,R=P>0||C>0,U=vr!=y||yr!=k||kr!=P||Sr!=C;if(R&&U&&Bl(we),Ge.setScale&&R&&U){let ae=y,re=P,te=k,j=C;if(_.ori==
1&&(ae=k,re=C,te=y,j=P),Oe&&nn(D,Ot(ae,D),Ot(ae+re,D)),Fe)for(let O in T){let xe=T[O];O!=D&&xe.from==null&&xe.min!=he&&nn(
O,Ot(te+j,O),Ot(te,O))}Ui()}else N.lock&&(N._lock=!N._lock,Mn(c,!0,r!=null));r!=null&&(Wn(ds,bs),Sl(ds,l,be,Me,Y,A,null))}
function Wc(r,c,u,d,m,w,v){if(N._lock)return;yn(r);let y=tn;if(tn){let k=!0,P=!0,C=10,R,U;_.ori==0?(R=Oe,U=Fe):(R=Fe,U=Oe),
R&&U&&(k=be<=C||be>=Y-C,P=Me<=C||Me>=A-C),R&&k&&(be=be<Xn?0:Y),U&&P&&(Me=Me<el?0:A),Mn(null,!0,!0),tn=!1}be=-10,Me=-10,de.
fill(null),Mn(null,!0,!0),y&&(tn=y)}function Tr(r,c,u,d,m,w,v){N._lock||(yn(r),Li(),Ui(),r!=null&&Sl(ao,l,be,Me,Y,A,null))}
function _r(){q.forEach(dd),_i(l.width,l.height,!0)}zn(ri,rl,_r);let ll={};ll.mousedown=Mr,ll.mousemove=xr,ll.mouseup=Er,
ll.dblclick=Tr,ll.setSeries=(r,c,u,d)=>{let m=Pe.match[2];u=m(l,c,u),u!=-1&&Nt(u,d,!0,!1)},Je&&(Ze(so,L,Mr),Ze(ps,L,xr),
Ze(ro,L,r=>{yn(r),kl(!1)}),Ze(oo,L,Wc),Ze(ao,L,Tr),Es.add(l),l.syncRect=kl);let Kl=l.hooks=e.hooks||{};function We(r,c,u){
Oi?xl.push([r,c,u]):r in Kl&&Kl[r].forEach(d=>{d.call(null,l,c,u)})}(e.plugins||[]).forEach(r=>{for(let c in r.hooks)Kl[c]=
(Kl[c]||[]).concat(r.hooks[c])});let Lr=(r,c,u)=>u,Pe=Ae({key:null,setSeries:!1,filters:{pub:vo,sub:vo},scales:[D,S[1]?S[1].
scale:null],match:[yo,yo,Lr],values:[null,null]},N.sync);Pe.match.length==2&&Pe.match.push(Lr),N.sync=Pe;let Pr=Pe.key,Bi=ba(
Pr);function Sl(r,c,u,d,m,w,v){Pe.filters.pub(r,c,u,d,m,w,v)&&Bi.pub(r,c,u,d,m,w,v)}Bi.sub(l);function qc(r,c,u,d,m,w,v){
Pe.filters.sub(r,c,u,d,m,w,v)&&ll[r](null,c,u,d,m,w,v)}l.pub=qc;function Ic(){Bi.unsub(l),Es.delete(l),gn.clear(),vs(ri,
rl,_r),h.remove(),ue?.remove(),We("destroy")}l.destroy=Ic;function Ki(){We("init",e,t),sr(t||e.data,!1),W[D]?Fi(D,W[D]):
Li(),Wl=we.show&&(we.width>0||we.height>0),vn=wt=!0,_i(e.width,e.height)}return S.forEach(lr),q.forEach(yc),n?n instanceof
HTMLElement?(n.appendChild(h),Ki()):n(l,Ki):Ki(),l}Be.assign=Ae;Be.fmtNum=Rs;Be.rangeNum=oi;Be.rangeLog=ui;Be.rangeAsinh=
Cs;Be.orient=Vn;Be.pxRatio=ce;Be.join=lp;Be.fmtDate=$s,Be.tzDate=hp;Be.sync=ba;{Be.addGap=Jp,Be.clipGaps=fi;let e=Be.paths=
{points:Sa};e.linear=Ea,e.stepped=Xp,e.bars=ed,e.spline=nd}var Aa={stages:[],checkpoints:[],marks:[]},Pa=170,bi=["--s1","--s2","--s3","--s4","--s5","--s6"],hl=class{constructor(t,n,l,i){
this.options=t;this.lines=n;this.ground=l;this.signal=i;H(this.element,o("h3",null,t.title,t.unit?o("span",{class:"dim"},
" "+t.unit):null),this.place,this.legend),this.data=Ca(n),this.values(null);let s=new ResizeObserver(()=>this.fit());s.observe(
this.place),i.addEventListener("abort",()=>{s.disconnect(),this.plot?.destroy()},{once:!0}),Xr(()=>this.make(),i)}options;lines;ground;signal;element=o(
"figure",{class:"chart"});plot;place=o("div",{class:"plot"});legend=o("figcaption",null);data=[[]];update(t,n){let l=t.length===
this.lines.length&&t.every((i,s)=>i.label===this.lines[s].label);this.lines=t,this.ground=n,this.data=Ca(t),l&&this.plot?
this.plot.setData(this.data):this.make(),this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||
(this.plot?this.plot.setSize({width:t,height:Pa}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.
aborted)return;this.plot?.destroy(),this.place.replaceChildren();let n=this.data[0].length<40,l={stroke:Kt("--dim"),grid:{
stroke:Kt("--grid"),width:1},ticks:{stroke:Kt("--grid"),width:1},font:"11px system-ui, sans-serif"};this.plot=new Be({width:t,
height:Pa,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},
...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1},y:{range:(i,s,a)=>this.range(s,
a)}},axes:[{...l,size:26,incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},{...l,size:52,values:(i,s)=>s.map(
a=>this.text(a))}],series:[{},...this.lines.map((i,s)=>({label:i.label,stroke:Kt(bi[s%bi.length]),width:1.5,spanGaps:!0,
points:{show:n,size:4}}))],hooks:{drawClear:[i=>fd(i,this.ground)],draw:[i=>md(i,this.ground)],setCursor:[i=>this.values(
i.cursor.idx??null)]}},this.data,this.place),this.plot.over.addEventListener("click",()=>this.click())}range(t,n){if(this.
options.share&&(n??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)return[0,1];let l=(n-t)*.06||Math.abs(n)*.1||1;
return[t>=0&&t-l<0?0:t-l,n+l]}text(t){return this.options.share?Ct(t).replace(/\.0 %$/," %"):M(t,3)}click(){let t=this.plot?.
cursor.idx;if(t==null||!this.options.open)return;let n=this.data[0][t];n!==void 0&&this.options.open(n)}values(t){let n=this.
data[0],l=t!==null&&t<n.length?t:null;H(this.legend,o("span",{class:"dim"},l!==null?`step ${M(n[l])}`:"last"),this.lines.
map((i,s)=>{let a=[...this.data[s+1]??[]],p=l!==null?a[l]:a.findLast(f=>f!=null);return o("span",{class:"key"},o("i",{class:"\
swatch",vars:{"--swatch":`var(${bi[s%bi.length]})`}}),i.label===this.options.title?null:i.label+" ",o("b",null,this.exactly(
p)))}))}exactly(t){return this.options.share?Ct(t):M(t)}};function fd(e,t){let{ctx:n,bbox:l}=e;n.save(),n.font=`${11*devicePixelRatio}\
px system-ui, sans-serif`,t.stages.forEach((i,s)=>{let a=Math.max(l.left,e.valToPos(i.first_step-.5,"x",!0)),p=i.last_step??
1/0,f=Number.isFinite(p)?e.valToPos(p+.5,"x",!0):l.left+l.width,h=Math.min(l.left+l.width,f);h<=a||(s%2===1&&(n.fillStyle=
Kt("--band"),n.fillRect(a,l.top,h-a,l.height)),t.stages.length>1&&h-a>40*devicePixelRatio&&(n.fillStyle=Kt("--dim"),n.beginPath(),
n.save(),n.rect(a,0,h-a-6*devicePixelRatio,l.top),n.clip(),n.fillText(an(i.name.slice(0,40)),a,l.top-4*devicePixelRatio),
n.restore()))}),n.restore()}var hd={kill:"--bad",resume:"--s1",take_up:"--s1",plugin_restart:"--warn"};function md(e,t){
let{ctx:n,bbox:l}=e,i=a=>a>=l.left&&a<=l.left+l.width;n.save();for(let a of t.marks){let p=hd[a.kind];if(a.step===void 0||
!p)continue;let f=e.valToPos(a.step+.5,"x",!0);i(f)&&(n.strokeStyle=Kt(p),n.lineWidth=devicePixelRatio,n.setLineDash([3*
devicePixelRatio,3*devicePixelRatio]),n.beginPath(),n.moveTo(f,l.top),n.lineTo(f,l.top+l.height),n.stroke())}n.setLineDash(
[]);let s=l.top+l.height;for(let a of t.checkpoints){let p=e.valToPos(a.step,"x",!0);i(p)&&(n.fillStyle=Kt(a.best?"--s2":
"--dim"),n.beginPath(),n.moveTo(p,s-(a.best?9:6)*devicePixelRatio),n.lineTo(p-3.5*devicePixelRatio,s),n.lineTo(p+3.5*devicePixelRatio,
s),n.fill())}n.restore()}function Ca(e){let t=[...new Set(e.flatMap(i=>i.points.map(s=>s[0])))].sort((i,s)=>i-s),n=new Map(
t.map((i,s)=>[i,s])),l=e.map(i=>{let s=new Array(t.length).fill(void 0);for(let[a,p]of i.points)s[n.get(a)]=p;return s});
return[t,...l]}var Ra=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"gap of log-probabilities",names:["train/logprob_ga\
p"],unit:"nats, the largest"},{title:"groups of equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function wi(e){
let t=new Set(e);return Ra.map(l=>({...l,names:l.names.filter(i=>t.has(i))})).filter(l=>l.names.length>0)}function Da(e){
let t=new Set(Ra.flatMap(l=>l.names)),n=new Map;for(let l of e.filter(i=>!t.has(i)).sort()){let i=gd(l);n.set(i,[...n.get(
i)??[],l])}return n}function gd(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}\
/${t[1]}`:t.length>1?t[0]:"other"}function $a(e,t){return t.names.length===1?e:t.names.some(l=>l.startsWith("validation/"))?
e.startsWith("validation/")?"held-out":"training":e.replace(/^[^/]*\//,"").replace(/_seconds$/,"").replaceAll("_"," ")}var Ha=6;async function Va(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Ha);e.title({text:"compare "+t.join(", ")});
let n=(await Yl(e.signal)).runs,l=o("div",null),i=o("div",null);if(H(e.root,o("div",{class:"bar"},o("h1",null,"Compare"),
bd(t,n)),wd(t,n),l,i),t.length<2){H(l,o("p",{class:"empty"},"Choose a second run."));return}await Promise.all([Le(e,i,async()=>{
let[s,...a]=t,p=[];for(let f of a)p.push(yd(await Or(s,f,e.signal),s,f));return p}),Le(e,l,()=>xd(e,t))])}function bd(e,t){
let n=t.filter(i=>!e.includes(i.name)),l=o("select",{"aria-label":"add a run","data-filter":!0},o("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(i=>o("option",{value:i.name},i.name)));return l.disabled=e.length>=Ha||n.length===0,
l.addEventListener("change",()=>{l.value!==""&&(location.hash=Q(["compare"],{run:[...e,l.value]}))}),l}function wd(e,t){
return o("div",{class:"sides"},e.map((n,l)=>{let i=t.find(s=>s.name===n);return o("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${l+1})`}},o("h2",null,o("i",{class:"swatch"}),o("a",{href:Ln(n)},n)," ",i?_l(i):null,o("a",{class:"qui\
et",title:"leave it out",href:Q(["compare"],{run:e.filter(s=>s!==n)})},"\xD7")),i?un([["step",M(i.step)],["held-out succ\
ess",Ll(i)],["adapter",i.adapter],["spec",i.spec]]):o("p",null,"There is no such run in this folder."))}))}async function xd(e,t){
let n=await Promise.all(t.map(g=>Tn(g,e.signal))),l=n.map(g=>new Set(g.metrics??[])),i=[...new Set(n.flatMap(g=>g.metrics??
[]))],s=i.filter(g=>l.every(b=>b.has(g))),a=i.filter(g=>!l.every(b=>b.has(g))),p=wi(i).flatMap(g=>g.names),f=g=>{let b=o(
"div",null);return Le(e,b,async()=>o("div",{class:"grid"},await vd(e,t,g))),b},h=s.filter(g=>!p.includes(g)).sort().slice(
0,60);return[f(p),h.length>0?Ce(`${$e(h.length,"other metric")} of all of them`,()=>f(h)):null,a.filter(g=>!p.includes(g)).
length>0?Ce("metrics that only some have",()=>f(a.filter(g=>!p.includes(g)).sort().slice(0,60))):null]}async function vd(e,t,n){
if(n.length===0)return[];let l=await Promise.all(t.map(i=>Jl(i,n,void 0,e.signal)));return n.map(i=>new hl({title:i,sync:"\
compare",share:i.endsWith("success_rate")},t.map((s,a)=>({label:s,points:l[a].series[i]??[]})),Aa,e.signal).element)}function yd(e,t,n){
let l=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],i=new Set(
e.unrecorded??[]),s=l.filter(([a,p])=>(p??[]).length===0&&!i.has(a)).map(([a])=>a);return ve(`What differs between ${t} \
and ${n}`,e.same_digest?o("p",null,"Their newest checkpoints are equal to the bit."):null,s.length>0?o("p",null,`The sam\
e in both: ${s.join(", ")}.`):null,i.size>0?o("p",{class:"dim"},`Not compared, because a run of an earlier version has n\
o record of it: ${[...i].join(", ")}.`):null,l.filter(([,a])=>(a??[]).length>0).map(([a,p])=>[o("h3",null,a),Ue([{title:"",
half:!0,cell:f=>o("code",null,f.path)},{title:t,half:!0,cell:f=>za(f.a)},{title:n,half:!0,cell:f=>za(f.b)}],p.slice(0,300))]))}
function za(e){if(e===void 0)return o("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return o(
"span",{class:"value"},t.length>300?t.slice(0,300)+" \u2026":t)}var Na=25;async function Fa(e,t){e.title({text:t});let n=await Tn(t,e.signal),l=o("div",null),i=o("div",null),s=new Ws(e,
n),a=new qs(e,n),p=o("div",null),f=g=>{H(l,kd(g)),H(p,Td(g),_d(g),Ld(g)),document.querySelector(".crumbs [aria-current]")?.
setAttribute("data-status",g.status)};if(f(n),H(e.root,l,i,s.element,a.element,p),e.key("e","all episodes",()=>{location.
hash=Q(["run",t,"episodes"])}),e.key("v","validations",()=>{location.hash=Q(["run",t,"validations"])}),e.key("s","the ne\
west step",()=>{location.hash=Ye(t,Math.max(0,n.step))}),s.load(),a.load(),!n.live)return;Oa(e,t,i),e.onLive(t,g=>{h(g)});
let h=async g=>{let b=new Set(g.map(E=>E.kind)),x=await Tn(t,e.signal).catch(()=>null);!x||e.signal.aborted||(Object.assign(
n,x),f(x),(b.has("step")||b.has("state"))&&(s.refresh(x,b.has("state")),a.refresh(x)),Oa(e,t,i))}}function kd(e){let t=[
e.step>=0?`${M(e.step)}${e.steps?` of ${M(e.steps)}`:""}`:"none yet"];return[o("div",{class:"bar"},o("h1",null,e.name),_l(
e),o("span",{class:"grow"}),o("a",{class:"button",href:Q(["run",e.name,"episodes"])},"Episodes"),o("a",{class:"button",href:Q(
["run",e.name,"validations"])},"Validations"),o("a",{class:"button",href:Q(["compare"],{run:[e.name]})},"Compare")),(e.warnings??
[]).map(n=>o("p",{class:"warning",role:"status"},n)),e.problem||e.reason?o("p",{class:"warning"},e.problem??e.reason):null,
un([["step",t],["stage",e.stage],["held-out success",Ll(e)],["episodes",e.episodes===void 0?null:M(e.episodes)],["adapte\
r",e.adapter],["train",e.train],["spec",e.spec],["where",e.machine],["started",Cn(e.started)],["took",e.live||e.ended?ti(
e.started,e.live?void 0:e.ended):null],["disk",pn(e.disk_bytes)],["digest",e.digest?o("code",null,e.digest.slice(0,19)):
null]]),Sd(e)]}function Sd(e){let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,l)=>l[1]-n[1]);return t.length===
0?null:o("p",{class:"chips"},o("span",{class:"dim"},"Failed: "),t.map(([n,l])=>o("a",{class:"chip bad",href:Q(["run",e.name,
"episodes"],{class:n})},`${n.toLowerCase()} `,o("b",null,M(l)))))}var Ws=class{constructor(t,n){this.view=t;this.run=n}view;run;element=o(
"section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";async load(){this.drawn=(this.run.metrics??
[]).join(`
`);let t=wi(this.run.metrics??[]),n=o("div",{class:"grid"});await Le(this.view,this.element,async()=>(await this.fetch(t.
flatMap(l=>l.names)),H(n,t.map(l=>this.chart(l))),t.length===0?o("p",{class:"empty"},"No step has ended yet: there is no\
 curve to draw."):[n,[...Da(this.run.metrics??[])].map(([l,i])=>this.part(l,i))]))}part(t,n){let l=[o("b",null,t),o("spa\
n",{class:"dim"},` ${$e(n.length,"metric")}`)];return Ce(l,()=>{let i=o("div",null),s=24,a=p=>Le(this.view,i,async()=>{let f=n.
slice(p,p+s);return await this.fetch(f),[o("div",{class:"grid"},f.map(h=>this.chart({title:h,names:[h]}))),n.length>s?o(
"div",{class:"pager"},o("button",{disabled:p===0,onclick:()=>{a(p-s)}},"\u2190"),o("span",null,`${p+1} to ${p+f.length} \
of ${n.length}`),o("button",{disabled:p+s>=n.length,onclick:()=>{a(p+s)}},"\u2192")):null]});return a(0),i})}chart(t){let n=new hl(
{title:t.title,unit:t.unit,share:t.share,sync:"run",open:l=>{location.hash=Ye(this.run.name,l)}},this.lines(t),this.ground(),
this.view.signal);return this.charts.push({of:t,chart:n}),n.element}lines(t){return t.names.map(n=>({label:$a(n,t),points:this.
points.get(n)??[]}))}ground(){return{stages:this.run.stages??[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??
[]}}async fetch(t,n){if(t.length===0)return;let{series:l}=await Jl(this.run.name,t,n,this.view.signal);for(let[i,s]of Object.
entries(l)){let a=n===void 0?[]:(this.points.get(i)??[]).filter(p=>p[0]<=n);this.points.set(i,[...a,...s])}}async refresh(t,n){
if(this.run=t,this.drawn===""||this.charts.length===0&&(t.metrics??[]).length>0)return this.load();let l=[...new Set(this.
charts.flatMap(s=>s.of.names))],i=Math.max(-1,...l.flatMap(s=>(this.points.get(s)??[]).slice(-1).map(a=>a[0])));try{await this.
fetch(l,n||i<1?void 0:i-1)}catch{return}for(let{of:s,chart:a}of this.charts)a.update(this.lines(s),this.ground())}},qs=class{constructor(t,n){
this.view=t;this.run=n;this.element.append(this.place)}view;run;element=ve("Steps");place=o("div",null);top;load(){return Le(
this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.top===void 0&&!this.place.contains(document.activeElement)){
let n=await this.draw().catch(()=>null);n&&!this.view.signal.aborted&&H(this.place,n)}}async draw(){let t=this.top??this.
run.step,n=Math.max(0,t-Na+1),{steps:l}=await Zl(this.run.name,n,Math.max(0,t),this.view.signal);if(l.length===0)return o(
"p",{class:"empty"},"No step has ended yet.");let i=s=>{let a=t+s*Na;this.top=a>=this.run.step?void 0:a,this.load()};return[
Md(this.run.name,[...l].sort((s,a)=>a.step-s.step)),n>0||this.top!==void 0?o("div",{class:"pager"},o("button",{disabled:this.
top===void 0,onclick:()=>i(1)},"\u2190 Newer"),o("span",null,`steps ${n} to ${t}`),o("button",{disabled:n===0,onclick:()=>i(
-1)},"Older \u2192")):null]}};function Md(e,t){let n=[...new Set(t.flatMap(l=>Object.keys(l.seconds??{})))];return Ue([{
title:"step",right:!0,cell:l=>o("a",{href:Ye(e,l.step)},M(l.step))},{title:"stage",cell:l=>l.stage??"\u2013"},{title:"ep\
isodes",right:!0,cell:l=>M(l.episodes)},{title:"reward",right:!0,cell:l=>M(l.reward)},{title:"success",right:!0,cell:l=>Ct(
l.success)},{title:"failed",right:!0,cell:l=>Is(l.failed)},{title:"truncated",right:!0,cell:l=>Is(l.truncated)},...n.map(
l=>({title:l.replaceAll("_"," "),right:!0,cell:i=>pt(i.seconds?.[l])})),{title:"",wide:!0,cell:()=>""}],t,l=>Ye(e,l.step))}
function Is(e){return e?o("span",{class:"bad"},M(e)):M(e)}var Ed={start:"started",resume:"resumed",kill:"killed",take_up:"\
trainer taken up",stage:"stage",plugin_restart:"plugin restarted"};function Td(e){let t=[...e.marks??[]].sort((i,s)=>s.time.
localeCompare(i.time));if(t.length===0)return null;let n=i=>Ue([{title:"time",cell:s=>Cn(s.time)},{title:"step",right:!0,
cell:s=>M(s.step)},{title:"what",cell:s=>o("span",{class:"badge "+(s.kind==="kill"?"bad":"")},Ed[s.kind]??s.kind.replaceAll(
"_"," "))},{title:"",wide:!0,cell:s=>s.text}],i),l=10;return ve("What happened",n(t.slice(0,l)),t.length>l?Ce(`${$e(Math.
min(t.length,500)-l,"earlier entry").replace("entrys","entries")}`,()=>n(t.slice(l,500))):null)}function _d(e){return(e.
plugins??[]).length===0?null:ve("Plugins",Ue([{title:"address",cell:t=>o("code",null,t.address)},{title:"plugin",cell:t=>`${t.
name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>Is(
t.restarts)},{title:"CPU",right:!0,cell:t=>pt(t.cpu_seconds)},{title:"memory",right:!0,cell:t=>pn(t.memory_bytes)},{title:"\
last words",wide:!0,cell:t=>t.last_words?o("div",{class:"words"},Ie(t.last_words,400)):""}],e.plugins),o("p",{class:"dim"},
"All that a plugin wrote: ",Pn(`awhost logs ${e.name}`)))}function Ld(e){let t=[...e.checkpoints??[]].sort((n,l)=>l.step-
n.step).slice(0,200);return t.length===0?null:ve("Checkpoints",Ue([{title:"step",right:!0,cell:n=>o("a",{href:Ye(e.name,
n.step)},M(n.step))},{title:"",cell:n=>n.best?o("span",{class:"badge good"},"best"):""},{title:"path",wide:!0,cell:n=>n.
path?Pn(n.path):""}],t))}async function Oa(e,t,n){let l=await Vr(t,e.signal).catch(()=>null);if(!l||!l.live||e.signal.aborted)
return H(n);if(l.waits.length===0)return H(n);let i=l.waits[0];H(n,Ce([o("b",null,"What waits for what: "),Pd(i),l.waits.
length>1?`, and ${l.waits.length-1} more`:""],()=>Ue([{title:"who",cell:s=>s.episodes?$e(s.episodes,"episode"):"the "+s.
who},{title:"waits for",cell:s=>[s.for," ",s.address??"",s.call?`, ${s.call}`:""]},{title:"since",right:!0,cell:s=>pt(s.
seconds)},{title:"longest",cell:s=>s.episode?o("a",{href:st(t,s.episode)},s.episode):""},{title:"",wide:!0,cell:s=>s.detail??
""}],l.waits),n.querySelector("details")?.open??!1))}function Pd(e){return`${e.episodes?`${$e(e.episodes,"episode")} wai\
t`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${pt(e.seconds)}`}var Zt=e=>({text:e,href:Ln(e)});function Mt(e){let t=e.filter(i=>typeof i=="number"&&Number.isFinite(i)),n=Math.min(0,...t),l=Math.max(1,...t);if(n<0){let i=Math.
max(-n,Math.max(0,...t));return{low:-i,high:i}}return{low:0,high:l}}function xi(e){return{low:-e,high:e}}function $t(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let l=n.high-
n.low,i=l===0?.5:Math.min(1,Math.max(0,(t-n.low)/l));return e.classList.add(i<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(i-.5)*200)}%`),e}function mn(e,t,n,l=!1){let i=t.outcome==="FAILED",s=o("a",{class:"cell"+(l?" here":""),href:st(e,t.id),title:Cd(t),"ari\
a-current":l?"true":void 0},i?"failed":t.reward===null||t.reward===void 0?"none":M(t.reward,3),t.success===!0?o("span",{
class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome==="TRUNCATED"?o("span",{class:"cut","aria-label":"truncated"},
"\u2702"):null);return $t(s,i?null:t.reward,n)}function Cd(e){let t=e.success===!0?", solved":e.success===!1?", not solv\
ed":"",n=e.class?` (${dt(e.class)})`:"";return`${e.id}: ${dt(e.outcome)}${n}, reward ${M(e.reward)}${t}`}function Nn(e){
let t=e.outcome==="FAILED"?"bad":e.outcome==="SCORED"?"good":"warn";return o("span",{class:"badge "+t},dt(e.outcome),e.class?
`: ${dt(e.class)}`:"")}function Wa(e,t){return $t(o("span",{class:"cell small"},M(e.reward,3)),e.reward,t)}var ja=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","q","sort"],
Ad=["SCORED","TRUNCATED","FAILED","DROPPED","CANCELLED"],Rd=[["","in order"],["-reward","best first"],["reward","worst f\
irst"],["-turns","most turns first"],["turns","fewest turns first"]];function Ga(e){let t={};for(let n of ja){let l=e.get(
n);l&&(t[n]=l)}return t}function yi(e){return ja.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function Ua(e,t,n){let l=f=>t.
get(f)??"",i=[...new Set([...n,l("class")])].filter(f=>f!==""),s=["member","task","group","turns_min","turns_max"].some(
f=>l(f)!==""),a=o("form",{class:"filter",role:"search"},vi("q","text",l("q"),{"data-filter":!0,placeholder:"words in the\
 conversation",type:"search"}),js("outcome",l("outcome"),[["","any outcome"],...Ad.map(f=>[f,f.toLowerCase()])]),js("cla\
ss",l("class"),[["","any failure"],...i.map(f=>[f,f.toLowerCase().replaceAll("_"," ")])]),js("sort",l("sort"),Rd),Ia("re\
ward",l),o("details",{class:"more",open:s},o("summary",null,"more"),o("div",{class:"filter"},Ia("turns",l),vi("task","ta\
sk",l("task")),vi("group","group",l("group")),vi("member","member",l("member")))),o("button",null,"Filter"),yi(t)?o("a",
{class:"button quiet",href:Q(e,qa(t))},"Clear"):null),p=()=>{let f=qa(t);for(let[h,g]of new FormData(a))typeof g=="strin\
g"&&g.trim()!==""&&(f[h]=g.trim());location.hash=Q(e,f)};return a.addEventListener("submit",f=>{f.preventDefault(),p()}),
a.addEventListener("change",f=>{f.target instanceof HTMLSelectElement&&p()}),a}function qa(e){let t={};for(let n of["spl\
it","layout"]){let l=e.get(n);l&&(t[n]=l)}return t}function vi(e,t,n,l={}){return o("label",null,o("span",null,t),o("inp\
ut",{name:e,value:n,type:"text",autocomplete:"off",...l}))}function Ia(e,t){let n=(l,i)=>o("input",{name:`${e}_${l}`,value:t(
`${e}_${l}`),type:"number",step:"any",placeholder:i,"aria-label":`${e} ${i}`});return o("label",{class:"range"},o("span",
null,e),n("min","from"),n("max","to"))}function js(e,t,n){let l=o("select",{name:e,"aria-label":e},n.map(([i,s])=>o("opt\
ion",{value:i},s)));return l.value=t,l}function Hl(e,t){let n=new Map;for(let l of e){let i=t(l),s=n.get(i);s?s.push(l):n.set(i,[l])}return n}var Dd=100;async function Us(e,t,n){let l=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(Zt(t),{text:n===void 0?
"episodes":`step ${n}`});let i=await Tn(t,e.signal),s=new Gs(e,i,n,l);H(e.root,$d(e,i,n,l),n===void 0?null:zd(e,t,n),Ua(
l,e.query,Object.keys(i.failures??{})),n===void 0||yi(e.query)?null:Vd(e,t,n),s.element),await s.load(),i.live&&e.onLive(
t,a=>s.hear(a.some(p=>n===void 0||p.step===n)))}function $d(e,t,n,l){let i=e.query.get("split")??"",s=Object.fromEntries(
[...e.query].filter(([h])=>h!=="cursor")),a=(h,g)=>o("a",{class:"tab"+(i===h?" here":""),"aria-current":i===h?"true":void 0,
href:Q(l,{...s,split:h})},g),p=e.query.get("layout")??"",f=h=>{location.hash=Ye(t.name,Math.max(0,(n??0)+h),{split:i})};
return n!==void 0&&(e.key("ArrowLeft","step before",()=>f(-1)),e.key("ArrowRight","next step",()=>f(1))),o("div",{class:"\
bar"},o("h1",null,n===void 0?"Episodes":`Step ${M(n)}`),n===void 0?null:o("span",{class:"turn"},o("button",{disabled:n===
0,title:"step before (\u2190)","aria-label":"step before",onclick:()=>f(-1)},"\u2190"),o("button",{title:"next step (\u2192)",
"aria-label":"next step",onclick:()=>f(1)},"\u2192")),o("span",{class:"tabs"},a("","All"),a("train","Training"),a("valid\
ation","Held-out")),n===void 0?null:o("span",{class:"tabs"},o("a",{class:"tab"+(p===""?" here":""),href:Q(l,{...s,layout:""})},
"Groups"),o("a",{class:"tab"+(p==="list"?" here":""),href:Q(l,{...s,layout:"list"})},"List")))}function zd(e,t,n){let l=o(
"div",null);return Le(e,l,async()=>{let i=(await Zl(t,n,n,e.signal)).steps.find(s=>s.step===n);return i?un([["stage",i.stage],
["episodes",M(i.episodes)],["reward",M(i.reward)],["success",Ct(i.success)],["failed",M(i.failed)],["truncated",M(i.truncated)],
...Hd(i)]):o("p",{class:"dim"},"The step has not ended, or is not of this run.")}),l}function Hd(e){return Object.entries(
e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),pt(n)])}function Vd(e,t,n){let l=o("div",null),i=e.query.get("split")??
void 0,s=p=>Ml(t,{step:n,split:i,sort:p,limit:3},e.signal);Le(e,l,async()=>{let[p,f]=await Promise.all([s("-reward"),s("\
reward")]),h=b=>b.episodes.filter(x=>typeof x.reward=="number");if(h(p).length===0)return null;let g=Mt([...h(p),...h(f)].
map(b=>b.reward));return o("div",{class:"extremes"},a("Best",h(p),g),a("Worst",h(f),g))});let a=(p,f,h)=>ve(p,f.map(g=>o(
"p",{class:"answer"},mn(t,g,h)," ",o("a",{href:st(t,g.id),class:"quiet"},ki(g.answer)||"no answer"))));return l}var Gs=class{constructor(t,n,l,i){
this.view=t;this.run=n;this.step=l;this.path=i;this.element.append(this.news,this.place)}view;run;step;path;element=o("d\
iv",null);place=o("div",null);news=o("div",null);load(){return H(this.news),Le(this.view,this.place,()=>this.draw())}hear(t){
if(!t)return;this.view.query.has("cursor")||this.element.contains(document.activeElement)||this.element.querySelector(".\
current, :hover")!==null?H(this.news,o("p",{class:"news"},o("button",{onclick:()=>{this.load()}},"There is more: show it"))):
this.load()}async draw(){let t=this.view.query.get("cursor")??void 0,n=await Ml(this.run.name,{...Ga(this.view.query),step:this.
step,limit:Dd,cursor:t},this.view.signal);if(n.episodes.length===0)return o("p",{class:"empty"},this.emptiness());let l=this.
step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),i=Mt(n.episodes.map(a=>a.reward)),s=n.
total===void 0?"":`${$e(n.total,"episode")}`;return[o("p",{class:"legend"},o("b",null,s),Nd(i)),this.strip(n.episodes,i),
l?this.groups(n.episodes,i):this.list(n.episodes,i),this.pager(n,t)]}emptiness(){return yi(this.view.query)?"No episode \
is like this.":this.run.live?"No episode has ended yet: the list fills by itself.":"There are no episodes."}strip(t,n){if(this.
step!==void 0||!this.view.query.get("task"))return null;let l=Hl([...t].sort((i,s)=>i.step-s.step),i=>i.step);return ve(
"This task through time",o("div",{class:"strip"},[...l].map(([i,s])=>o("div",null,o("a",{class:"dim",href:Ye(this.run.name,
i)},`step ${i}`),s.map(a=>mn(this.run.name,a,n))))))}groups(t,n){let l=Hl(t,i=>JSON.stringify([i.split,i.group]));return o(
"div",{class:"groups"},[...l.values()].map(i=>{let s=i[0],a=Tl(this.run.name,s.group,s.step,s.split);return o("section",
{class:"group item",data:{href:a}},o("div",{class:"of"},o("a",{href:a,title:"side by side"},s.split==="validation"?"held\
-out ":"",`group ${s.group}`),o("a",{class:"task",title:"this task through time",href:Q(["run",this.run.name,"episodes"],
{task:s.task})},s.task),o("span",{class:"dim"},Od(i))),o("div",{class:"cells"},i.map(p=>mn(this.run.name,p,n))))}))}list(t,n){
let l=this.run.name;return Ue([...this.step===void 0?[{title:"step",right:!0,cell:i=>o("a",{href:Ye(l,i.step)},M(i.step))}]:
[],{title:"episode",cell:i=>o("a",{href:st(l,i.id)},i.id)},{title:"reward",right:!0,cell:i=>Wa(i,n)},{title:"success",cell:i=>i.
success===!0?"solved":i.success===!1?"not solved":"\u2013"},{title:"outcome",cell:Nn},{title:"task",cell:i=>o("a",{class:"\
short",href:Q(["run",l,"episodes"],{task:i.task})},i.task)},{title:"answer",wide:!0,cell:i=>o("div",{class:"short"},ki(i.
answer))},{title:"turns",right:!0,cell:i=>M(i.turns)},{title:"tokens",right:!0,cell:i=>M(i.tokens)},{title:"took",right:!0,
cell:i=>pt(i.seconds)},{title:"attempt",right:!0,cell:i=>M(i.attempt)}],t,i=>st(l,i.id))}pager(t,n){if(!t.next&&!n)return null;
let l=Object.fromEntries([...this.view.query].filter(([s])=>s!=="cursor")),i=()=>{t.next&&(location.hash=Q(this.path,{...l,
cursor:t.next}))};return this.view.key("n","next page",i),o("div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.
hash=Q(this.path,l)}},"First page"),o("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!t.
next,onclick:i},"Next page \u2192"))}};function Nd(e){return o("span",{class:"ramp"},o("span",null,M(e.low)),o("i",null),
o("span",null,M(e.high)),o("i",{class:"hatched"}),o("span",null,"no reward"))}function Od(e){let t=e.map(l=>l.reward).filter(
l=>typeof l=="number");if(t.length===0)return"no rewards";let n=t.reduce((l,i)=>l+i,0)/t.length;return t.length>1&&t.every(
l=>l===t[0])?`all ${M(n,3)}: teaches nothing`:`mean ${M(n,3)}`}function ki(e){let t=(e??"").replace(/\s+/g," ").trim();return t.
length>160?t.slice(0,160)+" \u2026":t}var Fd=200;function Vl(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),l=o("div",{class:"conversation"});
if(n.reduce((p,f)=>p+f.messages.length,0)===0)return H(l,o("p",{class:"empty"},"Nothing was said.")),l;let s=[...Wd(n)],
a=p=>{l.querySelector(":scope > button")?.remove();let f=Math.min(s.length,p+Fd);It(l,qd(s.slice(p,f),t)),f<s.length&&l.
append(o("button",{onclick:()=>a(f)},`show more: ${$e(s.length-f,"message")} are left`))};return a(0),l}function*Wd(e){for(let t of e){
let n=new Set;for(let[l,i]of t.messages.entries()){if(n.has(i))continue;let s=new Map,a=new Set((i.tool_calls??[]).map(p=>p.
id));for(let p of t.messages.slice(l+1)){if(p.role!=="tool")break;!p.tool_call_id||!a.delete(p.tool_call_id)||(s.set(p.tool_call_id,
p),n.add(p))}yield{member:t.agent??"",depth:Math.max(0,t.depth??0),message:i,results:s}}}}function qd(e,t){let n=o("div",
null),l=[{element:n,member:""}];for(let i of e){let s=i.member===""?0:i.depth+1;for(;l.length>s+1||l.length===s+1&&s>0&&
l.at(-1).member!==i.member;)l.pop();for(;l.length<=s;){let a=o("details",{class:"member",open:!0},o("summary",null,i.member));
l.at(-1).element.append(a),l.push({element:a,member:i.member})}l.at(-1).element.append(Id(i,t))}return[...n.childNodes]}
function Id(e,t){let n=e.message,l=n.role||"unknown",i=(n.content??"").length;return o("article",{class:`message item ${Gd(
l)}${n.is_error?" error":""}`},o("header",null,o("b",null,l),n.name?o("span",{class:"dim"},n.name):null,n.is_error?o("sp\
an",{class:"badge bad"},"error"):null,i>2e3?o("span",{class:"dim"},`${i.toLocaleString("en")} characters`):null),n.reasoning?
Ce([o("b",null,"thinks"),o("span",{class:"dim"}," "+Bs(n.reasoning))],()=>Ie(n.reasoning),!1,"thinks"):null,n.content?Ie(
n.content,t):null,(n.images??[]).map(Ba),(n.attachments??[]).map(s=>Ya(s,n.content??"")),(n.tool_calls??[]).map(s=>Bd(s,
e.results.get(s.id))),(n.malformed??[]).map(s=>o("div",{class:"malformed"},o("span",{class:"badge warn"},"not a call"),"\
 ",s.reason,Ce("what it wrote",()=>Ie(s.text)))),Ud(n)?o("p",{class:"dim"},"(nothing)"):null)}var jd=new Set(["system","\
user","assistant","tool"]);function Gd(e){return jd.has(e)?e:"other"}function Ud(e){return!e.content&&!e.reasoning&&!e.images?.
length&&!e.attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function Bd(e,t){let n=[o("span",{class:"arr\
ow"},"\u2192"),o("b",null,e.name||"(no name)"),o("span",{class:"dim oneline"},Bs(e.arguments)),t?.is_error?o("span",{class:"\
badge bad"},"error"):null,o("span",{class:"result oneline"},t?"\u2190 "+Bs(t.content??""):"no result")];return Ce(n,()=>o(
"div",{class:"body"},o("h4",null,"arguments"),Ie(Kd(e.arguments)),o("h4",null,"result"),t?[t.content?Ie(t.content):o("p",
{class:"dim"},"(nothing)"),(t.images??[]).map(Ba),(t.attachments??[]).map(l=>Ya(l,t.content??""))]:o("p",{class:"dim"},"\
The episode ended before there was one.")),!1,"call")}function Kd(e){if(e.length>1e6)return e;try{return JSON.stringify(
JSON.parse(e),null,2)}catch{return e}}function Bs(e){return El(e.slice(0,300).replace(/\s+/g," ").trim())}var Yd=new Set(
["image/png","image/jpeg","image/gif","image/webp"]),Jd=8<<20;function Ba(e){let t=["picture",e.mime_type,e.url,e.data?pn(
Math.floor(e.data.length*3/4)):""];return Ka(t.filter(n=>n).join(", "),e.mime_type,e.data)}function Ka(e,t,n){return!n||
!t||!Yd.has(t)||n.length>Jd||!/^[A-Za-z0-9+/]+=*$/.test(n)?o("p",{class:"attachment"},"+ "+e):Ce("+ "+e,()=>{let l=document.
createElement("img");return l.alt=an(e),l.src=`data:${t};base64,${n}`,l},!1,"attachment")}function Ya(e,t){let n=[e.kind||
"attachment",e.mime_type,e.name,e.uri,e.size?pn(e.size):"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:
""].filter(i=>i).join(", ");if(e.data)return Ka(n,e.mime_type,e.data);let l=e.json!==void 0?JSON.stringify(e.json,null,2):
e.text??"";return l===""||l===t?o("p",{class:"attachment"},"+ "+n):Ce("+ "+n,()=>Ie(l),!1,"attachment")}function Si(e){let t=e.reward,n=t?.total??e.episode.reward,l=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),i=Mt([n,...Object.values(t?.parts??{})]),s=e.episode.success;return o("div",{class:"reward"},o("p",
{class:"total"},$t(o("span",{class:"cell"},M(n)),n,i),s===!0?o("span",{class:"badge good"},"solved"):null,s===!1?o("span",
{class:"badge"},"not solved"):null,n==null?o("span",{class:"dim"},Qd(e)):null),t?.expression?o("p",null,o("span",{class:"\
dim"},"by "),o("code",{class:"expression"},t.expression)):null,l.length===0?null:Ue([{title:"part",cell:a=>o("code",null,
a.replace(/^reward\./,""))},{title:"value",right:!0,cell:a=>Zd(t?.parts?.[a],i)},{title:"in words",wide:!0,cell:a=>t?.notes?.[a]?
Ie(t.notes[a],400):""}],l),(t?.own_rewards??[]).map(a=>o("p",null,o("code",null,`agent.${a.agent}`)," says ",M(a.reward),
a.is_success===void 0?"":a.is_success?", solved":", not solved")),Xd(t?.turn_rewards??[]))}function Zd(e,t){return e===void 0?
"":$t(o("span",{class:"cell small"},M(e)),e,t)}function Qd(e){return e.failure||e.episode.outcome==="FAILED"?"It failed,\
 so that it has no reward.":"It has no reward."}function Xd(e){if(e.length===0)return null;let t=Mt(e.map(n=>n.reward));
return o("p",{class:"cells"},o("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>$t(o("span",{class:"cell small",title:n.
call_id},M(n.reward,3)),n.reward,t)))}var ef=360,tf=200;async function Ja(e,t,n){let l=Number(e.query.get("step")??0),i=e.query.get("split")??"train";e.title(
Zt(t),{text:`step ${l}`,href:Ye(t,l)},{text:`group ${n}`});let{episodes:s}=await Ml(t,{step:l,split:i,group:n,limit:tf},
e.signal),a=s[0];if(!a){H(e.root,o("p",{class:"empty"},"This group has no episodes."));return}let p=Mt(s.map(L=>L.reward)),
f=o("div",{class:"beside"}),h=s.map(L=>mn(t,L,p)),g=0,b=()=>Math.max(1,Math.min(6,Math.floor((document.documentElement.clientWidth-
32)/ef))),x=()=>{let L=s.slice(g,g+b());h.forEach((z,$)=>z.classList.toggle("here",$>=g&&$<g+L.length)),H(f,L.map(z=>nf(
e,t,z)))},E=L=>{g=Math.min(Math.max(0,s.length-b()),Math.max(0,g+L*b())),x()};e.key("ArrowLeft","samples before",()=>E(-1)),
e.key("ArrowRight","next samples",()=>E(1)),H(e.root,o("div",{class:"bar"},o("h1",null,`Group ${n}`),o("span",{class:"tu\
rn"},o("button",{title:"samples before (\u2190)","aria-label":"samples before",onclick:()=>E(-1)},"\u2190"),o("button",{
title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>E(1)},"\u2192"))),o("p",null,"Task ",o("a",{href:Q(
["run",t,"episodes"],{task:a.task})},a.task)),o("div",{class:"cells"},h),f),x()}function nf(e,t,n){let l=o("div",null);return Le(
e,l,async()=>{let i=await Ql(t,n.id,e.signal);return[Si(i),Vl(i,1200)]}),o("section",{class:"panel"},o("h2",null,o("a",{
href:st(t,n.id)},`sample ${M(n.sample)}`)," ",Nn(n)),l)}function Xa(e){let t=e.some(n=>n.model);return Ue([{title:"member",cell:n=>o("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>M(n.turns)},{title:"prompt tokens",right:!0,cell:n=>M(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>M(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>dn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${M(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var Za=200;
function ec(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>0?Qa(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),l=Hl(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),i=[],s=new Set,a=(l.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;a.length>0;){let g=a.pop();if(s.has(g.call.call_id))continue;s.add(g.call.call_id),
i.push(g);let b=l.get(g.call.call_id)??[],x=b.length>1;for(let E of b.toReversed())a.push({call:E,depth:g.depth+(x?1:0),
branch:x})}for(let g of t)s.has(g.call_id)||i.push({call:g,depth:0,branch:!1});let p=o("div",{class:"forest"}),f=g=>H(p,
i.slice(0,g).map(lf),i.length>g?o("button",{onclick:()=>f(g+Za)},`show more: ${$e(i.length-g,"call")} are left`):null);f(
Za);let h=(l.get("")??[]).length;return[o("p",{class:"dim"},`${$e(t.length,"call")} in ${$e(h,"tree")}. A branch goes on\
 from an earlier answer; what is not trained is marked.`),p,(e.chains??[]).length>0?Qa(e.chains):null]}function lf({call:e,
depth:t,branch:n}){let l=!e.parent,i=[o("span",{class:"twig"},l?"\u25CF":n?"\u251C":"\u2502"),o("code",null,e.call_id),e.
agent?o("span",null,e.agent):null,e.auxiliary?o("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?
o("span",{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?o("span",{class:"dim"},dt(e.finish)):null,o("sp\
an",{class:"dim"},`${M(e.prompt_tokens)} + ${M(e.output_tokens)} tokens`),o("span",{class:"oneline dim"},(e.text??"").slice(
0,200))],s=Ce(i,()=>e.text?Ie(e.text):o("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" u\
ntrained":""));return s.style.setProperty("--depth",String(Math.min(t,24))),s}function Qa(e){return Ce([o("b",null,"chai\
ns"),o("span",{class:"dim"},` ${e.length}`)],()=>Ue([{title:"chain",cell:t=>o("code",null,t.chain)},{title:"agent",cell:t=>t.
agent??""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>M(t.
reward)},{title:"digest",wide:!0,cell:t=>o("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var ml=1500,Qt=(e,t)=>e?.[t]??null;function Ks(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function lc(e,t){let[
n,l]=[Qt(e.logprobs,t),Qt(e.trainer_logprobs,t)];return n===null||l===null?null:l-n}var Ys=(e,t)=>e.reduce((n,l)=>Math.max(
n,Math.abs(l)),t),tc=e=>({low:-Ys(e,1),high:0}),nc=[{name:"mask",label:"trained",value:Ks,scale:()=>xi(1)},{name:"sample\
r",label:"log-probability, sampler",value:(e,t)=>Qt(e.logprobs,t),scale:tc},{name:"trainer",label:"log-probability, trai\
ner",value:(e,t)=>Qt(e.trainer_logprobs,t),scale:tc},{name:"gap",label:"gap",value:lc,scale:e=>xi(Ys(e,1e-6))},{name:"ad\
vantage",label:"advantage",value:(e,t)=>Qt(e.advantages,t),scale:e=>xi(Ys(e,1e-6))}];function ic(e){if(!e||e.length===0)
return o("p",{class:"dim"},"The tokens of this episode are not on record: the framework has them. ","With the local adap\
ter and TRL, all columns can be recorded.");let t=o("div",null),n=i=>H(t,new Js(e[i]).element);if(n(0),e.length===1)return t;
let l=o("select",{"aria-label":"row"},e.slice(0,500).map((i,s)=>o("option",{value:String(s)},`row ${s+1} of ${e.length}${i.
chain?`: ${i.chain}`:""}`)));return l.addEventListener("change",()=>n(Number(l.value))),[l,t]}var Js=class{constructor(t){
this.row=t;this.text.addEventListener("mouseover",n=>this.point(n.target)),this.text.addEventListener("click",n=>this.point(
n.target)),this.text.addEventListener("keydown",n=>{let l={ArrowRight:1,ArrowLeft:-1}[n.key];l!==void 0&&(n.preventDefault(),
n.stopPropagation(),this.stand(this.at<0?this.from:this.at+l))}),H(this.element,this.tabs,this.legend,this.readout,this.
text,this.pager),this.draw(),this.tell(-1)}row;element=o("div",{class:"tokens"});measure=nc[0];from=0;text=o("div",{class:"\
row",dir:"auto",tabindex:0,role:"group","aria-label":"tokens"});readout=o("div",{class:"readout",role:"status"});tabs=o(
"div",{class:"tabs"});pager=o("div",{class:"pager"});legend=o("div",{class:"legend"});at=-1;get length(){return this.row.
ids.length}draw(){let{row:t,measure:n}=this,l=[],i=0;for(let f=0;f<this.length;f++){let h=n.value(t,f);h===null?i++:l.push(
h)}let s=n.scale(l);H(this.tabs,nc.map(f=>o("button",{class:"tab"+(f===n?" here":""),"aria-pressed":f===n?"true":"false",
onclick:()=>{this.measure=f,this.draw()}},f.label))),H(this.legend,l.length===0?o("p",{class:"unknown"},`${n.label}: unk\
nown for all tokens. This framework does not report it.`):this.ramp(s,l,i));let a=Math.min(this.length,this.from+ml),p=[];
for(let f=this.from;f<a;f++)p.push(this.token(f,n.value(t,f),s));H(this.text,p),this.drawPager(a)}ramp(t,n,l){if(this.measure.
name==="mask"){let i=n.reduce((s,a)=>s+a,0);return o("p",{class:"ramp"},o("i",{class:"one high"}),`${M(i)} trained`,o("i",
{class:"one plain"}),`${M(n.length-i)} not trained`,l>0?[o("i",{class:"hatched"}),`${M(l)} unknown`]:null,this.cutWords())}
return o("p",{class:"ramp"},M(t.low,3),o("i",null),M(t.high,3),l>0?[o("i",{class:"hatched"}),`${M(l)} unknown`]:null,this.
cutWords())}cutWords(){let{total:t}=this.row;return!t||t<=this.length?null:o("span",{class:"badge warn"},`the first ${M(
this.length)} of ${M(t)} tokens`)}token(t,n,l){let i=this.row.text?.[t],s=o("span",{class:"token",data:{i:String(t)}},i==
null?`\u27E8${this.row.ids[t]}\u27E9`:sf(i));return i?.includes(`
`)&&s.classList.add("ends"),t===this.row.prompt_length&&s.classList.add("first"),$t(s,n,l)}drawPager(t){let n=i=>{this.from=
Math.max(0,Math.min(i,this.length-1)),this.draw()},l=this.largest();H(this.pager,o("button",{disabled:this.from===0,onclick:()=>n(
this.from-ml)},"\u2190"),o("span",null,`tokens ${M(this.from+1)} to ${M(t)} of ${M(this.length)}`),o("button",{disabled:t>=
this.length,onclick:()=>n(this.from+ml)},"\u2192"),o("button",{disabled:this.firstTrained()<0,onclick:()=>this.stand(this.
firstTrained())},"First trained"),l>=0&&this.measure.name!=="mask"?o("button",{onclick:()=>this.stand(l)},`Largest ${this.
measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Ks(this.row,t)===1)return t;
return-1}largest(){let[t,n]=[-1,-1];for(let l=0;l<this.length;l++){let i=this.measure.value(this.row,l);i!==null&&Math.abs(
i)>n&&([t,n]=[l,Math.abs(i)])}return t}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){
t<0||t>=this.length||((t<this.from||t>=this.from+ml)&&(this.from=Math.floor(t/ml)*ml,this.draw()),this.mark(t),this.text.
querySelector(".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("h\
ere"),this.text.children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,l=a=>a===
null?o("span",{class:"unknown"},eo):o("b",null,M(a)),i=t<0?null:Ks(n,t),s=t<0?null:Qt(n.turn_ids,t);H(this.readout,t<0?o(
"span",{class:"dim"},`${$e(this.length,"token")}: point at one for its values`):[o("span",null,"token ",o("b",null,M(t)),
" ",o("code",null,El(n.text?.[t]??"")),o("span",{class:"dim"},` id ${n.ids[t]}`)),o("span",null,i===null?o("span",{class:"\
unknown"},"trained: unknown"):i?"trained":"not trained"),s===null||s<0?null:o("span",null,"turn ",o("b",null,M(s+1))),o(
"span",null,"sampler ",l(Qt(n.logprobs,t))),o("span",null,"trainer ",l(Qt(n.trainer_logprobs,t))),o("span",null,"gap ",l(
lc(n,t))),o("span",null,"advantage ",l(Qt(n.advantages,t)))])}};function sf(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".
repeat(e.length):El(e)}var sc=150,rf=["queue","model","tool","reward","host"];function rc(e){if(e.length===0)return o("p",{class:"dim"},"No tim\
es are on record.");let t=Math.min(...e.slice(0,5e4).map(a=>a.start_ms)),n=Math.max(...e.slice(0,5e4).map(a=>a.start_ms+
a.ms)),l=Math.max(n-t,1e-9),i=o("div",{class:"waterfall"}),s=a=>H(i,e.slice(0,a).map(p=>af(p,t,l)),e.length>a?o("button",
{onclick:()=>s(a+sc)},`show more: ${$e(e.length-a,"bar")} are left`):null);return s(sc),[of(e),i,o("p",{class:"axis dim"},
o("span",null,"0"),o("span",null,dn(l)))]}function Zs(e){return rf.includes(e)?e:"other"}function of(e){let t=new Map;for(let i of e)
t.set(i.part,(t.get(i.part)??0)+i.ms);let n=[...t.values()].reduce((i,s)=>i+s,0)||1,l=[...t].sort((i,s)=>s[1]-i[1]);return o(
"div",null,o("div",{class:"stack","aria-hidden":"true"},l.map(([i,s])=>o("i",{class:"part "+Zs(i),vars:{"--share":`${100*
s/n}%`}}))),o("p",{class:"chips"},l.map(([i,s])=>o("span",{class:"key"},o("i",{class:"swatch part "+Zs(i)}),`${i} `,o("b",
null,dn(s)),o("span",{class:"dim"},` ${Math.round(100*s/n)} %`)))))}function af(e,t,n){let l=100*(e.start_ms-t)/n,i=Math.
max(.3,100*e.ms/n);return o("div",{class:"wait",title:`${e.label??e.part}: ${dn(e.ms)}, from ${dn(e.start_ms-t)}`},o("sp\
an",{class:"name"},e.label||e.part),o("span",{class:"lane"},o("i",{class:"part "+Zs(e.part),vars:{"--left":`${Math.min(l,
99.7)}%`,"--share":`${Math.min(i,100)}%`}})),o("span",{class:"ms"},dn(e.ms)))}async function ac(e,t,n){e.title(Zt(t),{text:`episode ${n}`});let l=await Ql(t,n,e.signal),i=l.episode;e.title(Zt(t),{text:`\
step ${i.step}`,href:Ye(t,i.step,{split:i.split})},{text:n});let s=l.siblings??[];cf(e,t,l),H(e.root,o("div",{class:"bar"},
o("h1",null,n),Nn(i),o("span",{class:"grow"}),(l.commands??[]).map(a=>Pn(a))),l.failure?o("div",{class:"trouble"},o("h2",
null,`Failed: ${dt(l.failure.class)}`),Ie(l.failure.detail??"")):null,s.length>1?uf(t,l,s):null,o("div",{class:"episode"},
o("div",null,ve("Conversation",Vl(l)),gf(l),hf(l),mf(l),cc(ve("Tokens",ic(l.tokens?.rows)))),o("aside",null,ve("Reward",
Si(l),df(l)),ff(l.madness??[]),pf(t,l),ve("Where the time went",rc(l.times??[])),bf(l.attempts??[]),oc("Environment's st\
ate",l.state),oc("What the agent left",l.metadata),wf(e,t,n))))}function cf(e,t,n){let l=n.siblings??[],i=l.findIndex(a=>a.
id===n.episode.id),s=a=>{let p=l[i+a];p&&(location.hash=st(t,p.id))};e.key("ArrowLeft","sample before",()=>s(-1)),e.key(
"ArrowRight","next sample",()=>s(1)),e.key("b","the group side by side",()=>{location.hash=Tl(t,n.episode.group,n.episode.
step,n.episode.split)}),e.key("o","open or fold all calls",()=>{let a=[...document.querySelectorAll("details.call, detai\
ls.thinks")],p=!a.some(f=>f.open);for(let f of a)f.open=p}),e.key("c","copy the command that shows it in a terminal",()=>{
document.querySelector("main button.copy")?.click()})}function uf(e,t,n){let l=t.episode,i=Mt(n.map(s=>s.reward));return o(
"div",{class:"siblings"},o("a",{href:Tl(e,l.group,l.step,l.split)},`group ${l.group}`),o("div",{class:"cells"},n.slice(0,
300).map(s=>mn(e,s,i,s.id===l.id))))}function pf(e,t){let n=t.episode;return ve("About",un([["task",o("a",{href:Q(["run",
e,"episodes"],{task:n.task}),title:"this task through time"},n.task)],["split",n.split==="validation"?"held-out":"traini\
ng"],["step",M(n.step)],["sample",M(n.sample)],["turns",M(n.turns)],["tokens",M(n.tokens)],["took",pt(n.seconds)],["coun\
ts",n.standing?dt(n.standing):null]]))}function df(e){let t=[];return e.use&&t.push(`In training: ${dt(e.use)}.`),e.why&&
t.push(`Not trained because of: ${dt(e.why)}.`),e.masked&&!e.use&&t.push("It is masked: it counts in its group, and is n\
ot trained on."),e.drop_group&&t.push("Its group is dropped."),t.length>0?o("p",{class:"dim"},t.join(" ")):null}function ff(e){
return e.length===0?null:ve("Checks that were not passed",e.slice(0,100).map(t=>o("p",null,o("span",{class:"badge warn"},
t.check),` turn ${t.turn} of ${t.agent}: ${dt(t.reason)} in its ${t.part}`,t.near?[", near ",o("code",null,t.near)]:null)))}
function hf(e){return(e.members??[]).length>0?ve("Members",Xa(e.members)):null}function mf(e){let t=ec(e);return t===null?
null:cc(ve("Calls of the program",t))}function cc(e){return e.classList.add("late"),e}function gf(e){let t=e.own_steps??
[];return t.length===0?null:ve("The agent's own steps",t.slice(0,200).map((n,l)=>Ce(`step ${l+1}`,()=>Vl({episode:e.episode,
messages:n.messages}))))}function bf(e){return e.length<2&&!e.some(t=>t.class)?null:ve("Attempts",e.slice(0,100).map(t=>o(
"div",{class:"attempt"},o("p",null,o("b",null,M(t.attempt))," ",Nn(t),o("span",{class:"dim"},t.started?` from ${Cn(t.started)}`:
"",t.seconds===void 0?"":`, ${pt(t.seconds)}`)),t.detail?Ie(t.detail,600):null)))}function oc(e,t){return t==null?null:ve(
e,Ce("show",()=>Ie(JSON.stringify(t,null,2))))}function wf(e,t,n){return ve("Private part of the task",Ce("show it: it h\
olds the answer that no agent may see",()=>{let l=o("div",null);return Le(e,l,async()=>{let i=await zr(t,n,e.signal);return Ie(
JSON.stringify("private"in i?i.private:i,null,2))}),l}))}var xf=240;async function pc(e,t){e.title(Zt(t),{text:"validations"});let n=o("div",null);H(e.root,o("div",{class:"bar"},
o("h1",null,"Validations"),vf(e)),n),await Le(e,n,()=>yf(e,t))}var Nl=()=>{};function vf(e){return e.key("ArrowLeft","va\
lidations before",()=>Nl(-1)),e.key("ArrowRight","later validations",()=>Nl(1)),o("span",{class:"turn"},o("button",{title:"\
validations before (\u2190)","aria-label":"validations before",onclick:()=>Nl(-1)},"\u2190"),o("button",{title:"later va\
lidations (\u2192)","aria-label":"later validations",onclick:()=>Nl(1)},"\u2192"))}async function yf(e,t){let n=e.query.
get("cursor")??void 0,l=await Hr(t,n,e.signal);if(l.tasks.length===0)return o("p",{class:"empty"},"This run has not vali\
dated yet.");let i=o("div",null),s=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/xf)),a=Math.max(
0,l.steps.length-s()),p=()=>H(i,kf(t,l,l.steps.slice(a,a+s())));Nl=g=>{a=Math.min(Math.max(0,l.steps.length-s()),Math.max(
0,a+g*s())),p()},p();let f=["run",t,"validations"],h=()=>{l.next&&(location.hash=Q(f,{cursor:l.next}))};return e.key("n",
"next page",h),[i,l.next||n?o("div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.hash=Q(f)}},"First pag\
e"),o("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!l.next,onclick:h},"Next pag\
e \u2192")):null]}function kf(e,t,n){let l=Mt(t.tasks.flatMap(i=>i.episodes.map(s=>s.reward)));return o("div",{class:"sc\
roll"},o("table",{class:"answers"},o("thead",null,o("tr",null,o("th",null,"task"),n.map(i=>o("th",null,o("a",{href:Ye(e,
i,{split:"validation"})},`after step ${M(i)}`))))),o("tbody",null,t.tasks.map(i=>o("tr",{class:"item",data:{href:uc(e,i.
task)}},o("th",null,o("a",{href:uc(e,i.task)},i.task)),n.map(s=>o("td",null,i.episodes.filter(a=>a.step===s).map(a=>$t(o(
"a",{class:"cell answer",href:st(e,a.id)},o("b",null,M(a.reward,3),a.success===!0?" \u2713":""),o("span",null,ki(a.answer)||
"no answer")),a.reward,l)))))))))}var uc=(e,t)=>Q(["run",e,"episodes"],{task:t,split:"validation"});var Ei=o("main",{tabindex:"-1"}),er=o("nav",{class:"crumbs","aria-label":"Where this is"}),Xs=o("span",{class:"connectio\
n",role:"status"}),Qs=new AbortController;function Sf(){Qr(),dc(),It(document.body,[o("header",null,o("a",{class:"home",
href:Q([])},"awhost"),er,Xs,o("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>ls()},"?"),o("but\
ton",{class:"quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:as},"\u25D0")),Ei]),Br(),cn("j","next\
 item",()=>ns(1)),cn("k","item before",()=>ns(-1)),cn("Enter","open or fold the item",()=>Kr()),cn("/","go to the filter",
Mf),cn("u","up, to what this is part of",Ef),cn("t","light or dark",as),cn("?","these keys",()=>ls()),addEventListener("\
hashchange",()=>{dc(),Mi()}),Mi()}function dc(){let e=os(location.hash);e&&(Ji(e.token),history.replaceState(null,"",e.rest))}
function Mf(){Ei.querySelector("[data-filter]")?.focus()}function Ef(){let e=er.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??Q([])}function Mi(){if(Qs.abort(),Qs=new AbortController,Ur(),fc("off"),!Rr()){Lf();return}let{path:e,
query:t}=rs(location.hash),n=Tf(t,Qs.signal),l=n.root;H(Ei,l),scrollTo(0,0),_f(n,e).catch(i=>{n.signal.aborted||H(l,cs(i,
Mi))})}function Tf(e,t){return{root:o("div",{class:"view"}),signal:t,query:e,key:(n,l,i)=>Gr(n,l,()=>{t.aborted||i()}),onLive:(n,l)=>Jr(
n,t,l,i=>{t.aborted||fc(i)}),title:(...n)=>{document.title=[...n].reverse().map(l=>l.text).concat("awhost").join(" \xB7 "),
H(er,n.map(l=>[o("span",{class:"slash","aria-hidden":"true"},"/"),l.href?o("a",{href:l.href},l.text):o("span",{"aria-cur\
rent":"page"},l.text)]))}}}async function _f(e,t){let[n,l,i,s]=t;if(n===void 0)return to(e);if(n==="compare")return Va(e);
if(n==="run"&&l!==void 0){if(i===void 0)return Fa(e,l);if(i==="step"&&/^\d+$/.test(s??""))return Us(e,l,Number(s));if(i===
"episodes")return Us(e,l,void 0);if(i==="group"&&s!==void 0)return Ja(e,l,s);if(i==="episode"&&s!==void 0)return ac(e,l,
s);if(i==="validations")return pc(e,l)}e.title({text:"not found"}),H(e.root,o("section",{class:"trouble"},o("h2",null,"T\
here is no such view."),o("p",null,"The address was cut off, or is of another version of awhost. ",o("a",{href:Q([])},"A\
ll runs"))))}function fc(e){Xs.className="connection "+e,H(Xs,{live:"live",lost:"no connection, trying again",off:""}[e])}
function Lf(){let e=o("input",{type:"password","aria-label":"token",autocomplete:"off",size:40}),t=o("form",null,e,o("bu\
tton",null,"Open"));t.addEventListener("submit",n=>{n.preventDefault();let l=e.value.trim();Ji(os(l.slice(Math.max(0,l.indexOf(
"#"))))?.token??l),Mi()}),H(Ei,o("section",{class:"trouble"},o("h2",null,"This page needs a token."),o("p",null,"Open th\
e link that awhost ui prints, or paste the link or its token here. A tab keeps its token until it is closed."),t)),e.focus()}
Sf();})();
