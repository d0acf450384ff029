"use strict";(()=>{function Nr(e){let t=e.getElementById("awhost-data");return t?tu(JSON.parse(t.textContent??"{}")):null}function tu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(n,l={})=>lu(n,t.get(nu(n)),l)}}function nu(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function lu(e,t,n){if(t===void 0)return;let l=e.split("/");switch(l.length===
4?l[3]:""){case"episodes":return iu(t.episodes,n);case"steps":{let{steps:i}=t;return{steps:i.filter(s=>s.step>=Number(n.
from)&&s.step<=Number(n.to))}}case"metrics":{let i=new Set([n.name??[]].flat().map(String)),{series:s}=t;return{series:Object.
fromEntries(Object.entries(s).filter(([a])=>i.size===0||i.has(a)))}}}return t}function iu(e,t){let n=["step","split","gr\
oup","task","outcome","class"].filter(d=>t[d]!==void 0),l=e.filter(d=>n.every(m=>String(d[m]??"")===String(t[m]))),i=String(
t.sort??"order"),s=i.replace(/^-/,"");(s==="reward"||s==="turns"||s==="seconds")&&l.sort(su(s,i.startsWith("-")?-1:1));let a=Number(
t.cursor??0),p=i==="group"?l.length:a+Number(t.limit??100);return{episodes:l.slice(a,p),next:p<l.length?String(p):void 0,
total:l.length}}function su(e,t){return(n,l)=>{let[i,s]=[n[e],l[e]];return typeof i!="number"||typeof s!="number"?+(typeof s==
"number")-+(typeof i=="number"):t*(i-s)}}function Xl(e,t){try{return e().getItem(t)}catch{return null}}function ei(e,t,n){try{e().setItem(t,n)}catch{}}var Or="awhost-token",sl=Nr(document),ns=sl?"":Xl(()=>sessionStorage,Or)??"";function ls(e){ns=e,ei(()=>sessionStorage,Or,
e)}function Vr(){return ns!==""||sl!==null}var on=sl?.open,Yt=class extends Error{constructor(n,l,i){super(l);this.status=
n;this.summary=l;this.detail=i}status;summary;detail};function ru(e,t){let n=new URLSearchParams;for(let[i,s]of Object.entries(
t??{}))for(let a of Array.isArray(s)?s:[s])a!==void 0&&a!==""&&n.append(i,String(a));let l=n.toString();return l===""?e:
`${e}?${l}`}async function Fr(e,t,n){if(sl)throw Wr();let l;try{l=await fetch(ru(e,t),{signal:n,headers:{Authorization:`\
Bearer ${ns}`},cache:"no-store",credentials:"omit",redirect:"error"})}catch(i){throw n.aborted?i:new Yt(0,"The server do\
es not answer.","awhost ui may have ended: start it again, and reload the page.")}if(!l.ok)throw await ou(l);return l}async function ou(e){
let t=await e.json().catch(()=>null);return new Yt(e.status,t?.error?.summary??`The server answered ${e.status}.`,t?.error?.
detail??"")}async function jt(e,t,n){return sl?au(e,t):await(await Fr(e,t,n)).json()}function au(e,t){let n=sl.answer(e,
t);if(n!==void 0)return n;throw Wr()}function Wr(){return new Yt(404,"This file does not hold that.","awhost ui shows al\
l of the run, where its directory is.")}var an=e=>`api/runs/${encodeURIComponent(e)}`,qr=(e,t)=>`${an(e)}/episodes/${encodeURIComponent(
t)}`,ti=e=>jt("api/runs",void 0,e),_n=(e,t)=>jt(an(e),void 0,t),ni=(e,t,n,l)=>jt(`${an(e)}/metrics`,{name:t,after:n},l),
_l=(e,t,n,l)=>jt(`${an(e)}/steps`,{from:t,to:n},l),Ll=(e,t,n)=>jt(`${an(e)}/episodes`,t,n),li=(e,t,n)=>jt(qr(e,t),void 0,
n),jr=(e,t,n)=>jt(`${qr(e,t)}/private`,void 0,n),Ir=(e,t,n)=>jt(`${an(e)}/validations`,{cursor:t},n),Gr=(e,t)=>jt(`${an(
e)}/waits`,void 0,t),Ur=(e,t)=>Fr(`${an(e)}/live`,void 0,t);async function Br(e,t,n){let l=await jt("api/compare",{run:[
e,t]},n);return"comparison"in l?l.comparison:l}var cu=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
Jr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,uu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
pu=/^[\n\t -~]*$/,Kr=/\p{M}/u,Yr=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,is=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),du=4;function rs(e){if(pu.test(e))return[{text:e,escaped:!1}];let t=new ss;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function cn(e){return rs(e).map(t=>t.text).join("")}function Pl(e){return cn(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var ss=class{out=[];shown="";before="";marks=0;take(t,n){let l=t.codePointAt(n);if(l===13&&
t[n+1]===`
`)return 1;if(l===27||l===155){let s=cu.exec(t.slice(n,n+512));if(s)return this.escape(fu(s[0])),s[0].length}let i=String.
fromCodePoint(l);return this.isShown(i,t,n+i.length)?(this.marks=Kr.test(i)?this.marks+1:0,this.shown+=i,this.before=i):
this.escape(Qr(l)),i.length}done(){return this.flush(),this.out}isShown(t,n,l){if(t===`
`||t==="	"||!uu.test(t))return!0;if(Kr.test(t)&&!Jr.test(t))return this.marks<du;let i=l<n.length?String.fromCodePoint(n.
codePointAt(l)):"";switch(t){case"\u200D":return Yr.test(this.before)&&Yr.test(i)||is.test(this.before);case"\u200C":return is.
test(this.before)&&is.test(i);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function fu(e){return[...e].map(t=>Jr.test(t)?Qr(t.codePointAt(
0)):t).join("")}function Qr(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function o(e,t,...n){let l=document.createElement(e);for(let[i,s]of Object.entries(t??{}))mu(l,i,s);return It(l,n),l}function mu(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[l,i]of Object.entries(n))e.style.setProperty(l,i);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":cn(String(n)))}}function It(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?It(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(cn(String(n)))))}function H(e,...t){e.replaceChildren(),It(e,t)}var hu=6e3,gu=1e5;
function je(e,t=hu){let n=o("div",{class:"prose",dir:"auto"}),l=0,i=p=>{let d=bu(e,Math.min(p,e.length));for(let m of rs(
e.slice(l,d)))n.append(m.escaped?o("span",{class:"escape"},m.text):m.text);l=d};if(i(t),l===e.length)return n;let s=o("b\
utton",{class:"quiet",onclick:()=>{i(l+gu),l===e.length?s.remove():a()}}),a=()=>H(s,`show more: ${Zr(e.length-l)} of ${Zr(
e.length)} characters are left`);return a(),o("div",null,n,s)}function Zr(e){return e.toLocaleString("en")}function bu(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var ii=new Map,as=new Map;function Xr(e,t,n){ii.set(e,{what:t,act:n})}function un(e,t,n){as.set(e,{what:t,act:n})}function eo(){
ii.clear()}function to(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),os();return}if(wu(e.target))return;let t=ii.
get(e.key)??as.get(e.key);t&&(e.preventDefault(),t.act())})}function wu(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function cs(e){let t=[...document.querySelectorAll("main .item")].filter(
i=>i.offsetParent!==null);if(t.length===0)return;let n=t.findIndex(i=>i.classList.contains("current")),l=n<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[l].classList.add("current"),t[l].scrollIntoView(
{block:"nearest"})}function no(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function us(){
if(os())return;let e=[...ii,...as,["Esc",{what:"leave a field, close this"}]],t=o("dialog",{class:"help","aria-label":"K\
eys"},o("h2",null,"Keys"),o("table",null,o("tbody",null,e.map(([n,l])=>o("tr",null,o("td",null,o("kbd",null,vu[n]??n)),o(
"td",null,l.what))))),o("button",{onclick:()=>os()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var vu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function os(){
let e=document.querySelector("dialog.help");return e?.close(),e!==null}var yu=1e3,lo=45e3;function io(e,t,n,l){ku(e,t,new ps(n,t),l)}async function ku(e,t,n,l){let i=500;for(let s=!0;!t.aborted;s=
!1){try{await Su(e,t,a=>n.take(a),()=>{l("live"),i=500,s||n.take({kind:"state"})})}catch(a){if(a instanceof Yt&&a.status>=
400&&a.status<500)break}if(t.aborted)break;l("lost"),await Mu(i,t),i=Math.min(2*i,15e3)}l("off")}async function Su(e,t,n,l){
let i=new AbortController,s=()=>i.abort();t.addEventListener("abort",s,{once:!0});let a=setTimeout(s,lo);try{let d=(await Ur(
e,i.signal)).body.pipeThrough(new TextDecoderStream).getReader();l();for(let m="";;){let{done:b,value:g}=await d.read();
if(b)return;clearTimeout(a),a=setTimeout(s,lo),m=Eu(m+g,n)}}finally{clearTimeout(a),t.removeEventListener("abort",s),i.abort()}}
function Eu(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),l=n.pop();for(let i of n){let s=i.split(`
`).filter(a=>a.startsWith("data:")).map(a=>a.slice(5).trimStart()).join(`
`);if(s!=="")try{t(JSON.parse(s))}catch{t({kind:"state"})}}return l}var ps=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},yu)}};function Mu(e,t){return new Promise(n=>{let l=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(l),n()},{once:!0})})}function fs(e){let[t="",n=""]=Tu(e.replace(/^#/,""));return{path:t.split("/").filter(l=>l!=="").map(ds),query:new URLSearchParams(
n)}}function Tu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function ds(e){try{return decodeURIComponent(
e)}catch{return e}}function Y(e,t={}){let n=new URLSearchParams;for(let[i,s]of Object.entries(t))for(let a of Array.isArray(
s)?s:[s])a!==void 0&&a!==""&&n.append(i,String(a));let l=n.toString();return"#/"+e.map(i=>encodeURIComponent(i)).join("/")+
(l?"?"+l:"")}var Pn=e=>Y(["run",e]),Ye=(e,t,n={})=>Y(["run",e,"step",t],n),rt=(e,t)=>Y(["run",e,"episode",t]),Cl=(e,t,n,l)=>Y(
["run",e,"group",t],{step:n,split:l});function ms(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:ds(
t[1]),rest:"#"+(t[2]?ds(t[2]):"/")};let{path:n,query:l}=fs(e),i=l.get("token");if(i===null)return null;l.delete("token");
let s=l.toString();return{token:i,rest:"#/"+n.map(encodeURIComponent).join("/")+(s?"?"+s:"")}}var so="awhost-theme";function _u(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function ro(){let e=Xl(()=>localStorage,so);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function hs(){let e=_u()?"light":"dark";ei(()=>localStorage,so,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function oo(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function Jt(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function gs(e,t){let[n,l]=e instanceof Yt?[e.summary,e.detail]:["The page could not draw this.",e instanceof Error?e.message:
String(e)];return o("section",{class:"trouble",role:"alert"},o("h2",null,n),o("p",null,l),o("button",{onclick:t},"Try ag\
ain"))}async function Le(e,t,n){t.setAttribute("aria-busy","true");let l=setTimeout(()=>H(t,o("p",{class:"dim"},"Loading\
 \u2026")),200);try{let i=await n();e.signal.aborted||H(t,i)}catch(i){e.signal.aborted||H(t,gs(i,()=>{Le(e,t,n)}))}finally{
clearTimeout(l),t.removeAttribute("aria-busy")}}function me(e,...t){let n=o("section",{class:"panel"},o("h2",null,e));return It(
n,t),n}function Ae(e,t,n=!1,l=""){let i=o("details",{class:"fold "+l},o("summary",null,e)),s=!1,a=()=>{s||!i.open||(s=!0,
It(i,[t()]))};return i.addEventListener("toggle",a),n&&(i.open=!0,a()),i}function Ie(e,t,n){let l=s=>[s.right?"right":"",
s.wide?"wide":"",s.half?"half":""].join(" ").trim()||void 0,i=o("tbody",null,t.map(s=>{let a=o("tr",null,e.map(p=>o("td",
{class:l(p)},p.cell(s))));return n&&(a.classList.add("item"),a.dataset.href=n(s)),a}));return o("div",{class:"scroll"},o(
"table",null,o("thead",null,o("tr",null,e.map(s=>o("th",{class:l(s)},s.title)))),i))}function pn(e){return o("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>o("div",null,o("dt",null,t),o("dd",null,n))))}function Cn(e,t=e){
let n=o("span",null,t),l=o("button",{class:"copy",title:"copy: "+e},n);return l.addEventListener("click",()=>{Lu(e).then(
i=>{l.classList.add("done"),H(n,i?"copied":"not copied: select it by hand"),setTimeout(()=>{H(n,t),l.classList.remove("d\
one")},1200)})}),l}async function Lu(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var ao="unknown";function E(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return si(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?si(e.toExponential(2)):si(String(Number(e.toPrecision(t))))}function si(e){return e.replace(/^-/,"\u2212")}function ot(e){
return e==null||!Number.isFinite(e)?"\u2013":si((100*e).toFixed(1))+" %"}function $t(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function dn(e){
return e==null?"\u2013":e<1?`${E(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Je(e/1e3)}function Je(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return Pu(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,l]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${l} min`:`${l} min ${t%60} s`}function Pu(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function An(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=l=>String(
l).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function ri(e,t){return e?Je(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function Pe(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function at(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var $n=50,Cu=5e3;async function co(e){e.title();let t=new Set,n=o("div",null),l=o("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),i=o("button",{disabled:!0,onclick:()=>s()},"Comp\
are");H(e.root,o("div",{class:"bar"},o("h1",null,"Runs"),l,i),n);let s=()=>{t.size>1&&(location.hash=Y(["compare"],{run:[
...t]}))};e.key("c","compare the chosen runs",s),e.key("x","choose the run for a comparison",()=>{document.querySelector(
"tr.current input")?.click()});let a=[],p=0,d=()=>H(n,m()),m=()=>{let v=l.value.trim().toLowerCase(),M=a.filter(D=>v===""||
$u(D).includes(v));p=Math.min(p,Math.max(0,Math.ceil(M.length/$n)-1));let L=D=>{let q=o("input",{type:"checkbox","aria-l\
abel":`compare ${D.name}`,checked:t.has(D.name)});return q.addEventListener("change",()=>{q.checked?t.add(D.name):t.delete(
D.name),i.disabled=t.size<2,H(i,t.size<2?"Compare":`Compare ${t.size} runs`)}),q},$=D=>{p+=D,d()};return[M.length===0?Ru(
a.length):Du(M.slice(p*$n,(p+1)*$n),L),M.length>$n?o("div",{class:"pager"},o("button",{disabled:p===0,onclick:()=>$(-1)},
"\u2190 Newer"),o("span",null,`${p*$n+1} to ${Math.min(M.length,(p+1)*$n)} of ${M.length}`),o("button",{disabled:(p+1)*$n>=
M.length,onclick:()=>$(1)},"Older \u2192")):null]};l.addEventListener("input",()=>{p=0,d()});let b=async()=>{a=(await ti(
e.signal)).runs};await Le(e,n,async()=>(await b(),m()));let g=setInterval(()=>{!a.some(v=>v.live)||document.hidden||n.contains(
document.activeElement)||b().then(()=>Au(d),()=>{})},Cu);e.signal.addEventListener("abort",()=>clearInterval(g),{once:!0})}
function Au(e){let t=document.querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll(
"tr.item"))n.dataset.href===t&&n.classList.add("current")}function $u(e){return[e.name,e.spec,e.train,e.adapter,e.status,
e.outcome,e.stage,e.machine].join(" ").toLowerCase()}function Ru(e){return e>0?o("p",{class:"empty"},"No run has these w\
ords."):me("No runs yet",o("p",null,"A run that begins in this folder shows up here: "),Cn("awhost apply"))}function Du(e,t){
let n=e.some(l=>l.machine);return Ie([{title:"",cell:t},{title:"run",cell:l=>o("a",{class:"short",href:Pn(l.name),title:l.
name},l.name)},{title:"status",cell:Al},{title:"step",right:!0,cell:zu},{title:"held-out success",right:!0,cell:$l},{title:"\
stage",cell:l=>l.stage??"\u2013"},{title:"adapter",cell:l=>l.adapter??"\u2013"},{title:"spec",wide:!0,cell:l=>l.problem?
o("span",{class:"bad"},l.problem):l.spec},...n?[{title:"where",cell:l=>l.machine??"\u2013"}]:[],{title:"started",cell:l=>An(
l.started)},{title:"took",right:!0,cell:l=>l.live||l.ended?ri(l.started,l.live?void 0:l.ended):"\u2013"},{title:"disk",right:!0,
cell:l=>$t(l.disk_bytes)}],e,l=>Pn(l.name))}function Al(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"liv\
e":t?"bad":e.status==="finished"?"good":"warn",l=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:
e.status;return o("span",{class:"badge "+n},l)}function zu(e){if(e.step<0)return"\u2013";let t=e.steps?o("progress",{value:e.
step,max:e.steps,"aria-hidden":"true"}):null;return[o("span",null,E(e.step),e.steps?o("span",{class:"dim"},` of ${E(e.steps)}`):
null),t]}function $l(e){return e.success_after===void 0&&e.success_before===void 0?"\u2013":e.success_after===void 0?[ot(
e.success_before),o("span",{class:"dim"}," before")]:[o("span",{class:"dim"},`${ot(e.success_before)} \u2192 `),ot(e.success_after)]}var Hu="uplot",Nu="u-hz",Ou="u-vt",Vu="u-title",Fu="u-wrap",Wu="u-under",qu="u-over",ju="u-axis",zn="u-off",Iu="u-select",
Gu="u-cursor-x",Uu="u-cursor-y",Bu="u-cursor-pt",Ku="u-legend",Yu="u-live",Ju="u-inline",Qu="u-series",Zu="u-marker",uo="\
u-label",Xu="u-value",Dl="width",zl="height";var po="bottom",rl="left",bs="right",Ds="#000",fo=Ds+"0",ws="mousemove",mo="mousedown",vs="mouseup",ho="mouseenter",go="\
mouseleave",bo="dblclick",ep="resize",tp="scroll",wo="change",pi="dppxchange",zs="--",fl=typeof window<"u",Es=fl?document:
null,al=fl?window:null,np=fl?navigator:null,ce,oi;function Ms(){let e=devicePixelRatio;ce!=e&&(ce=e,oi&&_s(wo,oi,Ms),oi=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),Hn(wo,oi,Ms),al.dispatchEvent(new CustomEvent(
pi)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Ts(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function ye(e,t,n){e.style[t]=n+"px"}function Rt(e,t,n,l){let i=Es.createElement(e);return t!=null&&mt(i,
t),n?.insertBefore(i,l),i}function St(e,t){return Rt("div",e,t)}var vo=new WeakMap;function Gt(e,t,n,l,i){let s="transla\
te("+t+"px,"+n+"px)",a=vo.get(e);s!=a&&(e.style.transform=s,vo.set(e,s),t<0||n<0||t>l||n>i?mt(e,zn):Ts(e,zn))}var xo=new WeakMap;
function yo(e,t,n){let l=t+n,i=xo.get(e);l!=i&&(xo.set(e,l),e.style.background=t,e.style.borderColor=n)}var ko=new WeakMap;
function So(e,t,n,l){let i=t+""+n,s=ko.get(e);i!=s&&(ko.set(e,i),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
l?-t/2+"px":0,e.style.marginTop=l?-n/2+"px":0)}var Hs={passive:!0},lp={...Hs,capture:!0};function Hn(e,t,n,l){t.addEventListener(
e,n,l?lp:Hs)}function _s(e,t,n,l){t.removeEventListener(e,n,Hs)}fl&&Ms();function Dt(e,t,n,l){let i;n=n||0,l=l||t.length-
1;let s=l<=2147483647;for(;l-n>1;)i=s?n+l>>1:ht((n+l)/2),t[i]<e?n=i:l=i;return e-t[n]<=t[l]-e?n:l}function Qo(e){return(n,l,i)=>{
let s=-1,a=-1;for(let p=l;p<=i;p++)if(e(n[p])){s=p;break}for(let p=i;p>=l;p--)if(e(n[p])){a=p;break}return[s,a]}}var Zo=e=>e!=
null,Xo=e=>e!=null&&e>0,mi=Qo(Zo),ip=Qo(Xo);function sp(e,t,n,l=0,i=!1){let s=i?ip:mi,a=i?Xo:Zo;[t,n]=s(e,t,n);let p=e[t],
d=e[t];if(t>-1)if(l==1)p=e[t],d=e[n];else if(l==-1)p=e[n],d=e[t];else for(let m=t;m<=n;m++){let b=e[m];a(b)&&(b<p?p=b:b>
d&&(d=b))}return[p??he,d??-he]}function hi(e,t,n,l){let i=To(e),s=To(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let a=n==10?
Qt:ea,p=i==1?ht:Et,d=s==1?Et:ht,m=p(a(He(e))),b=d(a(He(t))),g=cl(n,m),v=cl(n,b);return n==10&&(m<0&&(g=ge(g,-m)),b<0&&(v=
ge(v,-b))),l||n==2?(e=g*i,t=v*s):(e=ia(e,g),t=gi(t,v)),[e,t]}function Ns(e,t,n,l){let i=hi(e,t,n,l);return e==0&&(i[0]=0),
t==0&&(i[1]=0),i}var Os=.1,Eo={mode:3,pad:Os},Nl={pad:0,soft:null,mode:0},rp={min:Nl,max:Nl};function di(e,t,n,l){return bi(
n)?Mo(e,t,n):(Nl.pad=n,Nl.soft=l?0:null,Nl.mode=l?3:0,Mo(e,t,rp))}function oe(e,t){return e??t}function op(e,t,n){for(t=
oe(t,0),n=oe(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Mo(e,t,n){let l=n.min,i=n.max,s=oe(l.pad,
0),a=oe(i.pad,0),p=oe(l.hard,-he),d=oe(i.hard,he),m=oe(l.soft,he),b=oe(i.soft,-he),g=oe(l.mode,0),v=oe(i.mode,0),M=t-e,L=Qt(
M),$=nt(He(e),He(t)),D=Qt($),q=He(D-L);(M<1e-24||q>10)&&(M=0,(e==0||t==0)&&(M=1e-24,g==2&&m!=he&&(s=0),v==2&&b!=-he&&(a=
0)));let S=M||$||1e3,j=Qt(S),T=cl(10,ht(j)),Z=S*(M==0?e==0?.1:1:s),z=ge(ia(e-Z,T/10),24),X=e>=m&&(g==1||g==3&&z<=m||g==2&&
z>=m)?m:he,K=nt(p,z<X&&e>=X?X:zt(X,z)),ne=S*(M==0?t==0?.1:1:a),B=ge(gi(t+ne,T/10),24),_=t<=b&&(v==1||v==3&&B>=b||v==2&&B<=
b)?b:-he,Q=zt(d,B>_&&t<=_?_:nt(_,B));return K==Q&&K==0&&(Q=100),[K,Q]}var ap=new Intl.NumberFormat(fl?np.language:"en-US"),
Vs=e=>ap.format(e),gt=Math,ui=gt.PI,He=gt.abs,ht=gt.floor,ze=gt.round,Et=gt.ceil,zt=gt.min,nt=gt.max,cl=gt.pow,To=gt.sign,
Qt=gt.log10,ea=gt.log2,cp=(e,t=1)=>gt.sinh(e)*t,xs=(e,t=1)=>gt.asinh(e/t),he=1/0;function _o(e){return(Qt((e^e>>31)-(e>>
31))|0)+1}function Ls(e,t,n){return zt(nt(e,t),n)}function ta(e){return typeof e=="function"}function le(e){return ta(e)?
e:()=>e}var up=()=>{},na=e=>e,la=(e,t)=>t,pp=e=>null,Lo=e=>!0,Po=(e,t)=>e==t,dp=/\.\d*?(?=9{6,}|0{6,})/gm,Nn=e=>{if(ra(e)||
mn.has(e))return e;let t=`${e}`,n=t.match(dp);if(n==null)return e;let l=n[0].length-1;if(t.indexOf("e-")!=-1){let[i,s]=t.
split("e");return+`${Nn(i)}e${s}`}return ge(e,l)};function Rn(e,t){return Nn(ge(Nn(e/t))*t)}function gi(e,t){return Nn(Et(
Nn(e/t))*t)}function ia(e,t){return Nn(ht(Nn(e/t))*t)}function ge(e,t=0){if(ra(e))return e;let n=10**t,l=e*n*(1+Number.EPSILON);
return ze(l)/n}var mn=new Map;function sa(e){return((""+e).split(".")[1]||"").length}function Vl(e,t,n,l){let i=[],s=l.map(
sa);for(let a=t;a<n;a++){let p=He(a),d=ge(cl(e,a),p);for(let m=0;m<l.length;m++){let b=e==10?+`${l[m]}e${a}`:l[m]*d,g=(a>=
0?0:p)+(a>=s[m]?0:s[m]),v=e==10?b:ge(b,g);i.push(v),mn.set(v,g)}}return i}var Ol={},Fs=[],ul=[null,null],fn=Array.isArray,
ra=Number.isInteger,fp=e=>e===void 0;function Co(e){return typeof e=="string"}function bi(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function mp(e){return e!=null&&typeof e=="object"}var hp=Object.getPrototypeOf(
Uint8Array),oa="__proto__";function pl(e,t=bi){let n;if(fn(e)){let l=e.find(i=>i!=null);if(fn(l)||t(l)){n=Array(e.length);
for(let i=0;i<e.length;i++)n[i]=pl(e[i],t)}else n=e.slice()}else if(e instanceof hp)n=e.slice();else if(t(e)){n={};for(let l in e)
l!=oa&&(n[l]=pl(e[l],t))}else n=e;return n}function $e(e){let t=arguments;for(let n=1;n<t.length;n++){let l=t[n];for(let i in l)
i!=oa&&(bi(e[i])?$e(e[i],pl(l[i])):e[i]=pl(l[i]))}return e}var gp=0,bp=1,wp=2;function vp(e,t,n){for(let l=0,i,s=-1;l<t.
length;l++){let a=t[l];if(a>s){for(i=a-1;i>=0&&e[i]==null;)e[i--]=null;for(i=a+1;i<n&&e[i]==null;)e[s=i++]=null}}}function xp(e,t){
if(Sp(e)){let a=e[0].slice();for(let p=1;p<e.length;p++)a.push(...e[p].slice(1));return Ep(a[0])||(a=kp(a)),a}let n=new Set;
for(let a=0;a<e.length;a++){let d=e[a][0],m=d.length;for(let b=0;b<m;b++)n.add(d[b])}let l=[Array.from(n).sort((a,p)=>a-
p)],i=l[0].length,s=new Map;for(let a=0;a<i;a++)s.set(l[0][a],a);for(let a=0;a<e.length;a++){let p=e[a],d=p[0];for(let m=1;m<
p.length;m++){let b=p[m],g=Array(i).fill(void 0),v=t?t[a][m]:bp,M=[];for(let L=0;L<b.length;L++){let $=b[L],D=s.get(d[L]);
$===null?v!=gp&&(g[D]=$,v==wp&&M.push(D)):g[D]=$}vp(g,M,i),l.push(g)}}return l}var yp=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function kp(e){let t=e[0],n=t.length,l=Array(n);for(let s=0;s<l.length;s++)l[s]=s;l.sort(
(s,a)=>t[s]-t[a]);let i=[];for(let s=0;s<e.length;s++){let a=e[s],p=Array(n);for(let d=0;d<n;d++)p[d]=a[l[d]];i.push(p)}
return i}function Sp(e){let t=e[0][0],n=t.length;for(let l=1;l<e.length;l++){let i=e[l][0];if(i.length!=n)return!1;if(i!=
t){for(let s=0;s<n;s++)if(i[s]!=t[s])return!1}}return!0}function Ep(e,t=100){let n=e.length;if(n<=1)return!0;let l=0,i=n-
1;for(;l<=i&&e[l]==null;)l++;for(;i>=l&&e[i]==null;)i--;if(i<=l)return!0;let s=nt(1,ht((i-l+1)/t));for(let a=e[l],p=l+s;p<=
i;p+=s){let d=e[p];if(d!=null){if(d<=a)return!1;a=d}}return!0}var aa=["January","February","March","April","May","June",
"July","August","September","October","November","December"],ca=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function ua(e){return e.slice(0,3)}var Mp=ca.map(ua),Tp=aa.map(ua),_p={MMMM:aa,MMM:Tp,WWWW:ca,WWW:Mp};function Rl(e){
return(e<10?"0":"")+e}function Lp(e){return(e<10?"00":e<100?"0":"")+e}var Pp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Rl(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Rl(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Rl(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Rl(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Rl(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>Lp(e.getMilliseconds())};function Ws(e,t){t=t||_p;let n=[],l=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=l.exec(
e);)n.push(i[0][0]=="{"?Pp[i[1]]:i[0]);return s=>{let a="";for(let p=0;p<n.length;p++)a+=typeof n[p]=="string"?n[p]:n[p](
s,t);return a}}var Cp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Ap(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Cp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var pa=e=>e%1==0,fi=[1,2,2.5,5],$p=Vl(10,-32,0,fi),da=Vl(10,0,32,fi),Rp=da.filter(pa),Dn=$p.concat(
da),qs=`
`,fa="{YYYY}",Ao=qs+fa,ma="{M}/{D}",Hl=qs+ma,ai=Hl+"/{YY}",ha="{aa}",Dp="{h}:{mm}",ol=Dp+ha,$o=qs+ol,Ro=":{ss}",pe=null;
function ga(e){let t=e*1e3,n=t*60,l=n*60,i=l*24,s=i*30,a=i*365,d=(e==1?Vl(10,0,3,fi).filter(pa):Vl(10,-3,0,fi)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,l,l*2,l*3,l*4,l*6,l*8,l*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,s,s*2,s*
3,s*4,s*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),m=[[a,fa,pe,pe,pe,pe,pe,pe,1],[i*28,"{MMM}",Ao,pe,pe,pe,pe,pe,1],[i,ma,Ao,pe,
pe,pe,pe,pe,1],[l,"{h}"+ha,ai,pe,Hl,pe,pe,pe,1],[n,ol,ai,pe,Hl,pe,pe,pe,1],[t,Ro,ai+" "+ol,pe,Hl+" "+ol,pe,$o,pe,1],[e,Ro+
".{fff}",ai+" "+ol,pe,Hl+" "+ol,pe,$o,pe,1]];function b(g){return(v,M,L,$,D,q)=>{let S=[],j=D>=a,T=D>=s&&D<a,Z=g(L),z=ge(
Z*e,3),X=ys(Z.getFullYear(),j?0:Z.getMonth(),T||j?1:Z.getDate()),K=ge(X*e,3);if(T||j){let ne=T?D/s:0,B=j?D/a:0,_=z==K?z:
ge(ys(X.getFullYear()+B,X.getMonth()+ne,1)*e,3),Q=new Date(ze(_/e)),N=Q.getFullYear(),G=Q.getMonth();for(let W=0;_<=$;W++){
let ie=ys(N+B*W,G+ne*W,1),F=ie-g(ge(ie*e,3));_=ge((+ie+F)*e,3),_<=$&&S.push(_)}}else{let ne=D>=i?i:D,B=ht(L)-ht(z),_=K+B+
gi(z-K,ne);S.push(_);let Q=g(_),N=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/l,G=D/l,W=v.axes[M]._space,ie=q/W;for(;_=
ge(_+D,e==1?0:3),!(_>$);)if(G>1){let F=ht(ge(N+G,6))%24,se=g(_).getHours()-F;se>1&&(se=-1),_-=se*l,N=(N+G)%24;let de=S[S.
length-1];ge((_-de)/D,3)*ie>=.7&&S.push(_)}else S.push(_)}return S}}return[d,m,b]}var[zp,Hp,Np]=ga(1),[Op,Vp,Fp]=ga(.001);
Vl(2,-53,53,[1]);function Do(e,t){return e.map(n=>n.map((l,i)=>i==0||i==8||l==null?l:t(i==1||n[8]==0?l:n[1]+l)))}function zo(e,t){
return(n,l,i,s,a)=>{let p=t.find(L=>a>=L[0])||t[t.length-1],d,m,b,g,v,M;return l.map(L=>{let $=e(L),D=$.getFullYear(),q=$.
getMonth(),S=$.getDate(),j=$.getHours(),T=$.getMinutes(),Z=$.getSeconds(),z=D!=d&&p[2]||q!=m&&p[3]||S!=b&&p[4]||j!=g&&p[5]||
T!=v&&p[6]||Z!=M&&p[7]||p[1];return d=D,m=q,b=S,g=j,v=T,M=Z,z($)})}}function Wp(e,t){let n=Ws(t);return(l,i,s,a,p)=>i.map(
d=>n(e(d)))}function ys(e,t,n){return new Date(e,t,n)}function Ho(e,t){return t(e)}var qp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function No(e,t){return(n,l,i,s)=>s==null?zs:t(e(l))}function jp(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function Ip(e,t){return e.series[t].fill(e,t)}var Gp={show:!0,live:!0,isolate:!1,mount:up,
markers:{show:!0,width:2,stroke:jp,fill:Ip,dash:"solid"},idx:null,idxs:null,values:[]};function Up(e,t){let n=e.cursor.points,
l=St(),i=n.size(e,t);ye(l,Dl,i),ye(l,zl,i);let s=i/-2;ye(l,"marginLeft",s),ye(l,"marginTop",s);let a=n.width(e,t,i);return a&&
ye(l,"borderWidth",a),l}function Bp(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Kp(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function Yp(e,t){return e.series[t].points.size}var ks=[0,0];function Jp(e,t,n){return ks[0]=
t,ks[1]=n,ks}function ci(e,t,n,l=!0){return i=>{i.button==0&&(!l||i.target==t)&&n(i)}}function Ss(e,t,n,l=!0){return i=>{
(!l||i.target==t)&&n(i)}}var Qp={show:!0,x:!0,y:!0,lock:!1,move:Jp,points:{one:!1,show:Up,size:Yp,width:0,stroke:Kp,fill:Bp},
bind:{mousedown:ci,mouseup:ci,click:ci,dblclick:ci,mousemove:Ss,mouseleave:Ss,mouseenter:Ss},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,l,i)=>l-
i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ba={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},js=$e({},ba,{filter:la}),wa=$e({},js,{size:10}),va=$e({},ba,{show:!1}),Is='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',xa="bold "+Is,ya=1.5,Oo={show:!0,scale:"x",stroke:Ds,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:xa,side:2,grid:js,ticks:wa,border:va,font:Is,lineGap:ya,rotate:0},Zp="\
Value",Xp="Time",Vo={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function ed(e,t,n,l,i){return t.map(s=>s==
null?"":Vs(s))}function td(e,t,n,l,i,s,a){let p=[],d=mn.get(i)||0;n=a?n:ge(gi(n,i),d);for(let m=n;m<=l;m=ge(m+i,d))p.push(
Object.is(m,-0)?0:m);return p}function Ps(e,t,n,l,i,s,a){let p=[],d=e.scales[e.axes[t].scale].log,m=d==10?Qt:ea,b=ht(m(n));
i=cl(d,b),d==10&&(i=Dn[Dt(i,Dn)]);let g=n,v=i*d;d==10&&(v=Dn[Dt(v,Dn)]);do p.push(g),g=g+i,d==10&&!mn.has(g)&&(g=ge(g,mn.
get(i))),g>=v&&(i=g,v=i*d,d==10&&(v=Dn[Dt(v,Dn)]));while(g<=l);return p}function nd(e,t,n,l,i,s,a){let d=e.scales[e.axes[t].
scale].asinh,m=l>d?Ps(e,t,nt(d,n),l,i):[d],b=l>=0&&n<=0?[0]:[];return(n<-d?Ps(e,t,nt(d,-l),-n,i):[d]).reverse().map(v=>-v).
concat(b,m)}var ka=/./,ld=/[12357]/,id=/[125]/,Fo=/1/,Cs=(e,t,n,l)=>e.map((i,s)=>t==4&&i==0||s%l==0&&n.test(i.toExponential()[i<
0?1:0])?i:null);function sd(e,t,n,l,i){let s=e.axes[n],a=s.scale,p=e.scales[a],d=e.valToPos,m=s._space,b=d(10,a),g=d(9,a)-
b>=m?ka:d(7,a)-b>=m?ld:d(5,a)-b>=m?id:Fo;if(g==Fo){let v=He(d(1,a)-b);if(v<m)return Cs(t.slice().reverse(),p.distr,g,Et(
m/v)).reverse()}return Cs(t,p.distr,g,1)}function rd(e,t,n,l,i){let s=e.axes[n],a=s.scale,p=s._space,d=e.valToPos,m=He(d(
1,a)-d(2,a));return m<p?Cs(t.slice().reverse(),3,ka,Et(p/m)).reverse():t}function od(e,t,n,l){return l==null?zs:t==null?
"":Vs(t)}var Wo={show:!0,scale:"y",stroke:Ds,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:xa,side:3,
grid:js,ticks:wa,border:va,font:Is,lineGap:ya,rotate:0};function ad(e,t){let n=3+(e||1)*2;return ge(n*t,3)}function cd(e,t){
let{scale:n,idxs:l}=e.series[0],i=e._data[0],s=e.valToPos(i[l[0]],n,!0),a=e.valToPos(i[l[1]],n,!0),p=He(a-s),d=e.series[t],
m=p/(d.points.space*ce);return l[1]-l[0]<=m}var qo={scale:null,auto:!0,sorted:0,min:he,max:-he},Sa=(e,t,n,l,i)=>i,jo={show:!0,
auto:!0,sorted:0,gaps:Sa,alpha:1,facets:[$e({},qo,{scale:"x"}),$e({},qo,{scale:"y"})]},Io={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:Sa,alpha:1,points:{show:cd,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function ud(e,t,n,l,i){
return n/10}var Ea={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},pd=$e({},Ea,{time:!1,ori:1}),Go={};
function Ma(e,t){let n=Go[e];return n||(n={key:e,plots:[],sub(l){n.plots.push(l)},unsub(l){n.plots=n.plots.filter(i=>i!=
l)},pub(l,i,s,a,p,d,m){for(let b=0;b<n.plots.length;b++)n.plots[b]!=i&&n.plots[b].pub(l,i,s,a,p,d,m)}},e!=null&&(Go[e]=n)),
n}var dl=1,As=2;function On(e,t,n){let l=e.mode,i=e.series[t],s=l==2?e._data[t]:e._data,a=e.scales,p=e.bbox,d=s[0],m=l==
2?s[1]:s[t],b=l==2?a[i.facets[0].scale]:a[e.series[0].scale],g=l==2?a[i.facets[1].scale]:a[i.scale],v=p.left,M=p.top,L=p.
width,$=p.height,D=e.valToPosH,q=e.valToPosV;return b.ori==0?n(i,d,m,b,g,D,q,v,M,L,$,vi,ml,yi,_a,Pa):n(i,d,m,b,g,q,D,M,v,
$,L,xi,hl,Bs,La,Ca)}function Gs(e,t){let n=0,l=0,i=oe(e.bands,Fs);for(let s=0;s<i.length;s++){let a=i[s];a.series[0]==t?
n=a.dir:a.series[1]==t&&(a.dir==1?l|=1:l|=2)}return[n,l==1?-1:l==2?1:l==3?2:0]}function dd(e,t,n,l,i){let s=e.mode,a=e.series[t],
p=s==2?a.facets[1].scale:a.scale,d=e.scales[p];return i==-1?d.min:i==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function Zt(e,t,n,l,i,s){
return On(e,t,(a,p,d,m,b,g,v,M,L,$,D)=>{let q=a.pxRound,S=m.dir*(m.ori==0?1:-1),j=m.ori==0?ml:hl,T,Z;S==1?(T=n,Z=l):(T=l,
Z=n);let z=q(g(p[T],m,$,M)),X=q(v(d[T],b,D,L)),K=q(g(p[Z],m,$,M)),ne=q(v(s==1?b.max:b.min,b,D,L)),B=new Path2D(i);return j(
B,K,ne),j(B,z,ne),j(B,z,X),B})}function wi(e,t,n,l,i,s){let a=null;if(e.length>0){a=new Path2D;let p=t==0?yi:Bs,d=n;for(let g=0;g<
e.length;g++){let v=e[g];if(v[1]>v[0]){let M=v[0]-d;M>0&&p(a,d,l,M,l+s),d=v[1]}}let m=n+i-d,b=10;m>0&&p(a,d,l-b/2,m,l+s+
b)}return a}function fd(e,t,n){let l=e[e.length-1];l&&l[0]==t?l[1]=n:e.push([t,n])}function Us(e,t,n,l,i,s,a){let p=[],d=e.
length;for(let m=i==1?n:l;m>=n&&m<=l;m+=i)if(t[m]===null){let g=m,v=m;if(i==1)for(;++m<=l&&t[m]===null;)v=m;else for(;--m>=
n&&t[m]===null;)v=m;let M=s(e[g]),L=v==g?M:s(e[v]),$=g-i;M=a<=0&&$>=0&&$<d?s(e[$]):M;let q=v+i;L=a>=0&&q>=0&&q<d?s(e[q]):
L,L>=M&&p.push([M,L])}return p}function Uo(e){return e==0?na:e==1?ze:t=>Rn(t,e)}function Ta(e){let t=e==0?vi:xi,n=e==0?(i,s,a,p,d,m)=>{
i.arcTo(s,a,p,d,m)}:(i,s,a,p,d,m)=>{i.arcTo(a,s,d,p,m)},l=e==0?(i,s,a,p,d)=>{i.rect(s,a,p,d)}:(i,s,a,p,d)=>{i.rect(a,s,d,
p)};return(i,s,a,p,d,m=0,b=0)=>{m==0&&b==0?l(i,s,a,p,d):(m=zt(m,p/2,d/2),b=zt(b,p/2,d/2),t(i,s+m,a),n(i,s+p,a,s+p,a+d,m),
n(i,s+p,a+d,s,a+d,b),n(i,s,a+d,s,a,b),n(i,s,a,s+p,a,m),i.closePath())}}var vi=(e,t,n)=>{e.moveTo(t,n)},xi=(e,t,n)=>{e.moveTo(
n,t)},ml=(e,t,n)=>{e.lineTo(t,n)},hl=(e,t,n)=>{e.lineTo(n,t)},yi=Ta(0),Bs=Ta(1),_a=(e,t,n,l,i,s)=>{e.arc(t,n,l,i,s)},La=(e,t,n,l,i,s)=>{
e.arc(n,t,l,i,s)},Pa=(e,t,n,l,i,s,a)=>{e.bezierCurveTo(t,n,l,i,s,a)},Ca=(e,t,n,l,i,s,a)=>{e.bezierCurveTo(n,t,i,l,a,s)};
function Aa(e){return(t,n,l,i,s)=>On(t,n,(a,p,d,m,b,g,v,M,L,$,D)=>{let{pxRound:q,points:S}=a,j,T;m.ori==0?(j=vi,T=_a):(j=
xi,T=La);let Z=ge(S.width*ce,3),z=(S.size-S.width)/2*ce,X=ge(z*2,3),K=new Path2D,ne=new Path2D,{left:B,top:_,width:Q,height:N}=t.
bbox;yi(ne,B-X,_-X,Q+X*2,N+X*2);let G=W=>{if(d[W]!=null){let ie=q(g(p[W],m,$,M)),F=q(v(d[W],b,D,L));j(K,ie+z,F),T(K,ie,F,
z,0,ui*2)}};if(s)s.forEach(G);else for(let W=l;W<=i;W++)G(W);return{stroke:Z>0?K:null,fill:K,clip:ne,flags:dl|As}})}function $a(e){
return(t,n,l,i,s,a)=>{l!=i&&(s!=l&&a!=l&&e(t,n,l),s!=i&&a!=i&&e(t,n,i),e(t,n,a))}}var md=$a(ml),hd=$a(hl);function Ra(e){
let t=oe(e?.alignGaps,0);return(n,l,i,s)=>On(n,l,(a,p,d,m,b,g,v,M,L,$,D)=>{[i,s]=mi(d,i,s);let q=a.pxRound,S=N=>q(g(N,m,
$,M)),j=N=>q(v(N,b,D,L)),T,Z;m.ori==0?(T=ml,Z=md):(T=hl,Z=hd);let z=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:dl},K=X.stroke,ne=!1;if(s-i>=$*4){let N=O=>n.posToVal(O,m.key,!0),G=null,W=null,ie,F,
lt,ke=S(p[z==1?i:s]),se=S(p[i]),de=S(p[s]),ee=N(z==1?se+1:de-1);for(let O=z==1?i:s;O>=i&&O<=s;O+=z){let Re=p[O],Se=(z==1?
Re<ee:Re>ee)?ke:S(Re),ue=d[O];Se==ke?ue!=null?(F=ue,G==null?(T(K,Se,j(F)),ie=G=W=F):F<G?G=F:F>W&&(W=F)):ue===null&&(ne=!0):
(G!=null&&Z(K,ke,j(G),j(W),j(ie),j(F)),ue!=null?(F=ue,T(K,Se,j(F)),G=W=ie=F):(G=W=null,ue===null&&(ne=!0)),ke=Se,ee=N(ke+
z))}G!=null&&G!=W&&lt!=ke&&Z(K,ke,j(G),j(W),j(ie),j(F))}else for(let N=z==1?i:s;N>=i&&N<=s;N+=z){let G=d[N];G===null?ne=
!0:G!=null&&T(K,S(p[N]),j(G))}let[_,Q]=Gs(n,l);if(a.fill!=null||_!=0){let N=X.fill=new Path2D(K),G=a.fillTo(n,l,a.min,a.
max,_),W=j(G),ie=S(p[i]),F=S(p[s]);z==-1&&([F,ie]=[ie,F]),T(N,F,W),T(N,ie,W)}if(!a.spanGaps){let N=[];ne&&N.push(...Us(p,
d,i,s,z,S,t)),X.gaps=N=a.gaps(n,l,i,s,N),X.clip=wi(N,m.ori,M,L,$,D)}return Q!=0&&(X.band=Q==2?[Zt(n,l,i,s,K,-1),Zt(n,l,i,
s,K,1)]:Zt(n,l,i,s,K,Q)),X})}function gd(e){let t=oe(e.align,1),n=oe(e.ascDesc,!1),l=oe(e.alignGaps,0),i=oe(e.extend,!1);
return(s,a,p,d)=>On(s,a,(m,b,g,v,M,L,$,D,q,S,j)=>{[p,d]=mi(g,p,d);let T=m.pxRound,{left:Z,width:z}=s.bbox,X=se=>T(L(se,v,
S,D)),K=se=>T($(se,M,j,q)),ne=v.ori==0?ml:hl,B={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:dl},_=B.
stroke,Q=v.dir*(v.ori==0?1:-1),N=K(g[Q==1?p:d]),G=X(b[Q==1?p:d]),W=G,ie=G;i&&t==-1&&(ie=Z,ne(_,ie,N)),ne(_,G,N);for(let se=Q==
1?p:d;se>=p&&se<=d;se+=Q){let de=g[se];if(de==null)continue;let ee=X(b[se]),O=K(de);t==1?ne(_,ee,N):ne(_,W,O),ne(_,ee,O),
N=O,W=ee}let F=W;i&&t==1&&(F=Z+z,ne(_,F,N));let[lt,ke]=Gs(s,a);if(m.fill!=null||lt!=0){let se=B.fill=new Path2D(_),de=m.
fillTo(s,a,m.min,m.max,lt),ee=K(de);ne(se,F,ee),ne(se,ie,ee)}if(!m.spanGaps){let se=[];se.push(...Us(b,g,p,d,Q,X,l));let de=m.
width*ce/2,ee=n||t==1?de:-de,O=n||t==-1?-de:de;se.forEach(Re=>{Re[0]+=ee,Re[1]+=O}),B.gaps=se=m.gaps(s,a,p,d,se),B.clip=
wi(se,v.ori,D,q,S,j)}return ke!=0&&(B.band=ke==2?[Zt(s,a,p,d,_,-1),Zt(s,a,p,d,_,1)]:Zt(s,a,p,d,_,ke)),B})}function Bo(e,t,n,l,i,s,a=he){
if(e.length>1){let p=null;for(let d=0,m=1/0;d<e.length;d++)if(t[d]!==void 0){if(p!=null){let b=He(e[d]-e[p]);b<m&&(m=b,a=
He(n(e[d],l,i,s)-n(e[p],l,i,s)))}p=d}}return a}function bd(e){e=e||Ol;let t=oe(e.size,[.6,he,1]),n=e.align||0,l=e.gap||0,
i=e.radius;i=i==null?[0,0]:typeof i=="number"?[i,0]:i;let s=le(i),a=1-t[0],p=oe(t[1],he),d=oe(t[2],1),m=oe(e.disp,Ol),b=oe(
e.each,M=>{}),{fill:g,stroke:v}=m;return(M,L,$,D)=>On(M,L,(q,S,j,T,Z,z,X,K,ne,B,_)=>{let Q=q.pxRound,N=n,G=l*ce,W=p*ce,ie=d*
ce,F,lt;T.ori==0?[F,lt]=s(M,L):[lt,F]=s(M,L);let ke=T.dir*(T.ori==0?1:-1),se=T.ori==0?yi:Bs,de=T.ori==0?b:(A,be,De,jn,vn,Nt,xn)=>{
b(A,be,De,vn,jn,xn,Nt)},ee=oe(M.bands,Fs).find(A=>A.series[0]==L),O=ee!=null?ee.dir:0,Re=q.fillTo(M,L,q.min,q.max,O),Qe=Q(
X(Re,Z,_,ne)),Se,ue,_t,ct=B,Me=Q(q.width*ce),Ht=!1,Ut=null,bt=null,en=null,Fn=null;g!=null&&(Me==0||v!=null)&&(Ht=!0,Ut=
g.values(M,L,$,D),bt=new Map,new Set(Ut).forEach(A=>{A!=null&&bt.set(A,new Path2D)}),Me>0&&(en=v.values(M,L,$,D),Fn=new Map,
new Set(en).forEach(A=>{A!=null&&Fn.set(A,new Path2D)})));let{x0:Wn,size:vl}=m;if(Wn!=null&&vl!=null){N=1,S=Wn.values(M,
L,$,D),Wn.unit==2&&(S=S.map(De=>M.posToVal(K+De*B,T.key,!0)));let A=vl.values(M,L,$,D);vl.unit==2?ue=A[0]*B:ue=z(A[0],T,
B,K)-z(0,T,B,K),ct=Bo(S,j,z,T,B,K,ct),_t=ct-ue+G}else ct=Bo(S,j,z,T,B,K,ct),_t=ct*a+G,ue=ct-_t;_t<1&&(_t=0),Me>=ue/2&&(Me=
0),_t<5&&(Q=na);let jl=_t>0,bn=ct-_t-(jl?Me:0);ue=Q(Ls(bn,ie,W)),Se=(N==0?ue/2:N==ke?0:ue)-N*ke*((N==0?G/2:0)+(jl?Me/2:0));
let Ze={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},qn=Ht?null:new Path2D,Bt=null;if(ee!=null)Bt=M.data[ee.
series[1]];else{let{y0:A,y1:be}=m;A!=null&&be!=null&&(j=be.values(M,L,$,D),Bt=A.values(M,L,$,D))}let wn=F*ue,J=lt*ue;for(let A=ke==
1?$:D;A>=$&&A<=D;A+=ke){let be=j[A];if(be==null)continue;if(Bt!=null){let it=Bt[A]??0;if(be-it==0)continue;Qe=X(it,Z,_,ne)}
let De=T.distr!=2||m!=null?S[A]:A,jn=z(De,T,B,K),vn=X(oe(be,Re),Z,_,ne),Nt=Q(jn-Se),xn=Q(nt(vn,Qe)),ut=Q(zt(vn,Qe)),wt=xn-
ut;if(be!=null){let it=be<0?J:wn,Lt=be<0?wn:J;Ht?(Me>0&&en[A]!=null&&se(Fn.get(en[A]),Nt,ut+ht(Me/2),ue,nt(0,wt-Me),it,Lt),
Ut[A]!=null&&se(bt.get(Ut[A]),Nt,ut+ht(Me/2),ue,nt(0,wt-Me),it,Lt)):se(qn,Nt,ut+ht(Me/2),ue,nt(0,wt-Me),it,Lt),de(M,L,A,
Nt-Me/2,ut,ue+Me,wt)}}return Me>0?Ze.stroke=Ht?Fn:qn:Ht||(Ze._fill=q.width==0?q._fill:q._stroke??q._fill,Ze.width=0),Ze.
fill=Ht?bt:qn,Ze})}function wd(e,t){let n=oe(t?.alignGaps,0);return(l,i,s,a)=>On(l,i,(p,d,m,b,g,v,M,L,$,D,q)=>{[s,a]=mi(
m,s,a);let S=p.pxRound,j=F=>S(v(F,b,D,L)),T=F=>S(M(F,g,q,$)),Z,z,X;b.ori==0?(Z=vi,X=ml,z=Pa):(Z=xi,X=hl,z=Ca);let K=b.dir*
(b.ori==0?1:-1),ne=j(d[K==1?s:a]),B=ne,_=[],Q=[];for(let F=K==1?s:a;F>=s&&F<=a;F+=K)if(m[F]!=null){let ke=d[F],se=j(ke);
_.push(B=se),Q.push(T(m[F]))}let N={stroke:e(_,Q,Z,X,z,S),fill:null,clip:null,band:null,gaps:null,flags:dl},G=N.stroke,[
W,ie]=Gs(l,i);if(p.fill!=null||W!=0){let F=N.fill=new Path2D(G),lt=p.fillTo(l,i,p.min,p.max,W),ke=T(lt);X(F,B,ke),X(F,ne,
ke)}if(!p.spanGaps){let F=[];F.push(...Us(d,m,s,a,K,j,n)),N.gaps=F=p.gaps(l,i,s,a,F),N.clip=wi(F,b.ori,L,$,D,q)}return ie!=
0&&(N.band=ie==2?[Zt(l,i,s,a,G,-1),Zt(l,i,s,a,G,1)]:Zt(l,i,s,a,G,ie)),N})}function vd(e){return wd(xd,e)}function xd(e,t,n,l,i,s){
let a=e.length;if(a<2)return null;let p=new Path2D;if(n(p,e[0],t[0]),a==2)l(p,e[1],t[1]);else{let d=Array(a),m=Array(a-1),
b=Array(a-1),g=Array(a-1);for(let v=0;v<a-1;v++)b[v]=t[v+1]-t[v],g[v]=e[v+1]-e[v],m[v]=b[v]/g[v];d[0]=m[0];for(let v=1;v<
a-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?d[v]=0:(d[v]=3*(g[v-1]+g[v])/((2*g[v]+g[v-1])/m[v-1]+(g[v]+2*g[v-1])/m[v]),
isFinite(d[v])||(d[v]=0));d[a-1]=m[a-2];for(let v=0;v<a-1;v++)i(p,e[v]+g[v]/3,t[v]+d[v]*g[v]/3,e[v+1]-g[v]/3,t[v+1]-d[v+
1]*g[v]/3,e[v+1],t[v+1])}return p}var $s=new Set;function Ko(){for(let e of $s)e.syncRect(!0)}fl&&(Hn(ep,al,Ko),Hn(tp,al,
Ko,!0),Hn(pi,al,()=>{Be.pxRatio=ce}));var yd=Ra(),kd=Aa();function Yo(e,t,n,l){return(l?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((s,a)=>Rs(s,a,t,n))}function Sd(e,t){return e.map((n,l)=>l==0?{}:$e({},t,n))}function Rs(e,t,n,l){
return $e({},t==0?n:l,e)}function Da(e,t,n){return t==null?ul:[t,n]}var Ed=Da;function Md(e,t,n){return t==null?ul:di(t,
n,Os,!0)}function za(e,t,n,l){return t==null?ul:hi(t,n,e.scales[l].log,!1)}var Td=za;function Ha(e,t,n,l){return t==null?
ul:Ns(t,n,e.scales[l].log,!1)}var _d=Ha;function Ld(e,t,n,l,i){let s=nt(_o(e),_o(t)),a=t-e,p=Dt(i/l*a,n);do{let d=n[p],m=l*
d/a;if(m>=i&&s+(d<5?mn.get(d):0)<=17)return[d,m]}while(++p<n.length);return[0,0]}function Jo(e){let t,n;return e=e.replace(
/(\d+)px/,(l,i)=>(t=ze((n=+i)*ce))+"px"),[e,t,n]}function Pd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=ge(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Be(e,t,n){let l={mode:oe(e.mode,1)},i=l.mode;function s(r,c,u,f){
let h=c.valToPct(r);return f+u*(c.dir==-1?1-h:h)}function a(r,c,u,f){let h=c.valToPct(r);return f+u*(c.dir==-1?h:1-h)}function p(r,c,u,f){
return c.ori==0?s(r,c,u,f):a(r,c,u,f)}l.valToPosH=s,l.valToPosV=a;let d=!1;l.status=0;let m=l.root=St(Hu);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let r=St(Vu,m);r.textContent=e.title}let b=Rt("canvas"),g=l.ctx=b.getContext("2d"),v=St(
Fu,m);Hn("click",v,r=>{r.target===L&&(we!=el||Ee!=tl)&&Ue.click(l,r)},!0);let M=l.under=St(Wu,v);v.appendChild(b);let L=l.
over=St(qu,v);e=pl(e);let $=+oe(e.pxAlign,1),D=Uo($);(e.plugins||[]).forEach(r=>{r.opts&&(e=r.opts(l,e)||e)});let q=e.ms||
.001,S=l.series=i==1?Yo(e.series||[],Vo,Io,!1):Sd(e.series||[null],jo),j=l.axes=Yo(e.axes||[],Oo,Wo,!0),T=l.scales={},Z=l.
bands=e.bands||[];Z.forEach(r=>{r.fill=le(r.fill||null),r.dir=oe(r.dir,-1)});let z=i==2?S[1].facets[0].scale:S[0].scale,
X={axes:Fc,series:zc},K=(e.drawOrder||["axes","series"]).map(r=>X[r]);function ne(r){let c=r.distr==3?u=>Qt(u>0?u:r.clamp(
l,u,r.min,r.max,r.key)):r.distr==4?u=>xs(u,r.asinh):r.distr==100?u=>r.fwd(u):u=>u;return u=>{let f=c(u),{_min:h,_max:w}=r,
x=w-h;return(f-h)/x}}function B(r){let c=T[r];if(c==null){let u=(e.scales||Ol)[r]||Ol;if(u.from!=null){B(u.from);let f=$e(
{},T[u.from],u,{key:r});f.valToPct=ne(f),T[r]=f}else{c=T[r]=$e({},r==z?Ea:pd,u),c.key=r;let f=c.time,h=c.range,w=fn(h);if((r!=
z||i==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?Eo:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?Eo:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&bi(h))){let x=h;h=(y,k,P)=>k==null?ul:di(k,P,x)}c.range=le(h||(f?Ed:r==z?c.distr==3?Td:c.
distr==4?_d:Da:c.distr==3?za:c.distr==4?Ha:Md)),c.auto=le(w?!1:c.auto),c.clamp=le(c.clamp||ud),c._min=c._max=null,c.valToPct=
ne(c)}}}B("x"),B("y"),i==1&&S.forEach(r=>{B(r.scale)}),j.forEach(r=>{B(r.scale)});for(let r in e.scales)B(r);let _=T[z],
Q=_.distr,N,G;_.ori==0?(mt(m,Nu),N=s,G=a):(mt(m,Ou),N=a,G=s);let W={};for(let r in T){let c=T[r];(c.min!=null||c.max!=null)&&
(W[r]={min:c.min,max:c.max},c.min=c.max=null)}let ie=e.tzDate||(r=>new Date(ze(r/q))),F=e.fmtDate||Ws,lt=q==1?Np(ie):Fp(
ie),ke=zo(ie,Do(q==1?Hp:Vp,F)),se=No(ie,Ho(qp,F)),de=[],ee=l.legend=$e({},Gp,e.legend),O=l.cursor=$e({},Qp,{drag:{y:i==2}},
e.cursor),Re=ee.show,Qe=O.show,Se=ee.markers;ee.idxs=de,Se.width=le(Se.width),Se.dash=le(Se.dash),Se.stroke=le(Se.stroke),
Se.fill=le(Se.fill);let ue,_t,ct,Me=[],Ht=[],Ut,bt=!1,en={};if(ee.live){let r=S[1]?S[1].values:null;bt=r!=null,Ut=bt?r(l,
1,0):{_:0};for(let c in Ut)en[c]=zs}if(Re)if(ue=Rt("table",Ku,m),ct=Rt("tbody",null,ue),ee.mount(l,ue),bt){_t=Rt("thead",
null,ue,ct);let r=Rt("tr",null,_t);Rt("th",null,r);for(var Fn in Ut)Rt("th",uo,r).textContent=Fn}else mt(ue,Ju),ee.live&&
mt(ue,Yu);let Wn={show:!0},vl={show:!1};function jl(r,c){if(c==0&&(bt||!ee.live||i==2))return ul;let u=[],f=Rt("tr",Qu,ct,
ct.childNodes[c]);mt(f,r.class),r.show||mt(f,zn);let h=Rt("th",null,f);if(Se.show){let y=St(Zu,h);if(c>0){let k=Se.width(
l,c);k&&(y.style.border=k+"px "+Se.dash(l,c)+" "+Se.stroke(l,c)),y.style.background=Se.fill(l,c)}}let w=St(uo,h);r.label instanceof
HTMLElement?w.appendChild(r.label):w.textContent=r.label,c>0&&(Se.show||(w.style.color=r.width>0?Se.stroke(l,c):Se.fill(
l,c)),Ze("click",h,y=>{if(O._lock)return;kn(y);let k=S.indexOf(r);if((y.ctrlKey||y.metaKey)!=ee.isolate){let P=S.some((C,R)=>R>
0&&R!=k&&C.show);S.forEach((C,R)=>{R>0&&Vt(R,P?R==k?Wn:vl:Wn,!0,Ce.setSeries)})}else Vt(k,{show:!r.show},!0,Ce.setSeries)},
!1),Gn&&Ze(ho,h,y=>{O._lock||(kn(y),Vt(S.indexOf(r),ll,!0,Ce.setSeries))},!1));for(var x in Ut){let y=Rt("td",Xu,f);y.textContent=
"--",u.push(y)}return[f,u]}let bn=new Map;function Ze(r,c,u,f=!0){let h=bn.get(c)||{},w=O.bind[r](l,c,u,f);w&&(Hn(r,c,h[r]=
w),bn.set(c,h))}function qn(r,c,u){let f=bn.get(c)||{};for(let h in f)(r==null||h==r)&&(_s(h,c,f[h]),delete f[h]);r==null&&
bn.delete(c)}let Bt=0,wn=0,J=0,A=0,be=0,De=0,jn=be,vn=De,Nt=J,xn=A,ut=0,wt=0,it=0,Lt=0;l.bbox={};let Ri=!1,Il=!1,In=!1,yn=!1,
Gl=!1,vt=!1;function Di(r,c,u){(u||r!=l.width||c!=l.height)&&or(r,c),Jn(!1),In=!0,Il=!0,Qn()}function or(r,c){l.width=Bt=
J=r,l.height=wn=A=c,be=De=0,Lc(),Pc();let u=l.bbox;ut=u.left=Rn(be*ce,.5),wt=u.top=Rn(De*ce,.5),it=u.width=Rn(J*ce,.5),Lt=
u.height=Rn(A*ce,.5)}let Mc=3;function Tc(){let r=!1,c=0;for(;!r;){c++;let u=Oc(c),f=Vc(c);r=c==Mc||u&&f,r||(or(l.width,
l.height),Il=!0)}}function _c({width:r,height:c}){Di(r,c)}l.setSize=_c;function Lc(){let r=!1,c=!1,u=!1,f=!1;j.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:y}=h,k=x%2,P=h.label!=null?h.labelSize:0,C=y+P;C>0&&(k?(J-=C,x==3?(be+=C,f=!0):u=!0):
(A-=C,x==0?(De+=C,r=!0):c=!0))}}),Sn[0]=r,Sn[1]=u,Sn[2]=c,Sn[3]=f,J-=tn[1]+tn[3],be+=tn[3],A-=tn[2]+tn[0],De+=tn[0]}function Pc(){
let r=be+J,c=De+A,u=be,f=De;function h(w,x){switch(w){case 1:return r+=x,r-x;case 2:return c+=x,c-x;case 3:return u-=x,u+
x;case 0:return f-=x,f+x}}j.forEach((w,x)=>{if(w.show&&w._show){let y=w.side;w._pos=h(y,w._size),w.label!=null&&(w._lpos=
h(y,w.labelSize))}})}if(O.dataIdx==null){let r=O.hover,c=r.skip=new Set(r.skip??[]);c.add(void 0);let u=r.prox=le(r.prox),
f=r.bias??=0;O.dataIdx=(h,w,x,y)=>{if(w==0)return x;let k=x,P=u(h,w,x,y)??he,C=P>=0&&P<he,R=_.ori==0?J:A,U=O.left,ae=t[0],
re=t[w];if(c.has(re[x])){k=null;let te=null,I=null,V;if(f==0||f==-1)for(V=x;te==null&&V-- >0;)c.has(re[V])||(te=V);if(f==
0||f==1)for(V=x;I==null&&V++<re.length;)c.has(re[V])||(I=V);if(te!=null||I!=null)if(C){let xe=te==null?-1/0:N(ae[te],_,R,
0),Te=I==null?1/0:N(ae[I],_,R,0),qe=U-xe,fe=Te-U;qe<=fe?qe<=P&&(k=te):fe<=P&&(k=I)}else k=I==null?te:te==null?I:x-te<=I-
x?te:I}else C&&He(U-N(ae[x],_,R,0))>P&&(k=null);return k}}let kn=r=>{O.event=r};O.idxs=de,O._lock=!1;let Ke=O.points;Ke.
show=le(Ke.show),Ke.size=le(Ke.size),Ke.stroke=le(Ke.stroke),Ke.width=le(Ke.width),Ke.fill=le(Ke.fill);let Ot=l.focus=$e(
{},e.focus||{alpha:.3},O.focus),Gn=Ot.prox>=0,Un=Gn&&Ke.one,xt=[],Bn=[],Kn=[];function ar(r,c){let u=Ke.show(l,c);if(u instanceof
HTMLElement)return mt(u,Bu),mt(u,r.class),Gt(u,-10,-10,J,A),L.insertBefore(u,xt[c]),u}function cr(r,c){if(i==1||c>0){let u=i==
1&&T[r.scale].time,f=r.value;r.value=u?Co(f)?No(ie,Ho(f,F)):f||se:f||od,r.label=r.label||(u?Xp:Zp)}if(Un||c>0){r.width=r.
width==null?1:r.width,r.paths=r.paths||yd||pp,r.fillTo=le(r.fillTo||dd),r.pxAlign=+oe(r.pxAlign,$),r.pxRound=Uo(r.pxAlign),
r.stroke=le(r.stroke||null),r.fill=le(r.fill||null),r._stroke=r._fill=r._paths=r._focus=null;let u=ad(nt(1,r.width),1),f=r.
points=$e({},{size:u,width:nt(1,u*.2),stroke:r.stroke,space:u*2,paths:kd,_stroke:null,_fill:null},r.points);f.show=le(f.
show),f.filter=le(f.filter),f.fill=le(f.fill),f.stroke=le(f.stroke),f.paths=le(f.paths),f.pxAlign=r.pxAlign}if(Re){let u=jl(
r,c);Me.splice(c,0,u[0]),Ht.splice(c,0,u[1]),ee.values.push(null)}if(Qe){de.splice(c,0,null);let u=null;Un?c==0&&(u=ar(r,
c)):c>0&&(u=ar(r,c)),xt.splice(c,0,u),Bn.splice(c,0,0),Kn.splice(c,0,0)}We("addSeries",c)}function Cc(r,c){c=c??S.length,
r=i==1?Rs(r,c,Vo,Io):Rs(r,c,{},jo),S.splice(c,0,r),cr(S[c],c)}l.addSeries=Cc;function Ac(r){if(S.splice(r,1),Re){ee.values.
splice(r,1),Ht.splice(r,1);let c=Me.splice(r,1)[0];qn(null,c.firstChild),c.remove()}Qe&&(de.splice(r,1),xt.splice(r,1)[0].
remove(),Bn.splice(r,1),Kn.splice(r,1)),We("delSeries",r)}l.delSeries=Ac;let Sn=[!1,!1,!1,!1];function $c(r,c){if(r._show=
r.show,r.show){let u=r.side%2,f=T[r.scale];f==null&&(r.scale=u?S[1].scale:z,f=T[r.scale]);let h=f.time;r.size=le(r.size),
r.space=le(r.space),r.rotate=le(r.rotate),fn(r.incrs)&&r.incrs.forEach(x=>{!mn.has(x)&&mn.set(x,sa(x))}),r.incrs=le(r.incrs||
(f.distr==2?Rp:h?q==1?zp:Op:Dn)),r.splits=le(r.splits||(h&&f.distr==1?lt:f.distr==3?Ps:f.distr==4?nd:td)),r.stroke=le(r.
stroke),r.grid.stroke=le(r.grid.stroke),r.ticks.stroke=le(r.ticks.stroke),r.border.stroke=le(r.border.stroke);let w=r.values;
r.values=fn(w)&&!fn(w[0])?le(w):h?fn(w)?zo(ie,Do(w,F)):Co(w)?Wp(ie,w):w||ke:w||ed,r.filter=le(r.filter||(f.distr>=3&&f.log==
10?sd:f.distr==3&&f.log==2?rd:la)),r.font=Jo(r.font),r.labelFont=Jo(r.labelFont),r._size=r.size(l,null,c,0),r._space=r._rotate=
r._incrs=r._found=r._splits=r._values=null,r._size>0&&(Sn[c]=!0,r._el=St(ju,v))}}function xl(r,c,u,f){let[h,w,x,y]=u,k=c%
2,P=0;return k==0&&(y||w)&&(P=c==0&&!h||c==2&&!x?ze(Oo.size/3):0),k==1&&(h||x)&&(P=c==1&&!w||c==3&&!y?ze(Wo.size/2):0),P}
let ur=l.padding=(e.padding||[xl,xl,xl,xl]).map(r=>le(oe(r,xl))),tn=l._padding=ur.map((r,c)=>r(l,c,Sn,0)),Ge,Ne=null,Oe=null,
Ul=i==1?S[0].idxs:null,Pt=null,yl=!1;function pr(r,c){if(t=r??[],l.data=l._data=t,i==2){Ge=0;for(let u=1;u<S.length;u++)
Ge+=t[u][0].length}else{t.length==0&&(l.data=l._data=t=[[]]),Pt=t[0],Ge=Pt.length;let u=t;if(Q==2){u=t.slice();let f=u[0]=
Array(Ge);for(let h=0;h<Ge;h++)f[h]=h}l._data=t=u}if(Jn(!0),We("setData"),Q==2&&(In=!0),c!==!1){let u=_;u.auto(l,yl)?zi():
ln(z,u.min,u.max),yn=yn||O.left>=0,vt=!0,Qn()}}l.setData=pr;function zi(){yl=!0;let r,c;i==1&&(Ge>0?(Ne=Ul[0]=0,Oe=Ul[1]=
Ge-1,r=t[0][Ne],c=t[0][Oe],Q==2?(r=Ne,c=Oe):r==c&&(Q==3?[r,c]=hi(r,r,_.log,!1):Q==4?[r,c]=Ns(r,r,_.log,!1):_.time?c=r+ze(
86400/q):[r,c]=di(r,c,Os,!0))):(Ne=Ul[0]=r=null,Oe=Ul[1]=c=null)),ln(z,r,c)}let Bl,Yn,Hi,Ni,Oi,Vi,Fi,Wi,qi,st;function dr(r,c,u,f,h,w){
r??=fo,u??=Fs,f??="butt",h??=fo,w??="round",r!=Bl&&(g.strokeStyle=Bl=r),h!=Yn&&(g.fillStyle=Yn=h),c!=Hi&&(g.lineWidth=Hi=
c),w!=Oi&&(g.lineJoin=Oi=w),f!=Vi&&(g.lineCap=Vi=f),u!=Ni&&g.setLineDash(Ni=u)}function fr(r,c,u,f){c!=Yn&&(g.fillStyle=
Yn=c),r!=Fi&&(g.font=Fi=r),u!=Wi&&(g.textAlign=Wi=u),f!=qi&&(g.textBaseline=qi=f)}function ji(r,c,u,f,h=0){if(f.length>0&&
r.auto(l,yl)&&(c==null||c.min==null)){let w=oe(Ne,0),x=oe(Oe,f.length-1),y=u.min==null?sp(f,w,x,h,r.distr==3):[u.min,u.max];
r.min=zt(r.min,u.min=y[0]),r.max=nt(r.max,u.max=y[1])}}let mr={min:null,max:null};function Rc(){for(let f in T){let h=T[f];
W[f]==null&&(h.min==null||W[z]!=null&&h.auto(l,yl))&&(W[f]=mr)}for(let f in T){let h=T[f];W[f]==null&&h.from!=null&&W[h.
from]!=null&&(W[f]=mr)}W[z]!=null&&Jn(!0);let r={};for(let f in W){let h=W[f];if(h!=null){let w=r[f]=pl(T[f],mp);if(h.min!=
null)$e(w,h);else if(f!=z||i==2)if(Ge==0&&w.from==null){let x=w.range(l,null,null,f);w.min=x[0],w.max=x[1]}else w.min=he,
w.max=-he}}if(Ge>0){S.forEach((f,h)=>{if(i==1){let w=f.scale,x=W[w];if(x==null)return;let y=r[w];if(h==0){let k=y.range(
l,y.min,y.max,w);y.min=k[0],y.max=k[1],Ne=Dt(y.min,t[0]),Oe=Dt(y.max,t[0]),Oe-Ne>1&&(t[0][Ne]<y.min&&Ne++,t[0][Oe]>y.max&&
Oe--),f.min=Pt[Ne],f.max=Pt[Oe]}else f.show&&f.auto&&ji(y,x,f,t[h],f.sorted);f.idxs[0]=Ne,f.idxs[1]=Oe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,y=w.scale,k=x.scale,[P,C]=t[h],R=r[y],U=r[k];R!=null&&ji(R,W[y],w,P,w.sorted),U!=null&&ji(U,W[k],
x,C,x.sorted),f.min=x.min,f.max=x.max}});for(let f in r){let h=r[f],w=W[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(l,h.min==he?null:h.min,h.max==-he?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in r){let h=r[f];if(h.from!=null){
let w=r[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(l,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},u=!1;
for(let f in r){let h=r[f],w=T[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?Qt(w.
min):x==4?xs(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?Qt(w.max):x==4?xs(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=u=!0}}if(u){S.forEach((f,h)=>{i==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)In=!0,
We("setScale",f);Qe&&O.left>=0&&(yn=vt=!0)}for(let f in W)W[f]=null}function Dc(r){let c=Ls(Ne-1,0,Ge-1),u=Ls(Oe+1,0,Ge-
1);for(;r[c]==null&&c>0;)c--;for(;r[u]==null&&u<Ge-1;)u++;return[c,u]}function zc(){if(Ge>0){let r=S.some(c=>c._focus)&&
st!=Ot.alpha;r&&(g.globalAlpha=st=Ot.alpha),S.forEach((c,u)=>{if(u>0&&c.show&&(hr(u,!1),hr(u,!0),c._paths==null)){let f=st;
st!=c.alpha&&(g.globalAlpha=st=c.alpha);let h=i==2?[0,t[u][0].length-1]:Dc(t[u]);c._paths=c.paths(l,u,h[0],h[1]),st!=f&&
(g.globalAlpha=st=f)}}),S.forEach((c,u)=>{if(u>0&&c.show){let f=st;st!=c.alpha&&(g.globalAlpha=st=c.alpha),c._paths!=null&&
gr(u,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(l,u,Ne,Oe,h),x=c.points.filter(l,u,w,h);(w||x)&&(c.points.
_paths=c.points.paths(l,u,Ne,Oe,x),gr(u,!0))}st!=f&&(g.globalAlpha=st=f),We("drawSeries",u)}}),r&&(g.globalAlpha=st=1)}}
function hr(r,c){let u=c?S[r].points:S[r];u._stroke=u.stroke(l,r),u._fill=u.fill(l,r)}function gr(r,c){let u=c?S[r].points:
S[r],{stroke:f,fill:h,clip:w,flags:x,_stroke:y=u._stroke,_fill:k=u._fill,_width:P=u.width}=u._paths;P=ge(P*ce,3);let C=null,
R=P%2/2;c&&k==null&&(k=P>0?"#fff":y);let U=u.pxAlign==1&&R>0;if(U&&g.translate(R,R),!c){let ae=ut-P/2,re=wt-P/2,te=it+P,
I=Lt+P;C=new Path2D,C.rect(ae,re,te,I)}c?Ii(y,P,u.dash,u.cap,k,f,h,x,w):Hc(r,y,P,u.dash,u.cap,k,f,h,x,C,w),U&&g.translate(
-R,-R)}function Hc(r,c,u,f,h,w,x,y,k,P,C){let R=!1;k!=0&&Z.forEach((U,ae)=>{if(U.series[0]==r){let re=S[U.series[1]],te=t[U.
series[1]],I=(re._paths||Ol).band;fn(I)&&(I=U.dir==1?I[0]:I[1]);let V,xe=null;re.show&&I&&op(te,Ne,Oe)?(xe=U.fill(l,ae)||
w,V=re._paths.clip):I=null,Ii(c,u,f,h,xe,x,y,k,P,C,V,I),R=!0}}),R||Ii(c,u,f,h,w,x,y,k,P,C)}let br=dl|As;function Ii(r,c,u,f,h,w,x,y,k,P,C,R){
dr(r,c,u,f,h),(k||P||R)&&(g.save(),k&&g.clip(k),P&&g.clip(P)),R?(y&br)==br?(g.clip(R),C&&g.clip(C),Yl(h,x),Kl(r,w,c)):y&
As?(Yl(h,x),g.clip(R),Kl(r,w,c)):y&dl&&(g.save(),g.clip(R),C&&g.clip(C),Yl(h,x),g.restore(),Kl(r,w,c)):(Yl(h,x),Kl(r,w,c)),
(k||P||R)&&g.restore()}function Kl(r,c,u){u>0&&(c instanceof Map?c.forEach((f,h)=>{g.strokeStyle=Bl=h,g.stroke(f)}):c!=null&&
r&&g.stroke(c))}function Yl(r,c){c instanceof Map?c.forEach((u,f)=>{g.fillStyle=Yn=f,g.fill(u)}):c!=null&&r&&g.fill(c)}function Nc(r,c,u,f){
let h=j[r],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(l,r,c,u,f),y=h._incrs=h.incrs(l,r,c,u,f,x);w=Ld(c,u,y,f,x)}return h.
_found=w}function Gi(r,c,u,f,h,w,x,y,k,P){let C=x%2/2;$==1&&g.translate(C,C),dr(y,x,k,P,y),g.beginPath();let R,U,ae,re,te=h+
(f==0||f==3?-w:w);u==0?(U=h,re=te):(R=h,ae=te);for(let I=0;I<r.length;I++)c[I]!=null&&(u==0?R=ae=r[I]:U=re=r[I],g.moveTo(
R,U),g.lineTo(ae,re));g.stroke(),$==1&&g.translate(-C,-C)}function Oc(r){let c=!0;return j.forEach((u,f)=>{if(!u.show)return;
let h=T[u.scale];if(h.min==null){u._show&&(c=!1,u._show=!1,Jn(!1));return}else u._show||(c=!1,u._show=!0,Jn(!1));let w=u.
side,x=w%2,{min:y,max:k}=h,[P,C]=Nc(f,y,k,x==0?J:A);if(C==0)return;let R=h.distr==2,U=u._splits=u.splits(l,f,y,k,P,C,R),
ae=h.distr==2?U.map(V=>Pt[V]):U,re=h.distr==2?Pt[U[1]]-Pt[U[0]]:P,te=u._values=u.values(l,u.filter(l,ae,f,C,re),f,C,re);
u._rotate=w==2?u.rotate(l,te,f,C):0;let I=u._size;u._size=Et(u.size(l,te,f,r)),I!=null&&u._size!=I&&(c=!1)}),c}function Vc(r){
let c=!0;return ur.forEach((u,f)=>{let h=u(l,f,Sn,r);h!=tn[f]&&(c=!1),tn[f]=h}),c}function Fc(){for(let r=0;r<j.length;r++){
let c=j[r];if(!c.show||!c._show)continue;let u=c.side,f=u%2,h,w,x=c.stroke(l,r),y=u==0||u==3?-1:1,[k,P]=c._found;if(c.label!=
null){let et=c.labelGap*y,ft=ze((c._lpos+et)*ce);fr(c.labelFont[0],x,"center",u==2?"top":po),g.save(),f==1?(h=w=0,g.translate(
ft,ze(wt+Lt/2)),g.rotate((u==3?-ui:ui)/2)):(h=ze(ut+it/2),w=ft);let Tn=ta(c.label)?c.label(l,r,k,P):c.label;g.fillText(Tn,
h,w),g.restore()}if(P==0)continue;let C=T[c.scale],R=f==0?it:Lt,U=f==0?ut:wt,ae=c._splits,re=C.distr==2?ae.map(et=>Pt[et]):
ae,te=C.distr==2?Pt[ae[1]]-Pt[ae[0]]:k,I=c.ticks,V=c.border,xe=I.show?I.size:0,Te=ze(xe*ce),qe=ze((c.alignTo==2?c._size-
xe-c.gap:c.gap)*ce),fe=c._rotate*-ui/180,_e=D(c._pos*ce),pt=(Te+qe)*y,Xe=_e+pt;w=f==0?Xe:0,h=f==1?Xe:0;let yt=c.font[0],
Ct=c.align==1?rl:c.align==2?bs:fe>0?rl:fe<0?bs:f==0?"center":u==3?bs:rl,Wt=fe||f==1?"middle":u==2?"top":po;fr(yt,x,Ct,Wt);
let dt=c.font[1]*c.lineGap,kt=ae.map(et=>D(p(et,C,R,U))),At=c._values;for(let et=0;et<At.length;et++){let ft=At[et];if(ft!=
null){f==0?h=kt[et]:w=kt[et],ft=""+ft;let Tn=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let tt=0;tt<Tn.length;tt++){let Hr=Tn[tt];fe?(g.save(),g.translate(h,w+tt*dt),g.rotate(
fe),g.fillText(Hr,0,0),g.restore()):g.fillText(Hr,h,w+tt*dt)}}}I.show&&Gi(kt,I.filter(l,re,r,P,te),f,u,_e,Te,ge(I.width*
ce,3),I.stroke(l,r),I.dash,I.cap);let qt=c.grid;qt.show&&Gi(kt,qt.filter(l,re,r,P,te),f,f==0?2:1,f==0?wt:ut,f==0?Lt:it,ge(
qt.width*ce,3),qt.stroke(l,r),qt.dash,qt.cap),V.show&&Gi([_e],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Lt:it,ge(V.width*ce,
3),V.stroke(l,r),V.dash,V.cap)}We("drawAxes")}function Jn(r){S.forEach((c,u)=>{u>0&&(c._paths=null,r&&(i==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let Jl=!1,Ui=!1,kl=[];function Wc(){Ui=!1;for(let r=0;r<kl.
length;r++)We(...kl[r]);kl.length=0}function Qn(){Jl||(yp(wr),Jl=!0)}function qc(r,c=!1){Jl=!0,Ui=c,r(l),wr(),c&&kl.length>
0&&queueMicrotask(Wc)}l.batch=qc;function wr(){if(Ri&&(Rc(),Ri=!1),In&&(Tc(),In=!1),Il){if(ye(M,rl,be),ye(M,"top",De),ye(
M,Dl,J),ye(M,zl,A),ye(L,rl,be),ye(L,"top",De),ye(L,Dl,J),ye(L,zl,A),ye(v,Dl,Bt),ye(v,zl,wn),b.width=ze(Bt*ce),b.height=ze(
wn*ce),j.forEach(({_el:r,_show:c,_size:u,_pos:f,side:h})=>{if(r!=null)if(c){let w=h===3||h===0?u:0,x=h%2==1;ye(r,x?"left":
"top",f-w),ye(r,x?"width":"height",u),ye(r,x?"top":"left",x?De:be),ye(r,x?"height":"width",x?A:J),Ts(r,zn)}else mt(r,zn)}),
Bl=Yn=Hi=Oi=Vi=Fi=Wi=qi=Ni=null,st=1,Ml(!0),be!=jn||De!=vn||J!=Nt||A!=xn){Jn(!1);let r=J/Nt,c=A/xn;if(Qe&&!yn&&O.left>=0){
O.left*=r,O.top*=c,Zn&&Gt(Zn,ze(O.left),0,J,A),Xn&&Gt(Xn,0,ze(O.top),J,A);for(let u=0;u<xt.length;u++){let f=xt[u];f!=null&&
(Bn[u]*=r,Kn[u]*=c,Gt(f,Et(Bn[u]),Et(Kn[u]),J,A))}}if(ve.show&&!Gl&&ve.left>=0&&ve.width>0){ve.left*=r,ve.width*=r,ve.top*=
c,ve.height*=c;for(let u in Zi)ye(nl,u,ve[u])}jn=be,vn=De,Nt=J,xn=A}We("setSize"),Il=!1}Bt>0&&wn>0&&(g.clearRect(0,0,b.width,
b.height),We("drawClear"),K.forEach(r=>r()),We("draw")),ve.show&&Gl&&(Ql(ve),Gl=!1),Qe&&yn&&(Mn(null,!0,!1),yn=!1),ee.show&&
ee.live&&vt&&(Ji(),vt=!1),d||(d=!0,l.status=1,We("ready")),yl=!1,Jl=!1}l.redraw=(r,c)=>{In=c||!1,r!==!1?ln(z,_.min,_.max):
Qn()};function Bi(r,c){let u=T[r];if(u.from==null){if(Ge==0){let f=u.range(l,c.min,c.max,r);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Ge>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;r==z&&u.distr==2&&Ge>
0&&(c.min=Dt(c.min,t[0]),c.max=Dt(c.max,t[0]),c.min==c.max&&c.max++),W[r]=c,Ri=!0,Qn()}}l.setScale=Bi;let Ki,Yi,Zn,Xn,vr,
xr,el,tl,yr,kr,we,Ee,nn=!1,Ue=O.drag,Ve=Ue.x,Fe=Ue.y;Qe&&(O.x&&(Ki=St(Gu,L)),O.y&&(Yi=St(Uu,L)),_.ori==0?(Zn=Ki,Xn=Yi):(Zn=
Yi,Xn=Ki),we=O.left,Ee=O.top);let ve=l.select=$e({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),nl=ve.show?St(
Iu,ve.over?L:M):null;function Ql(r,c){if(ve.show){for(let u in r)ve[u]=r[u],u in Zi&&ye(nl,u,r[u]);c!==!1&&We("setSelect")}}
l.setSelect=Ql;function jc(r){if(S[r].show)Re&&Ts(Me[r],zn);else if(Re&&mt(Me[r],zn),Qe){let u=Un?xt[0]:xt[r];u!=null&&Gt(
u,-10,-10,J,A)}}function ln(r,c,u){Bi(r,{min:c,max:u})}function Vt(r,c,u,f){c.focus!=null&&Kc(r),c.show!=null&&S.forEach(
(h,w)=>{w>0&&(r==w||r==null)&&(h.show=c.show,jc(w),i==2?(ln(h.facets[0].scale,null,null),ln(h.facets[1].scale,null,null)):
ln(h.scale,null,null),Qn())}),u!==!1&&We("setSeries",r,c),f&&Tl("setSeries",l,r,c)}l.setSeries=Vt;function Ic(r,c){$e(Z[r],
c)}function Gc(r,c){r.fill=le(r.fill||null),r.dir=oe(r.dir,-1),c=c??Z.length,Z.splice(c,0,r)}function Uc(r){r==null?Z.length=
0:Z.splice(r,1)}l.addBand=Gc,l.setBand=Ic,l.delBand=Uc;function Bc(r,c){S[r].alpha=c,Qe&&xt[r]!=null&&(xt[r].style.opacity=
c),Re&&Me[r]&&(Me[r].style.opacity=c)}let Kt,sn,En,ll={focus:!0};function Kc(r){if(r!=En){let c=r==null,u=Ot.alpha!=1;S.
forEach((f,h)=>{if(i==1||h>0){let w=c||h==0||h==r;f._focus=c?null:w,u&&Bc(h,w?1:Ot.alpha)}}),En=r,u&&Qn()}}Re&&Gn&&Ze(go,
ue,r=>{O._lock||(kn(r),En!=null&&Vt(null,ll,!0,Ce.setSeries))});function Ft(r,c,u){let f=T[c];u&&(r=r/ce-(f.ori==1?De:be));
let h=J;f.ori==1&&(h=A,r=h-r),f.dir==-1&&(r=h-r);let w=f._min,x=f._max,y=r/h,k=w+(x-w)*y,P=f.distr;return P==3?cl(10,k):
P==4?cp(k,f.asinh):P==100?f.bwd(k):k}function Yc(r,c){let u=Ft(r,z,c);return Dt(u,t[0],Ne,Oe)}l.valToIdx=r=>Dt(r,t[0]),l.
posToIdx=Yc,l.posToVal=Ft,l.valToPos=(r,c,u)=>T[c].ori==0?s(r,T[c],u?it:J,u?ut:0):a(r,T[c],u?Lt:A,u?wt:0),l.setCursor=(r,c,u)=>{
we=r.left,Ee=r.top,Mn(null,c,u)};function Sr(r,c){ye(nl,rl,ve.left=r),ye(nl,Dl,ve.width=c)}function Er(r,c){ye(nl,"top",
ve.top=r),ye(nl,zl,ve.height=c)}let Sl=_.ori==0?Sr:Er,El=_.ori==1?Sr:Er;function Jc(){if(Re&&ee.live)for(let r=i==2?1:0;r<
S.length;r++){if(r==0&&bt)continue;let c=ee.values[r],u=0;for(let f in c)Ht[r][u++].firstChild.nodeValue=c[f]}}function Ji(r,c){
if(r!=null&&(r.idxs?r.idxs.forEach((u,f)=>{de[f]=u}):fp(r.idx)||de.fill(r.idx),ee.idx=de[0]),Re&&ee.live){for(let u=0;u<
S.length;u++)(u>0||i==1&&!bt)&&Qc(u,de[u]);Jc()}vt=!1,c!==!1&&We("setLegend")}l.setLegend=Ji;function Qc(r,c){let u=S[r],
f=r==0&&Q==2?Pt:t[r],h;bt?h=u.values(l,r,c)??en:(h=u.value(l,c==null?null:f[c],r,c),h=h==null?en:{_:h}),ee.values[r]=h}function Mn(r,c,u){
yr=we,kr=Ee,[we,Ee]=O.move(l,we,Ee),O.left=we,O.top=Ee,Qe&&(Zn&&Gt(Zn,ze(we),0,J,A),Xn&&Gt(Xn,0,ze(Ee),J,A));let f,h=Ne>
Oe;Kt=he,sn=null;let w=_.ori==0?J:A,x=_.ori==1?J:A;if(we<0||Ge==0||h){f=O.idx=null;for(let y=0;y<S.length;y++){let k=xt[y];
k!=null&&Gt(k,-10,-10,J,A)}Gn&&Vt(null,ll,!0,r==null&&Ce.setSeries),ee.live&&(de.fill(f),vt=!0)}else{let y,k,P;i==1&&(y=
_.ori==0?we:Ee,k=Ft(y,z),f=O.idx=Dt(k,t[0],Ne,Oe),P=N(t[0][f],_,w,0));let C=-10,R=-10,U=0,ae=0,re=!0,te="",I="";for(let V=i==
2?1:0;V<S.length;V++){let xe=S[V],Te=de[V],qe=Te==null?null:i==1?t[V][Te]:t[V][1][Te],fe=O.dataIdx(l,V,f,k),_e=fe==null?
null:i==1?t[V][fe]:t[V][1][fe];if(vt=vt||_e!=qe||fe!=Te,de[V]=fe,V>0&&xe.show){let pt=fe==null?-10:fe==f?P:N(i==1?t[0][fe]:
t[V][0][fe],_,w,0),Xe=_e==null?-10:G(_e,i==1?T[xe.scale]:T[xe.facets[1].scale],x,0);if(Gn&&_e!=null){let yt=_.ori==1?we:
Ee,Ct=He(Ot.dist(l,V,fe,Xe,yt));if(Ct<Kt){let Wt=Ot.bias;if(Wt!=0){let dt=Ft(yt,xe.scale),kt=_e>=0?1:-1,At=dt>=0?1:-1;At==
kt&&(At==1?Wt==1?_e>=dt:_e<=dt:Wt==1?_e<=dt:_e>=dt)&&(Kt=Ct,sn=V)}else Kt=Ct,sn=V}}if(vt||Un){let yt,Ct;_.ori==0?(yt=pt,
Ct=Xe):(yt=Xe,Ct=pt);let Wt,dt,kt,At,qt,et,ft=!0,Tn=Ke.bbox;if(Tn!=null){ft=!1;let tt=Tn(l,V);kt=tt.left,At=tt.top,Wt=tt.
width,dt=tt.height}else kt=yt,At=Ct,Wt=dt=Ke.size(l,V);if(et=Ke.fill(l,V),qt=Ke.stroke(l,V),Un)V==sn&&Kt<=Ot.prox&&(C=kt,
R=At,U=Wt,ae=dt,re=ft,te=et,I=qt);else{let tt=xt[V];tt!=null&&(Bn[V]=kt,Kn[V]=At,So(tt,Wt,dt,ft),yo(tt,et,qt),Gt(tt,Et(kt),
Et(At),J,A))}}}}if(Un){let V=Ot.prox,xe=En==null?Kt<=V:Kt>V||sn!=En;if(vt||xe){let Te=xt[0];Te!=null&&(Bn[0]=C,Kn[0]=R,So(
Te,U,ae,re),yo(Te,te,I),Gt(Te,Et(C),Et(R),J,A))}}}if(ve.show&&nn)if(r!=null){let[y,k]=Ce.scales,[P,C]=Ce.match,[R,U]=r.cursor.
sync.scales,ae=r.cursor.drag;if(Ve=ae._x,Fe=ae._y,Ve||Fe){let{left:re,top:te,width:I,height:V}=r.select,xe=r.scales[R].ori,
Te=r.posToVal,qe,fe,_e,pt,Xe,yt=y!=null&&P(y,R),Ct=k!=null&&C(k,U);yt&&Ve?(xe==0?(qe=re,fe=I):(qe=te,fe=V),_e=T[y],pt=N(
Te(qe,R),_e,w,0),Xe=N(Te(qe+fe,R),_e,w,0),Sl(zt(pt,Xe),He(Xe-pt))):Sl(0,w),Ct&&Fe?(xe==1?(qe=re,fe=I):(qe=te,fe=V),_e=T[k],
pt=G(Te(qe,U),_e,x,0),Xe=G(Te(qe+fe,U),_e,x,0),El(zt(pt,Xe),He(Xe-pt))):El(0,x)}else Xi()}else{let y=He(yr-vr),k=He(kr-xr);
if(_.ori==1){let U=y;y=k,k=U}Ve=Ue.x&&y>=Ue.dist,Fe=Ue.y&&k>=Ue.dist;let P=Ue.uni;P!=null?Ve&&Fe&&(Ve=y>=P,Fe=k>=P,!Ve&&
!Fe&&(k>y?Fe=!0:Ve=!0)):Ue.x&&Ue.y&&(Ve||Fe)&&(Ve=Fe=!0);let C,R;Ve&&(_.ori==0?(C=el,R=we):(C=tl,R=Ee),Sl(zt(C,R),He(R-C)),
Fe||El(0,x)),Fe&&(_.ori==1?(C=el,R=we):(C=tl,R=Ee),El(zt(C,R),He(R-C)),Ve||Sl(0,w)),!Ve&&!Fe&&(Sl(0,0),El(0,0))}if(Ue._x=
Ve,Ue._y=Fe,r==null){if(u){if(zr!=null){let[y,k]=Ce.scales;Ce.values[0]=y!=null?Ft(_.ori==0?we:Ee,y):null,Ce.values[1]=k!=
null?Ft(_.ori==1?we:Ee,k):null}Tl(ws,l,we,Ee,J,A,f)}if(Gn){let y=u&&Ce.setSeries,k=Ot.prox;En==null?Kt<=k&&Vt(sn,ll,!0,y):
Kt>k?Vt(null,ll,!0,y):sn!=En&&Vt(sn,ll,!0,y)}}vt&&(ee.idx=f,Ji()),c!==!1&&We("setCursor")}let rn=null;Object.defineProperty(
l,"rect",{get(){return rn==null&&Ml(!1),rn}});function Ml(r=!1){r?rn=null:(rn=L.getBoundingClientRect(),We("syncRect",rn))}
function Mr(r,c,u,f,h,w,x){O._lock||nn&&r!=null&&r.movementX==0&&r.movementY==0||(Qi(r,c,u,f,h,w,x,!1,r!=null),r!=null?Mn(
null,!0,!0):Mn(c,!0,!1))}function Qi(r,c,u,f,h,w,x,y,k){if(rn==null&&Ml(!1),kn(r),r!=null)u=r.clientX-rn.left,f=r.clientY-
rn.top;else{if(u<0||f<0){we=-10,Ee=-10;return}let[P,C]=Ce.scales,R=c.cursor.sync,[U,ae]=R.values,[re,te]=R.scales,[I,V]=Ce.
match,xe=c.axes[0].side%2==1,Te=_.ori==0?J:A,qe=_.ori==1?J:A,fe=xe?w:h,_e=xe?h:w,pt=xe?f:u,Xe=xe?u:f;if(re!=null?u=I(P,re)?
p(U,T[P],Te,0):-10:u=Te*(pt/fe),te!=null?f=V(C,te)?p(ae,T[C],qe,0):-10:f=qe*(Xe/_e),_.ori==1){let yt=u;u=f,f=yt}}k&&(c==
null||c.cursor.event.type==ws)&&((u<=1||u>=J-1)&&(u=Rn(u,J)),(f<=1||f>=A-1)&&(f=Rn(f,A))),y?(vr=u,xr=f,[el,tl]=O.move(l,
u,f)):(we=u,Ee=f)}let Zi={width:0,height:0,left:0,top:0};function Xi(){Ql(Zi,!1)}let Tr,_r,Lr,Pr;function Cr(r,c,u,f,h,w,x){
nn=!0,Ve=Fe=Ue._x=Ue._y=!1,Qi(r,c,u,f,h,w,x,!0,!1),r!=null&&(Ze(vs,Es,Ar,!1),Tl(mo,l,el,tl,J,A,null));let{left:y,top:k,width:P,
height:C}=ve;Tr=y,_r=k,Lr=P,Pr=C}function Ar(r,c,u,f,h,w,x){nn=Ue._x=Ue._y=!1,Qi(r,c,u,f,h,w,x,!1,!0);let{left:y,top:k,width:P,
height:C}=ve,R=P>0||C>0,U=Tr!=y||_r!=k||Lr!=P||Pr!=C;if(R&&U&&Ql(ve),Ue.setScale&&R&&U){let ae=y,re=P,te=k,I=C;if(_.ori==
1&&(ae=k,re=C,te=y,I=P),Ve&&ln(z,Ft(ae,z),Ft(ae+re,z)),Fe)for(let V in T){let xe=T[V];V!=z&&xe.from==null&&xe.min!=he&&ln(
V,Ft(te+I,V),Ft(te,V))}Xi()}else O.lock&&(O._lock=!O._lock,Mn(c,!0,r!=null));r!=null&&(qn(vs,Es),Tl(vs,l,we,Ee,J,A,null))}
function Zc(r,c,u,f,h,w,x){if(O._lock)return;kn(r);let y=nn;if(nn){let k=!0,P=!0,C=10,R,U;_.ori==0?(R=Ve,U=Fe):(R=Fe,U=Ve),
R&&U&&(k=we<=C||we>=J-C,P=Ee<=C||Ee>=A-C),R&&k&&(we=we<el?0:J),U&&P&&(Ee=Ee<tl?0:A),Mn(null,!0,!0),nn=!1}we=-10,Ee=-10,de.
fill(null),Mn(null,!0,!0),y&&(nn=y)}function $r(r,c,u,f,h,w,x){O._lock||(kn(r),zi(),Xi(),r!=null&&Tl(bo,l,we,Ee,J,A,null))}
function Rr(){j.forEach(Pd),Di(l.width,l.height,!0)}Hn(pi,al,Rr);let il={};il.mousedown=Cr,il.mousemove=Mr,il.mouseup=Ar,
il.dblclick=$r,il.setSeries=(r,c,u,f)=>{let h=Ce.match[2];u=h(l,c,u),u!=-1&&Vt(u,f,!0,!1)},Qe&&(Ze(mo,L,Cr),Ze(ws,L,Mr),
Ze(ho,L,r=>{kn(r),Ml(!1)}),Ze(go,L,Zc),Ze(bo,L,$r),$s.add(l),l.syncRect=Ml);let Zl=l.hooks=e.hooks||{};function We(r,c,u){
Ui?kl.push([r,c,u]):r in Zl&&Zl[r].forEach(f=>{f.call(null,l,c,u)})}(e.plugins||[]).forEach(r=>{for(let c in r.hooks)Zl[c]=
(Zl[c]||[]).concat(r.hooks[c])});let Dr=(r,c,u)=>u,Ce=$e({key:null,setSeries:!1,filters:{pub:Lo,sub:Lo},scales:[z,S[1]?S[1].
scale:null],match:[Po,Po,Dr],values:[null,null]},O.sync);Ce.match.length==2&&Ce.match.push(Dr),O.sync=Ce;let zr=Ce.key,es=Ma(
zr);function Tl(r,c,u,f,h,w,x){Ce.filters.pub(r,c,u,f,h,w,x)&&es.pub(r,c,u,f,h,w,x)}es.sub(l);function Xc(r,c,u,f,h,w,x){
Ce.filters.sub(r,c,u,f,h,w,x)&&il[r](null,c,u,f,h,w,x)}l.pub=Xc;function eu(){es.unsub(l),$s.delete(l),bn.clear(),_s(pi,
al,Rr),m.remove(),ue?.remove(),We("destroy")}l.destroy=eu;function ts(){We("init",e,t),pr(t||e.data,!1),W[z]?Bi(z,W[z]):
zi(),Gl=ve.show&&(ve.width>0||ve.height>0),yn=vt=!0,Di(e.width,e.height)}return S.forEach(cr),j.forEach($c),n?n instanceof
HTMLElement?(n.appendChild(m),ts()):n(l,ts):ts(),l}Be.assign=$e;Be.fmtNum=Vs;Be.rangeNum=di;Be.rangeLog=hi;Be.rangeAsinh=
Ns;Be.orient=On;Be.pxRatio=ce;Be.join=xp;Be.fmtDate=Ws,Be.tzDate=Ap;Be.sync=Ma;{Be.addGap=fd,Be.clipGaps=wi;let e=Be.paths=
{points:Aa};e.linear=Ra,e.stepped=gd,e.bars=bd,e.spline=vd}var Va={stages:[],checkpoints:[],marks:[]},Na=170,ki=["--s1","--s2","--s3","--s4","--s5","--s6"],gl=class{constructor(t,n,l,i){
this.options=t;this.lines=n;this.ground=l;this.signal=i;H(this.element,o("h3",null,t.title,t.unit?o("span",{class:"dim"},
" "+t.unit):null),this.place,this.legend),this.data=Oa(n),this.values(null);let s=new ResizeObserver(()=>this.fit());s.observe(
this.place),i.addEventListener("abort",()=>{s.disconnect(),this.plot?.destroy()},{once:!0}),oo(()=>this.make(),i)}options;lines;ground;signal;element=o(
"figure",{class:"chart"});plot;place=o("div",{class:"plot"});legend=o("figcaption",null);data=[[]];update(t,n){let l=t.length===
this.lines.length&&t.every((i,s)=>i.label===this.lines[s].label);this.lines=t,this.ground=n,this.data=Oa(t),l&&this.plot?
this.plot.setData(this.data):this.make(),this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||
(this.plot?this.plot.setSize({width:t,height:Na}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.
aborted)return;this.plot?.destroy(),this.place.replaceChildren();let n=this.data[0].length<40,l={stroke:Jt("--dim"),grid:{
stroke:Jt("--grid"),width:1},ticks:{stroke:Jt("--grid"),width:1},font:"11px system-ui, sans-serif"};this.plot=new Be({width:t,
height:Na,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},
...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1},y:{range:(i,s,a)=>this.range(s,
a)}},axes:[{...l,size:26,incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},{...l,size:52,values:(i,s)=>s.map(
a=>this.text(a))}],series:[{},...this.lines.map((i,s)=>({label:i.label,stroke:Jt(ki[s%ki.length]),width:1.5,spanGaps:!0,
points:{show:n,size:4}}))],hooks:{drawClear:[i=>Cd(i,this.ground)],draw:[i=>$d(i,this.ground)],setCursor:[i=>this.values(
i.cursor.idx??null)]}},this.data,this.place),this.plot.over.addEventListener("click",()=>this.click())}range(t,n){if(this.
options.share&&(n??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)return[0,1];let l=(n-t)*.06||Math.abs(n)*.1||1;
return[t>=0&&t-l<0?0:t-l,n+l]}text(t){return this.options.share?ot(t).replace(/\.0 %$/," %"):E(t,3)}click(){let t=this.plot?.
cursor.idx;if(t==null||!this.options.open)return;let n=this.data[0][t];n!==void 0&&this.options.open(n)}values(t){let n=this.
data[0],l=t!==null&&t<n.length?t:null;H(this.legend,o("span",{class:"dim"},l!==null?`step ${E(n[l])}`:"last"),this.lines.
map((i,s)=>{let a=[...this.data[s+1]??[]],p=l!==null?a[l]:a.findLast(d=>d!=null);return o("span",{class:"key"},o("i",{class:"\
swatch",vars:{"--swatch":`var(${ki[s%ki.length]})`}}),i.label===this.options.title?null:i.label+" ",o("b",null,this.exactly(
p)))}))}exactly(t){return this.options.share?ot(t):E(t)}};function Cd(e,t){let{ctx:n,bbox:l}=e;n.save(),n.font=`${11*devicePixelRatio}\
px system-ui, sans-serif`,t.stages.forEach((i,s)=>{let a=Math.max(l.left,e.valToPos(i.first_step-.5,"x",!0)),p=i.last_step??
1/0,d=Number.isFinite(p)?e.valToPos(p+.5,"x",!0):l.left+l.width,m=Math.min(l.left+l.width,d);m<=a||(s%2===1&&(n.fillStyle=
Jt("--band"),n.fillRect(a,l.top,m-a,l.height)),t.stages.length>1&&m-a>40*devicePixelRatio&&(n.fillStyle=Jt("--dim"),n.beginPath(),
n.save(),n.rect(a,0,m-a-6*devicePixelRatio,l.top),n.clip(),n.fillText(cn(i.name.slice(0,40)),a,l.top-4*devicePixelRatio),
n.restore()))}),n.restore()}var Ad={kill:"--bad",resume:"--s1",take_up:"--s1",plugin_restart:"--warn"};function $d(e,t){
let{ctx:n,bbox:l}=e,i=a=>a>=l.left&&a<=l.left+l.width;n.save();for(let a of t.marks){let p=Ad[a.kind];if(a.step===void 0||
!p)continue;let d=e.valToPos(a.step+.5,"x",!0);i(d)&&(n.strokeStyle=Jt(p),n.lineWidth=devicePixelRatio,n.setLineDash([3*
devicePixelRatio,3*devicePixelRatio]),n.beginPath(),n.moveTo(d,l.top),n.lineTo(d,l.top+l.height),n.stroke())}n.setLineDash(
[]);let s=l.top+l.height;for(let a of t.checkpoints){let p=e.valToPos(a.step,"x",!0);i(p)&&(n.fillStyle=Jt(a.best?"--s2":
"--dim"),n.beginPath(),n.moveTo(p,s-(a.best?9:6)*devicePixelRatio),n.lineTo(p-3.5*devicePixelRatio,s),n.lineTo(p+3.5*devicePixelRatio,
s),n.fill())}n.restore()}function Oa(e){let t=[...new Set(e.flatMap(i=>i.points.map(s=>s[0])))].sort((i,s)=>i-s),n=new Map(
t.map((i,s)=>[i,s])),l=e.map(i=>{let s=new Array(t.length).fill(void 0);for(let[a,p]of i.points)s[n.get(a)]=p;return s});
return[t,...l]}var Fa=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"gap of log-probabilities",names:["train/logprob_ga\
p"],unit:"nats, the largest"},{title:"groups of equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Si(e){
let t=new Set(e);return Fa.map(l=>({...l,names:l.names.filter(i=>t.has(i))})).filter(l=>l.names.length>0)}function Wa(e){
let t=new Set(Fa.flatMap(l=>l.names)),n=new Map;for(let l of e.filter(i=>!t.has(i)).sort()){let i=Rd(l);n.set(i,[...n.get(
i)??[],l])}return n}function Rd(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}\
/${t[1]}`:t.length>1?t[0]:"other"}function qa(e,t){return t.names.length===1?e:t.names.some(l=>l.startsWith("validation/"))?
e.startsWith("validation/")?"held-out":"training":e.replace(/^[^/]*\//,"").replace(/_seconds$/,"").replaceAll("_"," ")}var Ia=6;async function Ga(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Ia);e.title({text:"compare "+t.join(", ")});
let n=(await ti(e.signal)).runs,l=o("div",null),i=o("div",null);if(H(e.root,o("div",{class:"bar"},o("h1",null,"Compare"),
Dd(t,n)),zd(t,n),l,i),t.length<2){H(l,o("p",{class:"empty"},"Choose a second run."));return}await Promise.all([Le(e,i,async()=>{
let[s,...a]=t,p=[];for(let d of a)p.push(Od(await Br(s,d,e.signal),s,d));return p}),Le(e,l,()=>Hd(e,t))])}function Dd(e,t){
let n=t.filter(i=>!e.includes(i.name)),l=o("select",{"aria-label":"add a run","data-filter":!0},o("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(i=>o("option",{value:i.name},i.name)));return l.disabled=e.length>=Ia||n.length===0,
l.addEventListener("change",()=>{l.value!==""&&(location.hash=Y(["compare"],{run:[...e,l.value]}))}),l}function zd(e,t){
return o("div",{class:"sides"},e.map((n,l)=>{let i=t.find(s=>s.name===n);return o("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${l+1})`}},o("h2",null,o("i",{class:"swatch"}),o("a",{href:Pn(n)},n)," ",i?Al(i):null,o("a",{class:"qui\
et",title:"leave it out",href:Y(["compare"],{run:e.filter(s=>s!==n)})},"\xD7")),i?pn([["step",E(i.step)],["held-out succ\
ess",$l(i)],["adapter",i.adapter],["spec",i.spec]]):o("p",null,"There is no such run in this folder."))}))}async function Hd(e,t){
let n=await Promise.all(t.map(b=>_n(b,e.signal))),l=n.map(b=>new Set(b.metrics??[])),i=[...new Set(n.flatMap(b=>b.metrics??
[]))],s=i.filter(b=>l.every(g=>g.has(b))),a=i.filter(b=>!l.every(g=>g.has(b))),p=Si(i).flatMap(b=>b.names),d=b=>{let g=o(
"div",null);return Le(e,g,async()=>o("div",{class:"grid"},await Nd(e,t,b))),g},m=s.filter(b=>!p.includes(b)).sort().slice(
0,60);return[d(p),m.length>0?Ae(`${Pe(m.length,"other metric")} of all of them`,()=>d(m)):null,a.filter(b=>!p.includes(b)).
length>0?Ae("metrics that only some have",()=>d(a.filter(b=>!p.includes(b)).sort().slice(0,60))):null]}async function Nd(e,t,n){
if(n.length===0)return[];let l=await Promise.all(t.map(i=>ni(i,n,void 0,e.signal)));return n.map(i=>new gl({title:i,sync:"\
compare",share:i.endsWith("success_rate")},t.map((s,a)=>({label:s,points:l[a].series[i]??[]})),Va,e.signal).element)}function Od(e,t,n){
let l=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],i=new Set(
e.unrecorded??[]),s=l.filter(([a,p])=>(p??[]).length===0&&!i.has(a)).map(([a])=>a);return me(`What differs between ${t} \
and ${n}`,e.same_digest?o("p",null,"Their newest checkpoints are equal to the bit."):null,s.length>0?o("p",null,`The sam\
e in both: ${s.join(", ")}.`):null,i.size>0?o("p",{class:"dim"},`Not compared, because a run of an earlier version has n\
o record of it: ${[...i].join(", ")}.`):null,l.filter(([,a])=>(a??[]).length>0).map(([a,p])=>[o("h3",null,a),Ie([{title:"",
half:!0,cell:d=>o("code",null,d.path)},{title:t,half:!0,cell:d=>ja(d.a)},{title:n,half:!0,cell:d=>ja(d.b)}],p.slice(0,300))]))}
function ja(e){if(e===void 0)return o("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return o(
"span",{class:"value"},t.length>300?t.slice(0,300)+" \u2026":t)}var Ei=.2,Vd=.7;function Ua(e,t){let n=Fd(e,t);return n.length===0?null:me("What stands out",o("ul",{class:"findings"},n.
map(l=>o("li",{class:"item",data:l.query?{href:Y(["run",e.name,"episodes"],l.query)}:void 0},o("b",null,l.words)," ",l.advice,
l.query?[" ",o("a",{href:Y(["run",e.name,"episodes"],l.query)},"Show them")]:null))))}function Fd(e,t){let n=bl(t.map(d=>d.
episodes));if(n===0)return[];let l=d=>`${E(d)} of ${E(n)} episodes (${ot(d/n)})`,i=[],s=bl(t.map(d=>d.failed));if(s>=Ei*
n){let[d]=Object.entries(e.failures??{}).sort((m,b)=>b[1]-m[1])[0]??[];i.push({words:`${l(s)} failed`,advice:d?`most oft\
en as ${d.toLowerCase()}: nothing is learned from them.`:"nothing is learned from them.",query:d?{class:d,split:"train"}:
{outcome:"FAILED",split:"train"}})}let a=bl(t.map(d=>d.truncated));a>=Ei*n&&i.push({words:`${l(a)} were cut by a limit`,
advice:"of tokens, turns or time: the last message of one shows where.",query:{outcome:"TRUNCATED",split:"train"}});let p=bl(
t.map(d=>d.malformed));return p>=Ei*n&&i.push({words:`${E(p)} tool calls could not be read`,advice:`in ${E(n)} episodes:\
 they are marked in the conversations, with the reason.`,query:{split:"train",malformed_min:"1"}}),s<Ei*n&&i.push(...Wd(
t)),i.push(...jd(t)),i}function Wd(e){let t=e.map(i=>i.reward).filter(i=>typeof i=="number");if(t.length<2)return[];let n=e.
map(i=>i.success).filter(i=>typeof i=="number"),l={split:"train"};return n.length>1&&n.every(i=>i===1)?[{words:"Everythi\
ng was solved from the first step on.",advice:"Is the answer told to the agent?",query:l}]:t.every(i=>i===t[0])?[{words:`\
The mean reward is ${E(t[0])} in every step.`,advice:"Where all samples of a group are worth the same, nothing is learne\
d. Is there a right answer among them?",query:l}]:[]}var qd={model:"messages of the policy",tool:"the environment",reward:"\
rewards",siblings:"waiting for the rest of the group",host:"awhost itself"};function jd(e){let t=new Map;for(let s of e)
for(let[a,p]of Object.entries(s.parts??{}))a!=="queue"&&t.set(a,(t.get(a)??0)+p);let n=bl([...t.values()]),[l,i]=[...t].
sort((s,a)=>a[1]-s[1])[0]??["",0];return n===0||i<Vd*n||l==="model"?[]:[{words:`${ot(i/n)} of the episodes' time went in\
to ${qd[l]??l}`,advice:`(${Je(i/Math.max(1,bl(e.map(s=>s.episodes))))} an episode).`,query:{split:"train",sort:"-seconds"}}]}
function bl(e){return e.reduce((t,n)=>t+(n??0),0)}var Ba=25;async function Ja(e,t){e.title({text:t});let n=await _n(t,e.signal),l=o("div",null),i=o("div",null),s=new Ks(e,
n),a=new Ys(e,n),p=o("div",null),d=o("div",null),m=g=>{H(l,Gd(g)),H(p,Yd(g),Jd(g),Xd(g),ef(g)),document.querySelector(".\
crumbs [aria-current]")?.setAttribute("data-status",g.status)};if(m(n),H(e.root,l,d,i,s.element,a.element,p),e.key("e","\
all episodes",()=>{location.hash=Y(["run",t,"episodes"])}),e.key("v","validations",()=>{location.hash=Y(["run",t,"valida\
tions"])}),e.key("s","the newest step",()=>{location.hash=Ye(t,Math.max(0,n.step))}),s.load(),a.load(),Ka(e,n,d),!n.live)
return;Ya(e,t,i),e.onLive(t,g=>{b(g)});let b=async g=>{let v=new Set(g.map(L=>L.kind)),M=await _n(t,e.signal).catch(()=>null);
!M||e.signal.aborted||(Object.assign(n,M),m(M),(v.has("step")||v.has("state"))&&(s.refresh(M,v.has("state")),a.refresh(M),
Ka(e,M,d)),Ya(e,t,i))}}var Id=50;async function Ka(e,t,n){let l=await _l(t.name,Math.max(0,t.step-Id+1),Math.max(0,t.step),
e.signal).catch(()=>null);l&&!e.signal.aborted&&H(n,Ua(t,l.steps))}function Gd(e){let t=[e.step>=0?`${E(e.step)}${e.steps?
` of ${E(e.steps)}`:""}`:"none yet"];return[o("div",{class:"bar"},o("h1",null,e.name),Al(e),o("span",{class:"grow"}),o("\
a",{class:"button",href:Y(["run",e.name,"episodes"])},"Episodes"),o("a",{class:"button",href:Y(["run",e.name,"validation\
s"])},"Validations"),o("a",{class:"button",href:Y(["compare"],{run:[e.name]})},"Compare")),(e.warnings??[]).map(n=>o("p",
{class:"warning",role:"status"},n)),e.problem||e.reason?o("p",{class:"warning"},e.problem??e.reason):null,pn([["step",t],
["stage",e.stage],["held-out success",$l(e)],["episodes",e.episodes===void 0?null:E(e.episodes)],["adapter",e.adapter],[
"train",e.train],["spec",e.spec],["where",e.machine],["started",An(e.started)],["took",e.live||e.ended?ri(e.started,e.live?
void 0:e.ended):null],["disk",$t(e.disk_bytes)],["digest",e.digest?o("code",null,e.digest.slice(0,19)):null]]),Ud(e)]}function Ud(e){
let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,l)=>l[1]-n[1]);return t.length===0?null:o("p",{class:"c\
hips"},o("span",{class:"dim"},"Failed: "),t.map(([n,l])=>o("a",{class:"chip bad",href:Y(["run",e.name,"episodes"],{class:n})},
`${n.toLowerCase()} `,o("b",null,E(l)))))}var Ks=class{constructor(t,n){this.view=t;this.run=n}view;run;element=o("secti\
on",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";async load(){this.drawn=(this.run.metrics??
[]).join(`
`);let t=Si(this.run.metrics??[]),n=o("div",{class:"grid"});await Le(this.view,this.element,async()=>(await this.fetch(t.
flatMap(l=>l.names)),H(n,t.map(l=>this.chart(l))),t.length===0?o("p",{class:"empty"},"No step has ended yet: there is no\
 curve to draw."):[n,[...Wa(this.run.metrics??[])].map(([l,i])=>this.part(l,i))]))}part(t,n){let l=[o("b",null,t),o("spa\
n",{class:"dim"},` ${Pe(n.length,"metric")}`)];return Ae(l,()=>{let i=o("div",null),s=24,a=p=>Le(this.view,i,async()=>{let d=n.
slice(p,p+s);return await this.fetch(d),[o("div",{class:"grid"},d.map(m=>this.chart({title:m,names:[m]}))),n.length>s?o(
"div",{class:"pager"},o("button",{disabled:p===0,onclick:()=>{a(p-s)}},"\u2190"),o("span",null,`${p+1} to ${p+d.length} \
of ${n.length}`),o("button",{disabled:p+s>=n.length,onclick:()=>{a(p+s)}},"\u2192")):null]});return a(0),i})}chart(t){let n=new gl(
{title:t.title,unit:t.unit,share:t.share,sync:"run",open:l=>{location.hash=Ye(this.run.name,l)}},this.lines(t),this.ground(),
this.view.signal);return this.charts.push({of:t,chart:n}),n.element}lines(t){return t.names.map(n=>({label:qa(n,t),points:this.
points.get(n)??[]}))}ground(){return{stages:this.run.stages??[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??
[]}}async fetch(t,n){if(t.length===0)return;let{series:l}=await ni(this.run.name,t,n,this.view.signal);for(let[i,s]of Object.
entries(l)){let a=n===void 0?[]:(this.points.get(i)??[]).filter(p=>p[0]<=n);this.points.set(i,[...a,...s])}}async refresh(t,n){
if(this.run=t,this.drawn===""||this.charts.length===0&&(t.metrics??[]).length>0)return this.load();let l=[...new Set(this.
charts.flatMap(s=>s.of.names))],i=Math.max(-1,...l.flatMap(s=>(this.points.get(s)??[]).slice(-1).map(a=>a[0])));try{await this.
fetch(l,n||i<1?void 0:i-1)}catch{return}for(let{of:s,chart:a}of this.charts)a.update(this.lines(s),this.ground())}},Ys=class{constructor(t,n){
this.view=t;this.run=n;this.element.append(this.place)}view;run;element=me("Steps");place=o("div",null);top;load(){return Le(
this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.top===void 0&&!this.place.contains(document.activeElement)){
let n=await this.draw().catch(()=>null);n&&!this.view.signal.aborted&&H(this.place,n)}}async draw(){let t=this.top??this.
run.step,n=Math.max(0,t-Ba+1),{steps:l}=await _l(this.run.name,n,Math.max(0,t),this.view.signal);if(l.length===0)return o(
"p",{class:"empty"},"No step has ended yet.");let i=s=>{let a=t+s*Ba;this.top=a>=this.run.step?void 0:a,this.load()};return[
Bd(this.run.name,[...l].sort((s,a)=>a.step-s.step)),n>0||this.top!==void 0?o("div",{class:"pager"},o("button",{disabled:this.
top===void 0,onclick:()=>i(1)},"\u2190 Newer"),o("span",null,`steps ${n} to ${t}`),o("button",{disabled:n===0,onclick:()=>i(
-1)},"Older \u2192")):null]}};function Bd(e,t){let n=[...new Set(t.flatMap(l=>Object.keys(l.seconds??{})))];return Ie([{
title:"step",right:!0,cell:l=>o("a",{href:Ye(e,l.step)},E(l.step))},{title:"stage",cell:l=>l.stage??"\u2013"},{title:"ep\
isodes",right:!0,cell:l=>E(l.episodes)},{title:"reward",right:!0,cell:l=>E(l.reward)},{title:"success",right:!0,cell:l=>ot(
l.success)},{title:"failed",right:!0,cell:l=>Js(l.failed)},{title:"truncated",right:!0,cell:l=>Js(l.truncated)},...n.map(
l=>({title:l.replaceAll("_"," "),right:!0,cell:i=>Je(i.seconds?.[l])})),{title:"",wide:!0,cell:()=>""}],t,l=>Ye(e,l.step))}
function Js(e){return e?o("span",{class:"bad"},E(e)):E(e)}var Kd={start:"started",resume:"resumed",kill:"killed",take_up:"\
trainer taken up",stage:"stage",plugin_restart:"plugin restarted"};function Yd(e){let t=[...e.marks??[]].sort((i,s)=>s.time.
localeCompare(i.time));if(t.length===0)return null;let n=i=>Ie([{title:"time",cell:s=>An(s.time)},{title:"step",right:!0,
cell:s=>E(s.step)},{title:"what",cell:s=>o("span",{class:"badge "+(s.kind==="kill"?"bad":"")},Kd[s.kind]??s.kind.replaceAll(
"_"," "))},{title:"",wide:!0,cell:s=>s.text}],i),l=10;return me("What happened",n(t.slice(0,l)),t.length>l?Ae(`${Pe(Math.
min(t.length,500)-l,"earlier entry").replace("entrys","entries")}`,()=>n(t.slice(l,500))):null)}function Jd(e){return(e.
plugins??[]).length===0?null:me("Plugins",Ie([{title:"address",cell:t=>o("code",null,t.address)},{title:"plugin",cell:t=>`${t.
name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>Js(
t.restarts)},{title:"CPU",right:!0,cell:Qd},{title:"memory",right:!0,cell:t=>$t(t.rss_bytes)},...e.plugins.some(t=>t.gpus)?
[{title:"GPU memory",right:!0,cell:t=>Zd(t)}]:[],{title:"last words",wide:!0,cell:t=>t.last_words?o("div",{class:"words"},
je(t.last_words,400)):""}],e.plugins),o("p",{class:"dim"},"All that a plugin wrote: ",Cn(`awhost logs ${e.name}`)))}function Qd(e){
return e.cpu_percent===void 0?Je(e.cpu_seconds):[Je(e.cpu_seconds),o("span",{class:"dim"},` ${Math.round(e.cpu_percent)}\
 %`)]}function Zd(e){return(e.gpus??[]).map(t=>o("div",null,o("span",{class:"dim"},`${t.index}: `),$t(t.bytes)))}function Xd(e){
return(e.gpus??[]).length===0?null:me("GPUs of the machine",Ie([{title:"",right:!0,cell:t=>String(t.index)},{title:"name",
cell:t=>t.name??"\u2013"},{title:"memory",cell:t=>[`${$t(t.used_bytes)} of ${$t(t.total_bytes)}`,t.total_bytes?o("progre\
ss",{value:t.used_bytes??0,max:t.total_bytes,"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],e.gpus))}function ef(e){
let t=[...e.checkpoints??[]].sort((n,l)=>l.step-n.step).slice(0,200);return t.length===0?null:me("Checkpoints",Ie([{title:"\
step",right:!0,cell:n=>o("a",{href:Ye(e.name,n.step)},E(n.step))},{title:"",cell:n=>n.best?o("span",{class:"badge good"},
"best"):""},{title:"path",wide:!0,cell:n=>n.path?Cn(n.path):""}],t))}async function Ya(e,t,n){let l=await Gr(t,e.signal).
catch(()=>null);if(!l||!l.live||e.signal.aborted)return H(n);if(l.waits.length===0)return H(n);let i=l.waits[0];H(n,Ae([
o("b",null,"What waits for what: "),tf(i),l.waits.length>1?`, and ${l.waits.length-1} more`:""],()=>Ie([{title:"who",cell:s=>s.
episodes?Pe(s.episodes,"episode"):"the "+s.who},{title:"waits for",cell:s=>[s.for," ",s.address??"",s.call?`, ${s.call}`:
""]},{title:"since",right:!0,cell:s=>Je(s.seconds)},{title:"longest",cell:s=>s.episode?o("a",{href:rt(t,s.episode)},s.episode):
""},{title:"",wide:!0,cell:s=>s.detail??""}],l.waits),n.querySelector("details")?.open??!1))}function tf(e){return`${e.episodes?
`${Pe(e.episodes,"episode")} wait`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${Je(e.seconds)}`}
var Xt=e=>({text:e,href:Pn(e)});function Mt(e){let t=e.filter(i=>typeof i=="number"&&Number.isFinite(i)),n=Math.min(0,...t),l=Math.max(1,...t);if(n<0){let i=Math.
max(-n,Math.max(0,...t));return{low:-i,high:i}}return{low:0,high:l}}function Mi(e){return{low:-e,high:e}}function Tt(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let l=n.high-
n.low,i=l===0?.5:Math.min(1,Math.max(0,(t-n.low)/l));return e.classList.add(i<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(i-.5)*200)}%`),e}function hn(e,t,n,l=!1){let i=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",s=o("a",
{class:"cell"+(l?" here":""),href:rt(e,t.id),title:nf(t),"aria-current":l?"true":void 0},i?at(t.outcome):t.reward===null||
t.reward===void 0?"none":E(t.reward,3),t.success===!0?o("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?o("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?o("span",{class:"cut","aria-label":"\
with calls that could not be read"},"\u2260"):null);return Tt(s,t.outcome==="FAILED"?null:t.reward,n)}function nf(e){let t=e.
success===!0?", solved":e.success===!1?", not solved":"",n=e.class?` (${at(e.class)})`:"",l=e.malformed?`, ${Pe(e.malformed,
"call")} could not be read`:"";return`${e.id}: ${at(e.outcome)}${n}, reward ${E(e.reward)}${t}${l}`}function Vn(e){let t=e.
outcome==="FAILED"?"bad":e.outcome==="SCORED"?"good":"warn";return o("span",{class:"badge "+t},e.outcome?at(e.outcome):"\
given up",e.class?`: ${at(e.class)}`:"")}function Qa(e,t){return Tt(o("span",{class:"cell small"},E(e.reward,3)),e.reward,
t)}var ec=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],lf=["SCORED","TRUNCATED","FAILED","DROPPED","CANCELLED"],sf=[["","in order"],["-reward","best first"],["\
reward","worst first"],["-turns","most turns first"],["turns","fewest turns first"],["-seconds","longest first"],["secon\
ds","shortest first"]];function tc(e){let t={};for(let n of ec){let l=e.get(n);l&&(t[n]=l)}return t}function _i(e){return ec.
some(t=>t!=="split"&&(e.get(t)??"")!=="")}function nc(e,t,n){let l=d=>t.get(d)??"",i=[...new Set([...n,l("class")])].filter(
d=>d!==""),s=["member","task","group","turns_min","turns_max","malformed_min"].some(d=>l(d)!==""),a=o("form",{class:"fil\
ter",role:"search"},Ti("q","text",l("q"),{"data-filter":!0,placeholder:"words in the conversation",type:"search"}),Qs("o\
utcome",l("outcome"),[["","any outcome"],...lf.map(d=>[d,d.toLowerCase()])]),Qs("class",l("class"),[["","any failure"],...i.
map(d=>[d,d.toLowerCase().replaceAll("_"," ")])]),Qs("sort",l("sort"),sf),Xa("reward",l),o("details",{class:"more",open:s},
o("summary",null,"more"),o("div",{class:"filter"},Xa("turns",l),rf("malformed","unread calls",l),Ti("task","task",l("tas\
k")),Ti("group","group",l("group")),Ti("member","member",l("member")))),o("button",null,"Filter"),_i(t)?o("a",{class:"bu\
tton quiet",href:Y(e,Za(t))},"Clear"):null),p=()=>{let d=Za(t);for(let[m,b]of new FormData(a))typeof b=="string"&&b.trim()!==
""&&(d[m]=b.trim());location.hash=Y(e,d)};return a.addEventListener("submit",d=>{d.preventDefault(),p()}),a.addEventListener(
"change",d=>{d.target instanceof HTMLSelectElement&&p()}),a}function Za(e){let t={};for(let n of["split","layout"]){let l=e.
get(n);l&&(t[n]=l)}return t}function Ti(e,t,n,l={}){return o("label",null,o("span",null,t),o("input",{name:e,value:n,type:"\
text",autocomplete:"off",...l}))}function rf(e,t,n){let l={name:`${e}_min`,value:n(`${e}_min`),type:"number",min:0,placeholder:"\
from"};return o("label",{class:"range"},o("span",null,t),o("input",l))}function Xa(e,t){let n=(l,i)=>o("input",{name:`${e}\
_${l}`,value:t(`${e}_${l}`),type:"number",step:"any",placeholder:i,"aria-label":`${e} ${i}`});return o("label",{class:"r\
ange"},o("span",null,e),n("min","from"),n("max","to"))}function Qs(e,t,n){let l=o("select",{name:e,"aria-label":e},n.map(
([i,s])=>o("option",{value:i},s)));return l.value=t,l}function Fl(e,t){let n=new Map;for(let l of e){let i=t(l),s=n.get(i);s?s.push(l):n.set(i,[l])}return n}var of=100;async function Xs(e,t,n){let l=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(Xt(t),{text:n===void 0?
"episodes":`step ${n}`});let i=await _n(t,e.signal),s=new Zs(e,i,n,l);H(e.root,af(e,i,n,l),n===void 0?null:cf(e,t,n),on===
void 0?nc(l,e.query,Object.keys(i.failures??{})):null,n===void 0||_i(e.query)?null:pf(e,t,n),s.element),await s.load(),i.
live&&e.onLive(t,a=>s.hear(a.some(p=>n===void 0||p.step===n)))}function af(e,t,n,l){let i=e.query.get("split")??"",s=Object.
fromEntries([...e.query].filter(([m])=>m!=="cursor")),a=(m,b)=>o("a",{class:"tab"+(i===m?" here":""),"aria-current":i===
m?"true":void 0,href:Y(l,{...s,split:m})},b),p=e.query.get("layout")??"",d=m=>{location.hash=Ye(t.name,Math.max(0,(n??0)+
m),{split:i})};return n!==void 0&&(e.key("ArrowLeft","step before",()=>d(-1)),e.key("ArrowRight","next step",()=>d(1))),
o("div",{class:"bar"},o("h1",null,n===void 0?"Episodes":`Step ${E(n)}`),n===void 0?null:o("span",{class:"turn"},o("butto\
n",{disabled:n===0,title:"step before (\u2190)","aria-label":"step before",onclick:()=>d(-1)},"\u2190"),o("button",{title:"\
next step (\u2192)","aria-label":"next step",onclick:()=>d(1)},"\u2192")),o("span",{class:"tabs"},a("","All"),a("train",
"Training"),a("validation","Held-out")),n===void 0?null:o("span",{class:"tabs"},o("a",{class:"tab"+(p===""?" here":""),href:Y(
l,{...s,layout:""})},"Groups"),o("a",{class:"tab"+(p==="list"?" here":""),href:Y(l,{...s,layout:"list"})},"List")))}function cf(e,t,n){
let l=o("div",null);return Le(e,l,async()=>{let i=(await _l(t,n,n,e.signal)).steps.find(s=>s.step===n);return i?pn([["st\
age",i.stage],["episodes",E(i.episodes)],["reward",E(i.reward)],["success",ot(i.success)],["failed",E(i.failed)],["trunc\
ated",E(i.truncated)],...uf(i)]):o("p",{class:"dim"},"The step has not ended, or is not of this run.")}),l}function uf(e){
return Object.entries(e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),Je(n)])}function pf(e,t,n){let l=o("div",null),
i=e.query.get("split")??void 0,s=p=>Ll(t,{step:n,split:i,sort:p,limit:3},e.signal);Le(e,l,async()=>{let[p,d]=await Promise.
all([s("-reward"),s("reward")]),m=g=>g.episodes.filter(v=>typeof v.reward=="number");if(m(p).length===0)return null;let b=Mt(
[...m(p),...m(d)].map(g=>g.reward));return o("div",{class:"extremes"},a("Best",m(p),b),a("Worst",m(d),b))});let a=(p,d,m)=>me(
p,d.map(b=>o("p",{class:"answer"},hn(t,b,m)," ",o("a",{href:rt(t,b.id),class:"quiet"},Li(b.answer)||"no answer"))));return l}
var Zs=class{constructor(t,n,l,i){this.view=t;this.run=n;this.step=l;this.path=i;this.element.append(this.news,this.place)}view;run;step;path;element=o(
"div",null);place=o("div",null);news=o("div",null);load(){return H(this.news),Le(this.view,this.place,()=>this.draw())}hear(t){
if(!t)return;this.view.query.has("cursor")||this.element.contains(document.activeElement)||this.element.querySelector(".\
current, :hover")!==null?H(this.news,o("p",{class:"news"},o("button",{onclick:()=>{this.load()}},"There is more: show it"))):
this.load()}async draw(){let t=this.view.query.get("cursor")??void 0,n=this.step!==void 0&&this.view.query.get("layout")!==
"list"&&!this.view.query.get("sort"),l=n?{sort:"group"}:{},i=await Ll(this.run.name,{...tc(this.view.query),...l,step:this.
step,limit:of,cursor:t},this.view.signal);if(i.episodes.length===0)return o("p",{class:"empty"},this.emptiness());let s=Mt(
i.episodes.map(p=>p.reward)),a=i.total===void 0?"":`${Pe(i.total,"episode")}`;return[o("p",{class:"legend"},o("b",null,a),
ff(s)),this.strip(i.episodes,s),n?this.groups(i.episodes,s):this.list(i.episodes,s),this.pager(i,t)]}emptiness(){return _i(
this.view.query)?"No episode is like this.":this.run.live?"No episode has ended yet: the list fills by itself.":"There a\
re no episodes."}strip(t,n){if(this.step!==void 0||!this.view.query.get("task"))return null;let l=Fl([...t].sort((i,s)=>i.
step-s.step),i=>i.step);return me("This task through time",o("div",{class:"strip"},[...l].map(([i,s])=>o("div",null,o("a",
{class:"dim",href:Ye(this.run.name,i)},`step ${i}`),s.map(a=>hn(this.run.name,a,n))))))}groups(t,n){let l=[...Fl(t,i=>JSON.
stringify([i.split,i.group])).values()].sort(df);return o("div",{class:"groups"},l.map(i=>{let s=i.toSorted((d,m)=>d.sample-
m.sample),a=s[0],p=Cl(this.run.name,a.group,a.step,a.split);return o("section",{class:"group item",data:{href:p}},o("div",
{class:"of"},o("a",{href:p,title:"side by side"},a.split==="validation"?"held-out ":"",`group ${a.group}`),o("a",{class:"\
task",title:"this task through time",href:Y(["run",this.run.name,"episodes"],{task:a.task})},a.task),o("span",{class:"di\
m"},mf(s))),o("div",{class:"cells"},s.map(d=>hn(this.run.name,d,n))))}))}list(t,n){let l=this.run.name;return Ie([...this.
step===void 0?[{title:"step",right:!0,cell:i=>o("a",{href:Ye(l,i.step)},E(i.step))}]:[],{title:"episode",cell:i=>o("a",{
href:rt(l,i.id)},i.id)},{title:"reward",right:!0,cell:i=>Qa(i,n)},{title:"success",cell:i=>i.success===!0?"solved":i.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:Vn},{title:"task",cell:i=>o("a",{class:"short",href:Y(["run",l,"episodes"],
{task:i.task})},i.task)},{title:"answer",wide:!0,cell:i=>o("div",{class:"short"},Li(i.answer))},{title:"turns",right:!0,
cell:i=>E(i.turns)},{title:"tokens",right:!0,cell:i=>E(i.tokens)},{title:"took",right:!0,cell:i=>Je(i.seconds)},{title:"\
attempt",right:!0,cell:i=>E(i.attempt)}],t,i=>rt(l,i.id))}pager(t,n){if(!t.next&&!n)return null;let l=Object.fromEntries(
[...this.view.query].filter(([s])=>s!=="cursor")),i=()=>{t.next&&(location.hash=Y(this.path,{...l,cursor:t.next}))};return this.
view.key("n","next page",i),o("div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.hash=Y(this.path,l)}},
"First page"),o("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!t.next,onclick:i},
"Next page \u2192"))}};function df([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function ff(e){return o("span",{class:"ramp"},o("span",null,E(e.low)),o("i",null),o("span",null,E(e.high)),o("i",{class:"\
hatched"}),o("span",null,"no reward"))}function mf(e){let t=e.map(l=>l.reward).filter(l=>typeof l=="number");if(t.length===
0)return"no rewards";let n=t.reduce((l,i)=>l+i,0)/t.length;return t.length>1&&t.every(l=>l===t[0])?`all ${E(n,3)}: teach\
es nothing`:`mean ${E(n,3)}`}function Li(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var hf=200;function Wl(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),l=o("div",{class:"conversation"});
if(n.reduce((p,d)=>p+d.messages.length,0)===0)return H(l,o("p",{class:"empty"},"Nothing was said.")),l;let s=gf(n),a=p=>{
l.querySelector(":scope > button")?.remove();let d=Math.min(s.length,p+hf);It(l,bf(s.slice(p,d),t)),d<s.length&&l.append(
o("button",{onclick:()=>a(d)},`show more: ${Pe(s.length-d,"message")} are left`))};return a(0),l}function gf(e){let t=[],
n=new Map;for(let l of e){let i=l.agent??"";for(let s of l.messages){let a=JSON.stringify([i,s.tool_call_id]),p=s.role===
"tool"?n.get(a):void 0;if(p){p.results.set(s.tool_call_id,s),n.delete(a);continue}let d={member:i,depth:Math.max(0,l.depth??
0),message:s,results:new Map};for(let m of s.tool_calls??[])n.set(JSON.stringify([i,m.id]),d);t.push(d)}}return t}function bf(e,t){
let n=o("div",null),l=[{element:n,member:""}];for(let i of e){let s=i.member===""?0:i.depth+1;for(;l.length>s+1||l.length===
s+1&&s>0&&l.at(-1).member!==i.member;)l.pop();for(;l.length<=s;){let a=o("details",{class:"member",open:!0},o("summary",
null,i.member));l.at(-1).element.append(a),l.push({element:a,member:i.member})}l.at(-1).element.append(wf(i,t))}return[...n.
childNodes]}function wf(e,t){let n=e.message,l=n.role||"unknown",i=(n.content??"").length;return o("article",{class:`mes\
sage item ${xf(l)}${n.is_error?" error":""}`},o("header",null,o("b",null,l),n.name?o("span",{class:"dim"},n.name):null,n.
is_error?o("span",{class:"badge bad"},"error"):null,i>2e3?o("span",{class:"dim"},`${i.toLocaleString("en")} characters`):
null),n.reasoning?Ae([o("b",null,"thinks"),o("span",{class:"dim"}," "+er(n.reasoning))],()=>je(n.reasoning),!1,"thinks"):
null,n.content?je(n.content,t):null,(n.images??[]).map(lc),(n.attachments??[]).map(s=>sc(s,n.content??"")),(n.tool_calls??
[]).map(s=>kf(s,e.results.get(s.id))),(n.malformed??[]).map(s=>o("div",{class:"malformed"},o("span",{class:"badge warn"},
"not a call")," ",s.reason,Ae("what it wrote",()=>je(s.text)))),yf(n)?o("p",{class:"dim"},"(nothing)"):null)}var vf=new Set(
["system","user","assistant","tool"]);function xf(e){return vf.has(e)?e:"other"}function yf(e){return!e.content&&!e.reasoning&&
!e.images?.length&&!e.attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function kf(e,t){let n=[o("span",
{class:"arrow"},"\u2192"),o("b",null,e.name||"(no name)"),o("span",{class:"dim oneline"},er(e.arguments)),t?.is_error?o(
"span",{class:"badge bad"},"error"):null,o("span",{class:t?"result oneline":"oneline bad"},t?"\u2190 "+er(t.content??""):
"no result")];return Ae(n,()=>o("div",{class:"body"},o("h4",null,"arguments"),je(Sf(e.arguments)),o("h4",null,"result"),
t?[t.content?je(t.content):o("p",{class:"dim"},"(nothing)"),(t.images??[]).map(lc),(t.attachments??[]).map(l=>sc(l,t.content??
""))]:o("p",{class:"dim"},"The episode ended before there was one.")),!1,"call")}function Sf(e){if(e.length>1e6)return e;
try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function er(e){return Pl(e.slice(0,300).replace(/\s+/g,"\
 ").trim())}var Ef=new Set(["image/png","image/jpeg","image/gif","image/webp"]),Mf=8<<20;function lc(e){let t=["picture",
e.mime_type,e.url,e.data?$t(Math.floor(e.data.length*3/4)):""];return ic(t.filter(n=>n).join(", "),e.mime_type,e.data)}function ic(e,t,n){
return!n||!t||!Ef.has(t)||n.length>Mf||!/^[A-Za-z0-9+/]+=*$/.test(n)?o("p",{class:"attachment"},"+ "+e):Ae("+ "+e,()=>{let l=document.
createElement("img");return l.alt=cn(e),l.src=`data:${t};base64,${n}`,l},!1,"attachment")}function sc(e,t){let n=[e.kind||
"attachment",e.mime_type,e.name,e.uri,e.size?$t(e.size):"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:
""].filter(i=>i).join(", ");if(e.data)return ic(n,e.mime_type,e.data);let l=e.json!==void 0?JSON.stringify(e.json,null,2):
e.text??"";return l===""||l===t?o("p",{class:"attachment"},"+ "+n):Ae("+ "+n,()=>je(l),!1,"attachment")}function Pi(e){let t=e.reward,n=t?.total??e.episode.reward,l=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),i=Mt([n,...Object.values(t?.parts??{})]),s=e.episode.success;return o("div",{class:"reward"},o("p",
{class:"total"},Tt(o("span",{class:"cell"},E(n)),n,i),s===!0?o("span",{class:"badge good"},"solved"):null,s===!1?o("span",
{class:"badge"},"not solved"):null,n==null?o("span",{class:"dim"},_f(e)):null),t?.expression?o("p",null,o("span",{class:"\
dim"},"by "),o("code",{class:"expression"},t.expression)):null,l.length===0?null:Ie([{title:"part",cell:a=>o("code",null,
a.replace(/^reward\./,""))},{title:"value",right:!0,cell:a=>Tf(t?.parts?.[a],i)},{title:"in words",wide:!0,cell:a=>t?.notes?.[a]?
je(t.notes[a],400):""}],l),(t?.own_rewards??[]).map(a=>o("p",null,o("code",null,`agent.${a.agent}`)," says ",E(a.reward),
a.is_success===void 0?"":a.is_success?", solved":", not solved")),Lf(t?.turn_rewards??[]))}function Tf(e,t){return e===void 0?
"":Tt(o("span",{class:"cell small"},E(e)),e,t)}function _f(e){return e.failure||e.episode.outcome==="FAILED"?"It failed,\
 so that it has no reward.":"It has no reward."}function Lf(e){if(e.length===0)return null;let t=Mt(e.map(n=>n.reward));
return o("p",{class:"cells"},o("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>Tt(o("span",{class:"cell small",title:n.
call_id},E(n.reward,3)),n.reward,t)))}var Pf=360,Cf=200;async function rc(e,t,n){let l=Number(e.query.get("step")??0),i=e.query.get("split")??"train";e.title(
Xt(t),{text:`step ${l}`,href:Ye(t,l)},{text:`group ${n}`});let a=(await Ll(t,{step:l,split:i,group:n,limit:Cf},e.signal)).
episodes.toSorted(($,D)=>$.sample-D.sample),p=a[0];if(!p){H(e.root,o("p",{class:"empty"},"This group has no episodes."));
return}let d=Mt(a.map($=>$.reward)),m=o("div",{class:"beside"}),b=a.map($=>hn(t,$,d)),g=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/Pf))),M=()=>{let $=a.slice(g,g+v());b.forEach((D,q)=>D.classList.toggle(
"here",q>=g&&q<g+$.length)),H(m,$.map(D=>Af(e,t,D)))},L=$=>{g=Math.min(Math.max(0,a.length-v()),Math.max(0,g+$*v())),M()};
e.key("ArrowLeft","samples before",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),H(e.root,o("div",{class:"bar"},
o("h1",null,`Group ${n}`),o("span",{class:"turn"},o("button",{title:"samples before (\u2190)","aria-label":"samples befo\
re",onclick:()=>L(-1)},"\u2190"),o("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(1)},
"\u2192"))),o("p",null,"Task ",o("a",{href:Y(["run",t,"episodes"],{task:p.task})},p.task)),o("div",{class:"cells"},b),m),
M()}function Af(e,t,n){let l=o("div",null);return Le(e,l,async()=>{let i=await li(t,n.id,e.signal);return[Pi(i),Wl(i,1200)]}),
o("section",{class:"panel"},o("h2",null,o("a",{href:rt(t,n.id)},`sample ${E(n.sample)}`)," ",Vn(n)),l)}function cc(e){let t=e.some(n=>n.model);return Ie([{title:"member",cell:n=>o("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>E(n.turns)},{title:"prompt tokens",right:!0,cell:n=>E(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>E(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>dn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${E(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var oc=200;
function uc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?ac(e.chains):null;let n=new Set(t.map(b=>b.
call_id)),l=Fl(t,b=>b.parent&&n.has(b.parent)&&b.parent!==b.call_id?b.parent:""),i=[],s=new Set,a=(l.get("")??[]).map(b=>({
call:b,depth:0,branch:!1})).reverse();for(;a.length>0;){let b=a.pop();if(s.has(b.call.call_id))continue;s.add(b.call.call_id),
i.push(b);let g=l.get(b.call.call_id)??[],v=g.length>1;for(let M of g.toReversed())a.push({call:M,depth:b.depth+(v?1:0),
branch:v})}for(let b of t)s.has(b.call_id)||i.push({call:b,depth:0,branch:!1});let p=o("div",{class:"forest"}),d=b=>H(p,
i.slice(0,b).map($f),i.length>b?o("button",{onclick:()=>d(b+oc)},`show more: ${Pe(i.length-b,"call")} are left`):null);d(
oc);let m=(l.get("")??[]).length;return[o("p",{class:"dim"},`${Pe(t.length,"call")} in ${Pe(m,"tree")}. A branch goes on\
 from an earlier answer; what is not trained is marked.`),p,(e.chains??[]).length>0?ac(e.chains):null]}function $f({call:e,
depth:t,branch:n}){let l=!e.parent,i=[o("span",{class:"twig"},l?"\u25CF":n?"\u251C":"\u2502"),o("code",null,e.call_id),e.
agent?o("span",null,e.agent):null,e.auxiliary?o("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?
o("span",{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?o("span",{class:"dim"},at(e.finish)):null,o("sp\
an",{class:"dim"},`${E(e.prompt_tokens)} + ${E(e.output_tokens)} tokens`),o("span",{class:"oneline dim"},(e.text??"").slice(
0,200))],s=Ae(i,()=>e.text?je(e.text):o("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" u\
ntrained":""));return s.style.setProperty("--depth",String(Math.min(t,24))),s}function ac(e){return Ae([o("b",null,"chai\
ns"),o("span",{class:"dim"},` ${e.length}`)],()=>Ie([{title:"chain",cell:t=>o("code",null,t.chain)},{title:"agent",cell:t=>t.
agent??""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>E(t.
reward)},{title:"digest",wide:!0,cell:t=>o("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var wl=1500,Rf=150,Df=240,fc=(e,t)=>e?.[t]??null;function Ci(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function gn(e,t,n){
let l=fc(e,n);return l===0&&Ci(t,n)===0?null:l}function mc(e,t){let[n,l]=[gn(e.logprobs,e,t),gn(e.trainer_logprobs,e,t)];
return n===null||l===null?null:l-n}var tr=(e,t)=>e.reduce((n,l)=>Math.max(n,Math.abs(l)),t),pc=e=>({low:-tr(e,1),high:0}),
dc=[{name:"mask",label:"trained",value:Ci,scale:()=>Mi(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>gn(
e.logprobs,e,t),scale:pc},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>gn(e.trainer_logprobs,e,t),scale:pc},
{name:"gap",label:"gap",value:mc,scale:e=>Mi(tr(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>gn(e.advantages,
e,t),scale:e=>Mi(tr(e,1e-6))}];function hc(e){if(!e||e.length===0)return o("p",{class:"dim"},"The tokens of this episode\
 are not on record: the framework has them. ","The local adapter tells of one group in each step, others of none.");let t=o(
"div",null),n=i=>H(t,new nr(e[i]).element);if(n(0),e.length===1)return t;let l=o("select",{"aria-label":"row"},e.slice(0,
500).map((i,s)=>o("option",{value:String(s)},`row ${s+1} of ${e.length}${i.chain?`: ${i.chain}`:""}`)));return l.addEventListener(
"change",()=>n(Number(l.value))),[l,t]}var nr=class{constructor(t){this.row=t;this.text.addEventListener("mouseover",n=>this.
point(n.target)),this.text.addEventListener("click",n=>this.point(n.target)),this.text.addEventListener("keydown",n=>{let l={
ArrowRight:1,ArrowLeft:-1}[n.key];l!==void 0&&(n.preventDefault(),n.stopPropagation(),this.stand(this.at<0?this.from:this.
at+l))}),H(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.draw(),this.tell(-1)}row;element=o(
"div",{class:"tokens"});measure=dc[0];from=0;text=o("div",{class:"row",dir:"auto",tabindex:0,role:"group","aria-label":"\
tokens"});readout=o("div",{class:"readout",role:"status"});tabs=o("div",{class:"tabs"});overview=o("div",{class:"overvie\
w","aria-hidden":"true"});pager=o("div",{class:"pager"});legend=o("div",{class:"legend"});at=-1;get length(){return this.
row.ids.length}draw(){let{row:t,measure:n}=this,l=[],i=0;for(let d=0;d<this.length;d++){let m=n.value(t,d);m===null?i++:
l.push(m)}let s=n.scale(l);H(this.tabs,dc.map(d=>o("button",{class:"tab"+(d===n?" here":""),"aria-pressed":d===n?"true":
"false",onclick:()=>{this.measure=d,this.draw()}},d.label))),H(this.legend,l.length===0?o("p",{class:"unknown"},`${n.label}\
: unknown for all tokens. This framework does not report it.`):this.ramp(s,l,i));let a=Math.min(this.length,this.from+wl),
p=[];for(let d=this.from;d<a;d++)p.push(this.token(d,n.value(t,d),s));H(this.text,p),this.text.children.item(this.at-this.
from)?.classList.add("here"),this.drawOverview(s,a),this.drawPager(a)}drawOverview(t,n){if(this.length<Rf)return;let l=Math.
ceil(this.length/Df),i=[];for(let s=0;s<this.length;s+=l){let a=this.extreme(s,Math.min(this.length,s+l)),p=o("i",{class:s<
n&&s+l>this.from?"shown":""});p.addEventListener("click",()=>this.stand(Math.max(a,s))),i.push(Tt(p,a<0?null:this.measure.
value(this.row,a),t))}H(this.overview,i)}extreme(t,n){let[l,i]=[-1,-1];for(let s=t;s<n;s++){let a=this.measure.value(this.
row,s);a!==null&&Math.abs(a)>i&&([l,i]=[s,Math.abs(a)])}return l}ramp(t,n,l){if(this.measure.name==="mask"){let i=n.reduce(
(s,a)=>s+a,0);return o("p",{class:"ramp"},o("i",{class:"one high"}),`${E(i)} trained`,o("i",{class:"one plain"}),`${E(n.
length-i)} not trained`,l>0?[o("i",{class:"hatched"}),`${E(l)} unknown`]:null,this.cutWords())}return o("p",{class:"ramp"},
E(t.low,3),o("i",null),E(t.high,3),l>0?[o("i",{class:"hatched"}),`${E(l)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:o("span",{class:"badge warn"},`the first ${E(this.length)} of ${E(t)}\
 tokens`)}token(t,n,l){let i=this.row.text?.[t],s=o("span",{class:"token",data:{i:String(t)}},i==null?`\u27E8${this.row.
ids[t]}\u27E9`:zf(i));return i?.includes(`
`)&&s.classList.add("ends"),t===this.row.prompt_length&&s.classList.add("first"),Tt(s,n,l)}drawPager(t){let n=i=>{this.from=
Math.max(0,Math.min(i,this.length-1)),this.draw()},l=this.extreme(0,this.length);H(this.pager,o("button",{disabled:this.
from===0,onclick:()=>n(this.from-wl)},"\u2190"),o("span",null,`tokens ${E(this.from+1)} to ${E(t)} of ${E(this.length)}`),
o("button",{disabled:t>=this.length,onclick:()=>n(this.from+wl)},"\u2192"),o("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),l>=0&&this.measure.name!=="mask"?o("button",{onclick:()=>this.stand(l)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Ci(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+wl)&&(this.from=Math.floor(t/wl)*wl,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,l=a=>a===null?o("span",
{class:"unknown"},ao):o("b",null,E(a)),i=t<0?null:Ci(n,t),s=t<0?null:fc(n.turn_ids,t);H(this.readout,t<0?o("span",{class:"\
dim"},`${Pe(this.length,"token")}: point at one for its values`):[o("span",null,"token ",o("b",null,E(t))," ",o("code",null,
Pl(n.text?.[t]??"")),o("span",{class:"dim"},` id ${n.ids[t]}`)),o("span",null,i===null?o("span",{class:"unknown"},"train\
ed: unknown"):i?"trained":"not trained"),s===null||s<0?null:o("span",null,"turn ",o("b",null,E(s+1))),o("span",null,"sam\
pler ",l(gn(n.logprobs,n,t))),o("span",null,"trainer ",l(gn(n.trainer_logprobs,n,t))),o("span",null,"gap ",l(mc(n,t))),o(
"span",null,"advantage ",l(gn(n.advantages,n,t)))])}};function zf(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Pl(e)}var gc=150,Hf=["queue","model","tool","reward","siblings","host"];function bc(e,t){if(e.length===0)return o("p",{class:"\
dim"},"No times are on record.");let n=Math.min(...e.slice(0,5e4).map(p=>p.start_ms)),l=Math.max(...e.slice(0,5e4).map(p=>p.
start_ms+p.ms)),i=Math.max(l-n,1e-9),s=o("div",{class:"waterfall"}),a=p=>H(s,e.slice(0,p).map(d=>Of(d,n,i)),e.length>p?o(
"button",{onclick:()=>a(p+gc)},`show more: ${Pe(e.length-p,"bar")} are left`):null);return a(gc),[Nf(e),s,o("p",{class:"\
axis dim"},o("span",null,"0"),o("span",null,dn(i))),t==="sums"?o("p",{class:"dim"},"On record is how long each took in a\
ll, not when."):null]}function lr(e){return Hf.includes(e)?e:"other"}function Nf(e){let t=new Map;for(let i of e)t.set(i.
part,(t.get(i.part)??0)+i.ms);let n=[...t.values()].reduce((i,s)=>i+s,0)||1,l=[...t].sort((i,s)=>s[1]-i[1]);return o("di\
v",null,o("div",{class:"stack","aria-hidden":"true"},l.map(([i,s])=>o("i",{class:"part "+lr(i),vars:{"--share":`${100*s/
n}%`}}))),o("p",{class:"chips"},l.map(([i,s])=>o("span",{class:"key"},o("i",{class:"swatch part "+lr(i)}),`${i} `,o("b",
null,dn(s)),o("span",{class:"dim"},` ${Math.round(100*s/n)} %`)))))}function Of(e,t,n){let l=100*(e.start_ms-t)/n,i=Math.
max(.3,100*e.ms/n);return o("div",{class:"wait",title:`${e.label??e.part}: ${dn(e.ms)}, from ${dn(e.start_ms-t)}`},o("sp\
an",{class:"name"},e.turn?`${e.turn}. ${e.label||e.part}`:e.label||e.part),o("span",{class:"lane"},o("i",{class:"part "+
lr(e.part),vars:{"--left":`${Math.min(l,99.7)}%`,"--share":`${Math.min(i,100)}%`}})),o("span",{class:"ms"},dn(e.ms)))}async function vc(e,t,n){e.title(Xt(t),{text:`episode ${n}`});let l=await li(t,n,e.signal),i=l.episode;e.title(Xt(t),{text:`\
step ${i.step}`,href:Ye(t,i.step,{split:i.split})},{text:n});let s=l.siblings??[];Vf(e,t,l),H(e.root,o("div",{class:"bar"},
o("h1",null,n),Vn(i),o("span",{class:"grow"}),(l.commands??[]).map(a=>Cn(a))),l.failure?o("div",{class:"trouble"},o("h2",
null,`Failed: ${at(l.failure.class)}`),je(l.failure.detail??"")):null,s.length>1?Ff(t,l,s):null,o("div",{class:"episode"},
o("div",null,me("Conversation",Wl(l)),Uf(l),If(l),Gf(l),xc(me("Tokens",hc(l.tokens?.rows)))),o("aside",null,me("Reward",
Pi(l),qf(l)),jf(l.madness??[]),Wf(t,l),me("Where the time went",bc(l.times??[],l.times_are)),Bf(l.attempts??[]),wc("Envi\
ronment's state",l.state),wc("What the agent left",l.metadata),on===void 0?Kf(e,t,n):null)))}function Vf(e,t,n){let l=n.
siblings??[],i=l.findIndex(a=>a.id===n.episode.id),s=a=>{let p=l[i+a];p&&(location.hash=rt(t,p.id))};e.key("ArrowLeft","\
sample before",()=>s(-1)),e.key("ArrowRight","next sample",()=>s(1)),e.key("b","the group side by side",()=>{location.hash=
Cl(t,n.episode.group,n.episode.step,n.episode.split)}),e.key("o","open or fold all calls",()=>{let a=[...document.querySelectorAll(
"details.call, details.thinks")],p=!a.some(d=>d.open);for(let d of a)d.open=p}),e.key("c","copy the command that shows i\
t in a terminal",()=>{document.querySelector("main button.copy")?.click()})}function Ff(e,t,n){let l=t.episode,i=Mt(n.map(
s=>s.reward));return o("div",{class:"siblings"},o("a",{href:Cl(e,l.group,l.step,l.split)},`group ${l.group}`),o("div",{class:"\
cells"},n.slice(0,300).map(s=>hn(e,s,i,s.id===l.id))))}function Wf(e,t){let n=t.episode;return me("About",pn([["task",o(
"a",{href:Y(["run",e,"episodes"],{task:n.task}),title:"this task through time"},n.task)],["split",n.split==="validation"?
"held-out":"training"],["step",E(n.step)],["sample",E(n.sample)],["turns",E(n.turns)],["tokens",E(n.tokens)],["took",Je(
n.seconds)],["counts",n.standing?at(n.standing):null]]))}function qf(e){let t=[];return e.use&&t.push(`In training: ${at(
e.use)}.`),e.why&&t.push(`Not trained because of: ${at(e.why)}.`),e.masked&&!e.use&&t.push("It is masked: it counts in i\
ts group, and is not trained on."),e.drop_group&&t.push("Its group is dropped."),t.length>0?o("p",{class:"dim"},t.join("\
 ")):null}function jf(e){return e.length===0?null:me("Checks that were not passed",e.slice(0,100).map(t=>o("p",null,o("s\
pan",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}: ${at(t.reason)} in its ${t.part}`,t.near?[", near ",o(
"code",null,t.near)]:null)))}function If(e){return(e.members??[]).length>0?me("Members",cc(e.members)):null}function Gf(e){
let t=uc(e);return t===null?null:xc(me("Calls of the program",t))}function xc(e){return e.classList.add("late"),e}function Uf(e){
let t=e.own_steps??[];return t.length===0?null:me("The agent's own steps",t.slice(0,200).map((n,l)=>Ae(`step ${l+1}`,()=>Wl(
{episode:e.episode,messages:n.messages}))))}function Bf(e){return e.length<2&&!e.some(t=>t.class)?null:me("Attempts",e.slice(
0,100).map(t=>o("div",{class:"attempt"},o("p",null,o("b",null,E(t.attempt))," ",Vn(t),o("span",{class:"dim"},t.started?`\
 from ${An(t.started)}`:"",t.seconds===void 0?"":`, ${Je(t.seconds)}`)),t.detail?je(t.detail,600):null)))}function wc(e,t){
return t==null?null:me(e,Ae("show",()=>je(JSON.stringify(t,null,2))))}function Kf(e,t,n){return me("Private part of the \
task",Ae("show it: it holds the answer that no agent may see",()=>{let l=o("div",null);return Le(e,l,async()=>{let i=await jr(
t,n,e.signal);return je(JSON.stringify("private"in i?i.private:i,null,2))}),l}))}var Yf=240;async function kc(e,t){e.title(Xt(t),{text:"validations"});let n=o("div",null);H(e.root,o("div",{class:"bar"},
o("h1",null,"Validations"),Jf(e)),n),await Le(e,n,()=>Qf(e,t))}var ql=()=>{};function Jf(e){return e.key("ArrowLeft","va\
lidations before",()=>ql(-1)),e.key("ArrowRight","later validations",()=>ql(1)),o("span",{class:"turn"},o("button",{title:"\
validations before (\u2190)","aria-label":"validations before",onclick:()=>ql(-1)},"\u2190"),o("button",{title:"later va\
lidations (\u2192)","aria-label":"later validations",onclick:()=>ql(1)},"\u2192"))}async function Qf(e,t){let n=e.query.
get("cursor")??void 0,l=await Ir(t,n,e.signal);if(l.tasks.length===0)return o("p",{class:"empty"},"This run has not vali\
dated yet.");let i=o("div",null),s=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/Yf)),a=Math.max(
0,l.steps.length-s()),p=()=>H(i,Zf(t,l,l.steps.slice(a,a+s())));ql=b=>{a=Math.min(Math.max(0,l.steps.length-s()),Math.max(
0,a+b*s())),p()},p();let d=["run",t,"validations"],m=()=>{l.next&&(location.hash=Y(d,{cursor:l.next}))};return e.key("n",
"next page",m),[i,l.next||n?o("div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.hash=Y(d)}},"First pag\
e"),o("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!l.next,onclick:m},"Next pag\
e \u2192")):null]}function Zf(e,t,n){let l=Mt(t.tasks.flatMap(i=>i.episodes.map(s=>s.reward)));return o("div",{class:"sc\
roll"},o("table",{class:"answers"},o("thead",null,o("tr",null,o("th",null,"task"),n.map(i=>o("th",null,o("a",{href:Ye(e,
i,{split:"validation"})},`after step ${E(i)}`))))),o("tbody",null,t.tasks.map(i=>o("tr",{class:"item",data:{href:yc(e,i.
task)}},o("th",null,o("a",{href:yc(e,i.task)},i.task)),n.map(s=>o("td",null,i.episodes.filter(a=>a.step===s).map(a=>Tt(o(
"a",{class:"cell answer",href:rt(e,a.id)},o("b",null,E(a.reward,3),a.success===!0?" \u2713":""),o("span",null,Li(a.answer)||
"no answer")),a.reward,l)))))))))}var yc=(e,t)=>Y(["run",e,"episodes"],{task:t,split:"validation"});var $i=o("main",{tabindex:"-1"}),rr=o("nav",{class:"crumbs","aria-label":"Where this is"}),sr=o("span",{class:"connectio\
n",role:"status"}),ir=new AbortController;function Xf(){ro(),Sc(),It(document.body,[o("header",null,o("a",{class:"home",
href:Y([])},"awhost"),rr,sr,o("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>us()},"?"),o("but\
ton",{class:"quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:hs},"\u25D0")),$i]),to(),un("j","next\
 item",()=>cs(1)),un("k","item before",()=>cs(-1)),un("Enter","open or fold the item",()=>no()),un("/","go to the filter",
em),un("u","up, to what this is part of",tm),un("t","light or dark",hs),un("?","these keys",()=>us()),addEventListener("\
hashchange",()=>{Sc(),Ai()}),Ai()}function Sc(){let e=ms(location.hash);e&&(ls(e.token),history.replaceState(null,"",e.rest))}
function em(){$i.querySelector("[data-filter]")?.focus()}function tm(){let e=rr.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??Y([])}function Ai(){if(ir.abort(),ir=new AbortController,eo(),Ec("off"),!Vr()){im();return}let{path:e,
query:t}=fs(on!==void 0&&/^(#\/?)?$/.test(location.hash)?on:location.hash),n=nm(t,ir.signal),l=n.root;H($i,l),scrollTo(0,
0),lm(n,e).catch(i=>{n.signal.aborted||H(l,gs(i,Ai))})}function nm(e,t){return{root:o("div",{class:"view"}),signal:t,query:e,
key:(n,l,i)=>Xr(n,l,()=>{t.aborted||i()}),onLive:(n,l)=>{on===void 0&&io(n,t,l,i=>{t.aborted||Ec(i)})},title:(...n)=>{document.
title=[...n].reverse().map(l=>l.text).concat("awhost").join(" \xB7 "),H(rr,n.map(l=>[o("span",{class:"slash","aria-hidde\
n":"true"},"/"),l.href?o("a",{href:l.href},l.text):o("span",{"aria-current":"page"},l.text)]))}}}async function lm(e,t){
let[n,l,i,s]=t;if(n===void 0)return co(e);if(n==="compare")return Ga(e);if(n==="run"&&l!==void 0){if(i===void 0)return Ja(
e,l);if(i==="step"&&/^\d+$/.test(s??""))return Xs(e,l,Number(s));if(i==="episodes")return Xs(e,l,void 0);if(i==="group"&&
s!==void 0)return rc(e,l,s);if(i==="episode"&&s!==void 0)return vc(e,l,s);if(i==="validations")return kc(e,l)}e.title({text:"\
not found"}),H(e.root,o("section",{class:"trouble"},o("h2",null,"There is no such view."),o("p",null,"The address was cu\
t off, or is of another version of awhost. ",o("a",{href:Y([])},"All runs"))))}function Ec(e){sr.className="connection "+
e,H(sr,{live:"live",lost:"no connection, trying again",off:""}[e])}function im(){let e=o("input",{type:"password","aria-\
label":"token",autocomplete:"off",size:40}),t=o("form",null,e,o("button",null,"Open"));t.addEventListener("submit",n=>{n.
preventDefault();let l=e.value.trim();ls(ms(l.slice(Math.max(0,l.indexOf("#"))))?.token??l),Ai()}),H($i,o("section",{class:"\
trouble"},o("h2",null,"This page needs a token."),o("p",null,"Open the link that awhost ui prints, or paste the link or \
its token here. A tab keeps its token until it is closed."),t)),e.focus()}Xf();})();
