"use strict";(()=>{function Gl(e){let t=e.getElementById("awhost-data");return t?Lu(JSON.parse(t.textContent??"{}")):null}function Lu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(n,s={})=>Pu(n,t.get(Cu(n)),s)}}function Cu(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function Pu(e,t,n){if(t===void 0)return;let s=e.split("/");switch(s.length===
4?s[3]:""){case"episodes":return $u(t.episodes,n);case"steps":{let{steps:r}=t;return{steps:r.filter(i=>i.step>=Number(n.
from)&&i.step<=Number(n.to))}}case"metrics":{let r=new Set([n.name??[]].flat().map(String)),{series:i}=t;return{series:Object.
fromEntries(Object.entries(i).filter(([o])=>r.size===0||r.has(o)))}}}return t}function $u(e,t){let n=["step","split","gr\
oup","task","outcome","class"].filter(d=>t[d]!==void 0),s=e.filter(d=>n.every(m=>String(d[m]??"")===String(t[m]))),r=String(
t.sort??"order"),i=r.replace(/^-/,"");(i==="reward"||i==="turns"||i==="seconds")&&s.sort(Au(i,r.startsWith("-")?-1:1));let o=Number(
t.cursor??0),c=r==="group"?s.length:o+Number(t.limit??100);return{episodes:s.slice(o,c),next:c<s.length?String(c):void 0,
total:s.length}}function Au(e,t){return(n,s)=>{let[r,i]=[n[e],s[e]];return typeof r!="number"||typeof i!="number"?+(typeof i==
"number")-+(typeof r=="number"):t*(r-i)}}function ir(e,t){try{return e().getItem(t)}catch{return null}}function lr(e,t,n){try{e().setItem(t,n)}catch{}}var Kl="awhost-token",$n=Gl(document),Pn=$n?"":ai();function ai(){return ir(()=>localStorage,Kl)??""}function or(e){Pn=e,
lr(()=>localStorage,Kl,e)}function Ru(){let e=ai();return e===Pn?or(""):Pn=e,Pn!==""}function Yl(){return Pn||=$n?"":ai(),
Pn!==""||$n!==null}var tn=$n?.open,en=class extends Error{constructor(n,s,r){super(s);this.status=n;this.summary=s;this.
detail=r}status;summary;detail};function Du(e,t){let n=new URLSearchParams;for(let[r,i]of Object.entries(t??{}))for(let o of Array.
isArray(i)?i:[i])o!==void 0&&o!==""&&n.append(r,String(o));let s=n.toString();return s===""?e:`${e}?${s}`}async function Jl(e,t,n){
if($n)throw Ql();let s=await Bl(e,t,n);if(s.status===401&&Ru()&&(s=await Bl(e,t,n)),!s.ok)throw await Hu(s);return s}async function Bl(e,t,n){
try{return await fetch(Du(e,t),{signal:n,headers:{Authorization:`Bearer ${Pn}`},cache:"no-store",credentials:"omit",redirect:"\
error"})}catch(s){throw n.aborted?s:new en(0,"No response from the server.","Start awhost ui, or the command with --ui, \
again, and open the link that it prints.")}}async function Hu(e){let t=await e.json().catch(()=>null);return new en(e.status,
t?.error?.summary??`Server error ${e.status}.`,t?.error?.detail??"")}async function mt(e,t,n){return $n?Ou(e,t):await(await Jl(
e,t,n)).json()}function Ou(e,t){let n=$n.answer(e,t);if(n!==void 0)return n;throw Ql()}function Ql(){return new en(404,"\
Not in this file.","To see the whole run, start awhost ui in its directory.")}var Rt=e=>`api/runs/${encodeURIComponent(e)}`,
Zl=(e,t)=>`${Rt(e)}/episodes/${encodeURIComponent(t)}`,ar=e=>mt("api/runs",void 0,e),An=(e,t)=>mt(Rt(e),void 0,t),$s=(e,t,n,s)=>mt(
`${Rt(e)}/metrics`,{name:t,after:n},s),As=(e,t,n,s)=>mt(`${Rt(e)}/steps`,{from:t,to:n},s),as=(e,t,n)=>mt(`${Rt(e)}/episo\
des`,t,n),cs=(e,t,n)=>mt(Zl(e,t),void 0,n),cr=(e,t,n)=>mt(`${Zl(e,t)}/private`,void 0,n),Xl=(e,t,n)=>mt(`${Rt(e)}/valida\
tions`,{cursor:t},n),eo=(e,t,n)=>mt(`${Rt(e)}/tasks`,t,n),ur=(e,t)=>mt(`${Rt(e)}/spec`,void 0,t),to=(e,t,n)=>mt(`${Rt(e)}\
/log`,{plugin:t},n),no=(e,t)=>mt(`${Rt(e)}/waits`,void 0,t),so=(e,t)=>Jl(`${Rt(e)}/live`,void 0,t);async function ro(e,t,n){
let s=await mt("api/compare",{run:[e,t]},n);return"comparison"in s?s.comparison:s}var Nu=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
oo=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,zu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
Vu=/^[\n\t -~]*$/,io=/\p{M}/u,lo=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,ci=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),Fu=4;function di(e){if(Vu.test(e))return[{text:e,escaped:!1}];let t=new ui;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function Dt(e){return di(e).map(t=>t.text).join("")}function Rs(e){return Dt(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var ui=class{out=[];shown="";before="";marks=0;take(t,n){let s=t.codePointAt(n);if(s===13&&
t[n+1]===`
`)return 1;if(s===27||s===155){let i=Nu.exec(t.slice(n,n+512));if(i)return this.escape(qu(i[0])),i[0].length}let r=String.
fromCodePoint(s);return this.isShown(r,t,n+r.length)?(this.marks=io.test(r)?this.marks+1:0,this.shown+=r,this.before=r):
this.escape(ao(s)),r.length}done(){return this.flush(),this.out}isShown(t,n,s){if(t===`
`||t==="	"||!zu.test(t))return!0;if(io.test(t)&&!oo.test(t))return this.marks<Fu;let r=s<n.length?String.fromCodePoint(n.
codePointAt(s)):"";switch(t){case"\u200D":return lo.test(this.before)&&lo.test(r)||ci.test(this.before);case"\u200C":return ci.
test(this.before)&&ci.test(r);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function qu(e){return[...e].map(t=>oo.test(t)?ao(t.codePointAt(
0)):t).join("")}function ao(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function l(e,t,...n){let s=document.createElement(e);for(let[r,i]of Object.entries(t??{}))ju(s,r,i);return Kt(s,n),s}function ju(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[s,r]of Object.entries(n))e.style.setProperty(s,r);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":Dt(String(n)))}}function Kt(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?Kt(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(Dt(String(n)))))}function C(e,...t){e.replaceChildren(),Kt(e,t)}var Wu=6e3,Uu=1e5;
function Ae(e,t=Wu){let n=l("div",{class:"prose",dir:"auto"}),s=0,r=c=>{let d=Iu(e,Math.min(c,e.length));for(let m of di(
e.slice(s,d)))n.append(m.escaped?l("span",{class:"escape"},m.text):m.text);s=d};if(r(t),s===e.length)return n;let i=l("b\
utton",{class:"quiet",onclick:()=>{r(s+Uu),s===e.length?i.remove():o()}}),o=()=>C(i,`Show more: ${co(e.length-s)} of ${co(
e.length)} characters left`);return o(),l("div",null,n,i)}function co(e){return e.toLocaleString("en")}function Iu(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var dr=new Map,fi=new Map;function po(e,t,n){dr.set(e,{what:t,act:n})}function pn(e,t,n){fi.set(e,{what:t,act:n})}function fo(){
dr.clear()}function mo(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),pi();return}if(Bu(e.target)||e.key===
"Enter"&&Gu(e.target))return;let t=dr.get(e.key)??fi.get(e.key);t&&(e.preventDefault(),t.act())})}function Gu(e){return e instanceof
HTMLElement&&e.matches("a, button, summary")}function Bu(e){return e instanceof HTMLElement&&(e.isContentEditable||e.matches(
"input, select, textarea, dialog *"))}function mi(e){let t=[...document.querySelectorAll("main .item")].filter(r=>r.offsetParent!==
null);if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("current")),s=n<0?e>0?0:t.length-1:Math.min(t.length-
1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[s].classList.add("current"),t[s].scrollIntoView({block:"nearest"})}
function ho(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.href:e instanceof
HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function hi(){if(pi())return;
let e=[...dr,...fi,["Esc",{what:"leave a field, close this dialog"}]],t=l("dialog",{class:"help","aria-label":"Keys and \
symbols"},l("h2",null,"Keys"),uo(e.map(([n,s])=>[l("kbd",null,Yu[n]??n),s.what])),l("h2",null,"Symbols and terms"),uo(Ku),
l("button",{onclick:()=>pi()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),t.showModal()}
var Ku=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns, or time ended the episode"],["\u2260","malfo\
rmed calls: invalid calls of the policy, which were not executed"],["hatched","no reward, or unknown"],["\u25B2","in a c\
hart: a checkpoint, the best one in another color; dashed lines are kills and resumes"],["dropped","no usable attempt: t\
he episode is not trained"],["masked","counts in its group and is not trained"],["filtered","excluded from the update: a\
ll samples of its group have the same reward"],["digest","checksum of the newest checkpoint: equal digests mean identica\
l checkpoints"]];function uo(e){return l("table",null,l("tbody",null,e.map(([t,n])=>l("tr",null,l("td",null,t),l("td",null,
n)))))}var Yu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function pi(){let e=document.
querySelector("dialog.help");return e?.close(),e!==null}var Qu=1e3,go=45e3;function bo(e,t,n,s){Zu(e,t,new gi(n,t),s)}async function Zu(e,t,n,s){let r=500;for(let i=!0;!t.aborted&&
(await td(t),!t.aborted);i=!1){try{await Xu(e,t,o=>n.take(o),()=>{s("live"),r=500,i||n.take({kind:"state"})})}catch(o){if(o instanceof
en&&o.status>=400&&o.status<500)break}if(t.aborted)break;document.hidden||(s("lost"),await nd(r,t),r=Math.min(2*r,15e3))}
s("off")}async function Xu(e,t,n,s){let r=new AbortController,i=()=>r.abort(),o=()=>document.hidden&&i();t.addEventListener(
"abort",i,{once:!0}),document.addEventListener("visibilitychange",o);let c=setTimeout(i,go);try{let m=(await so(e,r.signal)).
body.pipeThrough(new TextDecoderStream).getReader();s();for(let g="";;){let{done:b,value:v}=await m.read();if(b)return;clearTimeout(
c),c=setTimeout(i,go),g=ed(g+v,n)}}finally{clearTimeout(c),t.removeEventListener("abort",i),document.removeEventListener(
"visibilitychange",o),r.abort()}}function ed(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),s=n.pop();for(let r of n){let i=r.split(`
`).filter(o=>o.startsWith("data:")).map(o=>o.slice(5).trimStart()).join(`
`);if(i!=="")try{t(JSON.parse(i))}catch{t({kind:"state"})}}return s}var gi=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},Qu)}};function td(e){return new Promise(t=>{let n=()=>{document.hidden&&
!e.aborted||(document.removeEventListener("visibilitychange",n),e.removeEventListener("abort",n),t())};document.addEventListener(
"visibilitychange",n),e.addEventListener("abort",n),n()})}function nd(e,t){return new Promise(n=>{let s=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(s),n()},{once:!0})})}function wi(e){let[t="",n=""]=sd(e.replace(/^#/,""));return{path:t.split("/").filter(s=>s!=="").map(bi),query:new URLSearchParams(
n)}}function sd(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function bi(e){try{return decodeURIComponent(
e)}catch{return e}}function U(e,t={}){let n=new URLSearchParams;for(let[r,i]of Object.entries(t))for(let o of Array.isArray(
i)?i:[i])o!==void 0&&o!==""&&n.append(r,String(o));let s=n.toString();return"#/"+e.map(r=>encodeURIComponent(r)).join("/")+
(s?"?"+s:"")}var Rn=e=>U(["run",e]),Be=(e,t,n={})=>U(["run",e,"step",t],n),ze=(e,t,n)=>U(["run",e,"episode",t],{message:n}),
Ds=(e,t,n,s)=>U(["run",e,"group",t],{step:n,split:s});function vi(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)
return{token:bi(t[1]),rest:"#"+(t[2]?bi(t[2]):"/")};let{path:n,query:s}=wi(e),r=s.get("token");if(r===null)return null;s.
delete("token");let i=s.toString();return{token:r,rest:"#/"+n.map(encodeURIComponent).join("/")+(i?"?"+i:"")}}var wo="awhost-theme";function rd(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function vo(){let e=ir(()=>localStorage,wo);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function xi(){let e=rd()?"light":"dark";lr(()=>localStorage,wo,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function xo(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function Yt(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function yi(e,t){let[n,s]=e instanceof en?[e.summary,e.detail]:["This part of the page cannot be displayed.",e instanceof
Error?e.message:String(e)];return l("section",{class:"trouble",role:"alert"},l("h2",null,n),l("p",null,s),l("button",{onclick:t},
"Try again"))}async function ve(e,t,n){t.setAttribute("aria-busy","true");let s=setTimeout(()=>C(t,l("p",{class:"dim"},"\
Loading \u2026")),200);try{let r=await n();e.signal.aborted||C(t,r)}catch(r){e.signal.aborted||C(t,yi(r,()=>{ve(e,t,n)}))}finally{
clearTimeout(s),t.removeAttribute("aria-busy")}}function le(e,...t){let n=l("section",{class:"panel"},l("h2",null,e));return Kt(
n,t),n}function _e(e,t,n=!1,s=""){let r=l("details",{class:"fold "+s},l("summary",null,e)),i=!1,o=()=>{i||!r.open||(i=!0,
Kt(r,[t()]))};return r.addEventListener("toggle",o),n&&(r.open=!0,o()),r}function Le(e,t,n){let s=i=>[i.right?"right":"",
i.wide?"wide":"",i.half?"half":""].join(" ").trim()||void 0,r=l("tbody",null,t.map(i=>{let o=l("tr",null,e.map(c=>l("td",
{class:s(c)},c.cell(i))));return n&&(o.classList.add("item"),o.dataset.href=n(i)),o}));return l("div",{class:"scroll"},l(
"table",null,l("thead",null,l("tr",null,e.map(i=>l("th",{class:s(i)},i.title)))),r))}function fn(e){return l("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>l("div",null,l("dt",null,t),l("dd",null,n))))}function nn(e,t=e){
let n=l("span",null,t),s=l("button",{class:"copy",title:"copy: "+e},n);return s.addEventListener("click",()=>{id(e).then(
r=>{s.classList.add("done"),C(n,r?"copied":"not copied: select the text"),setTimeout(()=>{C(n,t),s.classList.remove("don\
e")},1200)})}),s}async function id(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var yo="unknown";function y(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return pr(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?pr(e.toExponential(2)):pr(String(Number(e.toPrecision(t))))}function pr(e){return e.replace(/^-/,"\u2212")}function Qe(e){
return e==null||!Number.isFinite(e)?"\u2013":pr((100*e).toFixed(1))+" %"}function Ht(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function mn(e){
return e==null?"\u2013":e<1?`${y(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:De(e/1e3)}function De(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return ld(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,s]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${s} min`:`${s} min ${t%60} s`}function ld(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function Dn(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=s=>String(
s).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function fr(e,t){return e?De(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function ie(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Xe(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var Hn=50,od=5e3;async function ko(e){e.title();let t=new Set,n=l("div",null),s=l("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),r=l("button",{disabled:!0,onclick:()=>i()},"Comp\
are");C(e.root,l("div",{class:"bar"},l("h1",null,"Runs"),s,r),n);let i=()=>{let v=o.filter(M=>t.has(M.name)).sort((M,P)=>(M.
started??"").localeCompare(P.started??""));v.length>1&&(location.hash=U(["compare"],{run:v.map(M=>M.name)}))};e.key("c",
"compare the selected runs",i),e.key("x","select the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let o=[],c=0,d=()=>C(n,m()),m=()=>{let v=s.value.trim().toLowerCase(),M=o.filter(R=>v===""||cd(R).includes(v));
c=Math.min(c,Math.max(0,Math.ceil(M.length/Hn)-1));let P=R=>{let N=l("input",{type:"checkbox","aria-label":`compare ${R.
name}`,checked:t.has(R.name)});return N.addEventListener("change",()=>{N.checked?t.add(R.name):t.delete(R.name),r.disabled=
t.size<2,C(r,t.size<2?"Compare":`Compare ${t.size} runs`)}),N},T=R=>{c+=R,d()};return[M.length===0?ud(o.length):dd(M.slice(
c*Hn,(c+1)*Hn),P),M.length>Hn?l("div",{class:"pager"},l("button",{disabled:c===0,onclick:()=>T(-1)},"\u2190 Newer"),l("s\
pan",null,`${c*Hn+1} to ${Math.min(M.length,(c+1)*Hn)} of ${M.length}`),l("button",{disabled:(c+1)*Hn>=M.length,onclick:()=>T(
1)},"Older \u2192")):null]};s.addEventListener("input",()=>{c=0,d()});let g=async()=>{o=(await ar(e.signal)).runs};await ve(
e,n,async()=>(await g(),m()));let b=setInterval(()=>{!o.some(v=>v.live)||document.hidden||n.contains(document.activeElement)||
g().then(()=>ad(d),()=>{})},od);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function ad(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll("tr.item"))n.dataset.href===
t&&n.classList.add("current")}function cd(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function ud(e){return e>0?l("p",{class:"empty"},"No matching runs."):le("No runs yet",l("p",null,
"Start a run in this directory: "),nn("awhost apply"))}function dd(e,t){let n=e.some(s=>s.machine);return Le([{title:"",
cell:t},{title:"run",cell:s=>l("a",{class:"short",href:Rn(s.name),title:s.name},s.name)},{title:"status",cell:s=>[Hs(s),
s.reason?l("div",{class:"reason dim",title:s.reason},s.reason):null]},{title:"step",right:!0,cell:pd},{title:"reward",right:!0,
cell:s=>y(s.reward)},{title:"held-out success",right:!0,cell:Os},{title:"stage",cell:s=>s.stage??"\u2013"},{title:"adapt\
er",cell:s=>s.adapter??"\u2013"},{title:"spec",wide:!0,cell:s=>s.problem?l("span",{class:"bad"},s.problem):s.spec},...n?
[{title:"machine",cell:s=>s.machine??"\u2013"}]:[],{title:"started",cell:s=>Dn(s.started)},{title:"duration",right:!0,cell:s=>s.
live||s.ended?fr(s.started,s.live?void 0:s.ended):"\u2013"},{title:"disk",right:!0,cell:s=>Ht(s.disk_bytes)}],e,s=>Rn(s.
name))}function Hs(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"live":t?"bad":e.status==="finished"?"goo\
d":"warn",s=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;return l("span",{class:"\
badge "+n},s)}function pd(e){if(e.step<0)return"\u2013";let t=e.steps?l("progress",{value:e.step,max:e.steps,"aria-hidde\
n":"true"}):null;return[l("span",null,y(e.step),e.steps?l("span",{class:"dim"},` of ${y(e.steps)}`):null),t]}function Os(e){
if(e.success_after===void 0&&e.success_before===void 0)return"\u2013";if(e.success_after===void 0)return[Qe(e.success_before),
l("span",{class:"dim"}," before")];if(e.success_before===void 0)return Qe(e.success_after);let t=e.live||e.success_after>
e.success_before||e.success_after===1,n=Qe(e.success_after);return[l("span",{class:"dim"},`${Qe(e.success_before)} \u2192 `),
t?n:l("span",{class:"badge warn",title:"not better than at the first validation"},n)]}var fd="uplot",md="u-hz",hd="u-vt",gd="u-title",bd="u-wrap",wd="u-under",vd="u-over",xd="u-axis",zn="u-off",yd="u-select",
kd="u-cursor-x",Sd="u-cursor-y",Ed="u-cursor-pt",Md="u-legend",Td="u-live",_d="u-inline",Ld="u-series",Cd="u-marker",So="\
u-label",Pd="u-value",zs="width",Vs="height";var Eo="bottom",us="left",ki="right",Vi="#000",Mo=Vi+"0",Si="mousemove",To="mousedown",Ei="mouseup",_o="mouseenter",Lo="\
mouseleave",Co="dblclick",$d="resize",Ad="scroll",Po="change",wr="dppxchange",Fi="--",bs=typeof window<"u",Ci=bs?document:
null,ps=bs?window:null,Rd=bs?navigator:null,de,mr;function Pi(){let e=devicePixelRatio;de!=e&&(de=e,mr&&Ai(Po,mr,Pi),mr=
matchMedia(`(min-resolution: ${de-.001}dppx) and (max-resolution: ${de+.001}dppx)`),Vn(Po,mr,Pi),ps.dispatchEvent(new CustomEvent(
wr)))}function ht(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function $i(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function Se(e,t,n){e.style[t]=n+"px"}function Ot(e,t,n,s){let r=Ci.createElement(e);return t!=null&&ht(r,
t),n?.insertBefore(r,s),r}function Et(e,t){return Ot("div",e,t)}var $o=new WeakMap;function Jt(e,t,n,s,r){let i="transla\
te("+t+"px,"+n+"px)",o=$o.get(e);i!=o&&(e.style.transform=i,$o.set(e,i),t<0||n<0||t>s||n>r?ht(e,zn):$i(e,zn))}var Ao=new WeakMap;
function Ro(e,t,n){let s=t+n,r=Ao.get(e);s!=r&&(Ao.set(e,s),e.style.background=t,e.style.borderColor=n)}var Do=new WeakMap;
function Ho(e,t,n,s){let r=t+""+n,i=Do.get(e);r!=i&&(Do.set(e,r),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
s?-t/2+"px":0,e.style.marginTop=s?-n/2+"px":0)}var qi={passive:!0},Dd={...qi,capture:!0};function Vn(e,t,n,s){t.addEventListener(
e,n,s?Dd:qi)}function Ai(e,t,n,s){t.removeEventListener(e,n,qi)}bs&&Pi();function Nt(e,t,n,s){let r;n=n||0,s=s||t.length-
1;let i=s<=2147483647;for(;s-n>1;)r=i?n+s>>1:gt((n+s)/2),t[r]<e?n=r:s=r;return e-t[n]<=t[s]-e?n:s}function ca(e){return(n,s,r)=>{
let i=-1,o=-1;for(let c=s;c<=r;c++)if(e(n[c])){i=c;break}for(let c=r;c>=s;c--)if(e(n[c])){o=c;break}return[i,o]}}var ua=e=>e!=
null,da=e=>e!=null&&e>0,yr=ca(ua),Hd=ca(da);function Od(e,t,n,s=0,r=!1){let i=r?Hd:yr,o=r?da:ua;[t,n]=i(e,t,n);let c=e[t],
d=e[t];if(t>-1)if(s==1)c=e[t],d=e[n];else if(s==-1)c=e[n],d=e[t];else for(let m=t;m<=n;m++){let g=e[m];o(g)&&(g<c?c=g:g>
d&&(d=g))}return[c??ge,d??-ge]}function kr(e,t,n,s){let r=zo(e),i=zo(t);e==t&&(r==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?
sn:pa,c=r==1?gt:Mt,d=i==1?Mt:gt,m=c(o(Fe(e))),g=d(o(Fe(t))),b=fs(n,m),v=fs(n,g);return n==10&&(m<0&&(b=be(b,-m)),g<0&&(v=
be(v,-g))),s||n==2?(e=b*r,t=v*i):(e=ga(e,b),t=Sr(t,v)),[e,t]}function ji(e,t,n,s){let r=kr(e,t,n,s);return e==0&&(r[0]=0),
t==0&&(r[1]=0),r}var Wi=.1,Oo={mode:3,pad:Wi},qs={pad:0,soft:null,mode:0},Nd={min:qs,max:qs};function vr(e,t,n,s){return Er(
n)?No(e,t,n):(qs.pad=n,qs.soft=s?0:null,qs.mode=s?3:0,No(e,t,Nd))}function ce(e,t){return e??t}function zd(e,t,n){for(t=
ce(t,0),n=ce(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function No(e,t,n){let s=n.min,r=n.max,i=ce(s.pad,
0),o=ce(r.pad,0),c=ce(s.hard,-ge),d=ce(r.hard,ge),m=ce(s.soft,ge),g=ce(r.soft,-ge),b=ce(s.mode,0),v=ce(r.mode,0),M=t-e,P=sn(
M),T=it(Fe(e),Fe(t)),R=sn(T),N=Fe(R-P);(M<1e-24||N>10)&&(M=0,(e==0||t==0)&&(M=1e-24,b==2&&m!=ge&&(i=0),v==2&&g!=-ge&&(o=
0)));let E=M||T||1e3,W=sn(E),_=fs(10,gt(W)),Z=E*(M==0?e==0?.1:1:i),O=be(ga(e-Z,_/10),24),X=e>=m&&(b==1||b==3&&O<=m||b==2&&
O>=m)?m:ge,Y=it(c,O<X&&e>=X?X:zt(X,O)),ne=E*(M==0?t==0?.1:1:o),K=be(Sr(t+ne,_/10),24),L=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-ge,Q=zt(d,K>L&&t<=L?L:it(L,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var Vd=new Intl.NumberFormat(bs?Rd.language:"en-US"),
Ui=e=>Vd.format(e),bt=Math,br=bt.PI,Fe=bt.abs,gt=bt.floor,Ve=bt.round,Mt=bt.ceil,zt=bt.min,it=bt.max,fs=bt.pow,zo=bt.sign,
sn=bt.log10,pa=bt.log2,Fd=(e,t=1)=>bt.sinh(e)*t,Mi=(e,t=1)=>bt.asinh(e/t),ge=1/0;function Vo(e){return(sn((e^e>>31)-(e>>
31))|0)+1}function Ri(e,t,n){return zt(it(e,t),n)}function fa(e){return typeof e=="function"}function se(e){return fa(e)?
e:()=>e}var qd=()=>{},ma=e=>e,ha=(e,t)=>t,jd=e=>null,Fo=e=>!0,qo=(e,t)=>e==t,Wd=/\.\d*?(?=9{6,}|0{6,})/gm,Fn=e=>{if(wa(e)||
gn.has(e))return e;let t=`${e}`,n=t.match(Wd);if(n==null)return e;let s=n[0].length-1;if(t.indexOf("e-")!=-1){let[r,i]=t.
split("e");return+`${Fn(r)}e${i}`}return be(e,s)};function On(e,t){return Fn(be(Fn(e/t))*t)}function Sr(e,t){return Fn(Mt(
Fn(e/t))*t)}function ga(e,t){return Fn(gt(Fn(e/t))*t)}function be(e,t=0){if(wa(e))return e;let n=10**t,s=e*n*(1+Number.EPSILON);
return Ve(s)/n}var gn=new Map;function ba(e){return((""+e).split(".")[1]||"").length}function Ws(e,t,n,s){let r=[],i=s.map(
ba);for(let o=t;o<n;o++){let c=Fe(o),d=be(fs(e,o),c);for(let m=0;m<s.length;m++){let g=e==10?+`${s[m]}e${o}`:s[m]*d,b=(o>=
0?0:c)+(o>=i[m]?0:i[m]),v=e==10?g:be(g,b);r.push(v),gn.set(v,b)}}return r}var js={},Ii=[],ms=[null,null],hn=Array.isArray,
wa=Number.isInteger,Ud=e=>e===void 0;function jo(e){return typeof e=="string"}function Er(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function Id(e){return e!=null&&typeof e=="object"}var Gd=Object.getPrototypeOf(
Uint8Array),va="__proto__";function hs(e,t=Er){let n;if(hn(e)){let s=e.find(r=>r!=null);if(hn(s)||t(s)){n=Array(e.length);
for(let r=0;r<e.length;r++)n[r]=hs(e[r],t)}else n=e.slice()}else if(e instanceof Gd)n=e.slice();else if(t(e)){n={};for(let s in e)
s!=va&&(n[s]=hs(e[s],t))}else n=e;return n}function He(e){let t=arguments;for(let n=1;n<t.length;n++){let s=t[n];for(let r in s)
r!=va&&(Er(e[r])?He(e[r],hs(s[r])):e[r]=hs(s[r]))}return e}var Bd=0,Kd=1,Yd=2;function Jd(e,t,n){for(let s=0,r,i=-1;s<t.
length;s++){let o=t[s];if(o>i){for(r=o-1;r>=0&&e[r]==null;)e[r--]=null;for(r=o+1;r<n&&e[r]==null;)e[i=r++]=null}}}function Qd(e,t){
if(ep(e)){let o=e[0].slice();for(let c=1;c<e.length;c++)o.push(...e[c].slice(1));return tp(o[0])||(o=Xd(o)),o}let n=new Set;
for(let o=0;o<e.length;o++){let d=e[o][0],m=d.length;for(let g=0;g<m;g++)n.add(d[g])}let s=[Array.from(n).sort((o,c)=>o-
c)],r=s[0].length,i=new Map;for(let o=0;o<r;o++)i.set(s[0][o],o);for(let o=0;o<e.length;o++){let c=e[o],d=c[0];for(let m=1;m<
c.length;m++){let g=c[m],b=Array(r).fill(void 0),v=t?t[o][m]:Kd,M=[];for(let P=0;P<g.length;P++){let T=g[P],R=i.get(d[P]);
T===null?v!=Bd&&(b[R]=T,v==Yd&&M.push(R)):b[R]=T}Jd(b,M,r),s.push(b)}}return s}var Zd=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function Xd(e){let t=e[0],n=t.length,s=Array(n);for(let i=0;i<s.length;i++)s[i]=i;s.sort(
(i,o)=>t[i]-t[o]);let r=[];for(let i=0;i<e.length;i++){let o=e[i],c=Array(n);for(let d=0;d<n;d++)c[d]=o[s[d]];r.push(c)}
return r}function ep(e){let t=e[0][0],n=t.length;for(let s=1;s<e.length;s++){let r=e[s][0];if(r.length!=n)return!1;if(r!=
t){for(let i=0;i<n;i++)if(r[i]!=t[i])return!1}}return!0}function tp(e,t=100){let n=e.length;if(n<=1)return!0;let s=0,r=n-
1;for(;s<=r&&e[s]==null;)s++;for(;r>=s&&e[r]==null;)r--;if(r<=s)return!0;let i=it(1,gt((r-s+1)/t));for(let o=e[s],c=s+i;c<=
r;c+=i){let d=e[c];if(d!=null){if(d<=o)return!1;o=d}}return!0}var xa=["January","February","March","April","May","June",
"July","August","September","October","November","December"],ya=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function ka(e){return e.slice(0,3)}var np=ya.map(ka),sp=xa.map(ka),rp={MMMM:xa,MMM:sp,WWWW:ya,WWW:np};function Ns(e){
return(e<10?"0":"")+e}function ip(e){return(e<10?"00":e<100?"0":"")+e}var lp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Ns(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Ns(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Ns(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Ns(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Ns(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>ip(e.getMilliseconds())};function Gi(e,t){t=t||rp;let n=[],s=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=s.exec(
e);)n.push(r[0][0]=="{"?lp[r[1]]:r[0]);return i=>{let o="";for(let c=0;c<n.length;c++)o+=typeof n[c]=="string"?n[c]:n[c](
i,t);return o}}var op=new Intl.DateTimeFormat().resolvedOptions().timeZone;function ap(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==op?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var Sa=e=>e%1==0,xr=[1,2,2.5,5],cp=Ws(10,-32,0,xr),Ea=Ws(10,0,32,xr),up=Ea.filter(Sa),Nn=cp.concat(
Ea),Bi=`
`,Ma="{YYYY}",Wo=Bi+Ma,Ta="{M}/{D}",Fs=Bi+Ta,hr=Fs+"/{YY}",_a="{aa}",dp="{h}:{mm}",ds=dp+_a,Uo=Bi+ds,Io=":{ss}",fe=null;
function La(e){let t=e*1e3,n=t*60,s=n*60,r=s*24,i=r*30,o=r*365,d=(e==1?Ws(10,0,3,xr).filter(Sa):Ws(10,-3,0,xr)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,s,s*2,s*3,s*4,s*6,s*8,s*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,i,i*2,i*
3,i*4,i*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),m=[[o,Ma,fe,fe,fe,fe,fe,fe,1],[r*28,"{MMM}",Wo,fe,fe,fe,fe,fe,1],[r,Ta,Wo,fe,
fe,fe,fe,fe,1],[s,"{h}"+_a,hr,fe,Fs,fe,fe,fe,1],[n,ds,hr,fe,Fs,fe,fe,fe,1],[t,Io,hr+" "+ds,fe,Fs+" "+ds,fe,Uo,fe,1],[e,Io+
".{fff}",hr+" "+ds,fe,Fs+" "+ds,fe,Uo,fe,1]];function g(b){return(v,M,P,T,R,N)=>{let E=[],W=R>=o,_=R>=i&&R<o,Z=b(P),O=be(
Z*e,3),X=Ti(Z.getFullYear(),W?0:Z.getMonth(),_||W?1:Z.getDate()),Y=be(X*e,3);if(_||W){let ne=_?R/i:0,K=W?R/o:0,L=O==Y?O:
be(Ti(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(Ve(L/e)),z=Q.getFullYear(),G=Q.getMonth();for(let j=0;L<=T;j++){
let re=Ti(z+K*j,G+ne*j,1),q=re-b(be(re*e,3));L=be((+re+q)*e,3),L<=T&&E.push(L)}}else{let ne=R>=r?r:R,K=gt(P)-gt(O),L=Y+K+
Sr(O-Y,ne);E.push(L);let Q=b(L),z=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/s,G=R/s,j=v.axes[M]._space,re=N/j;for(;L=
be(L+R,e==1?0:3),!(L>T);)if(G>1){let q=gt(be(z+G,6))%24,oe=b(L).getHours()-q;oe>1&&(oe=-1),L-=oe*s,z=(z+G)%24;let me=E[E.
length-1];be((L-me)/R,3)*re>=.7&&E.push(L)}else E.push(L)}return E}}return[d,m,g]}var[pp,fp,mp]=La(1),[hp,gp,bp]=La(.001);
Ws(2,-53,53,[1]);function Go(e,t){return e.map(n=>n.map((s,r)=>r==0||r==8||s==null?s:t(r==1||n[8]==0?s:n[1]+s)))}function Bo(e,t){
return(n,s,r,i,o)=>{let c=t.find(P=>o>=P[0])||t[t.length-1],d,m,g,b,v,M;return s.map(P=>{let T=e(P),R=T.getFullYear(),N=T.
getMonth(),E=T.getDate(),W=T.getHours(),_=T.getMinutes(),Z=T.getSeconds(),O=R!=d&&c[2]||N!=m&&c[3]||E!=g&&c[4]||W!=b&&c[5]||
_!=v&&c[6]||Z!=M&&c[7]||c[1];return d=R,m=N,g=E,b=W,v=_,M=Z,O(T)})}}function wp(e,t){let n=Gi(t);return(s,r,i,o,c)=>r.map(
d=>n(e(d)))}function Ti(e,t,n){return new Date(e,t,n)}function Ko(e,t){return t(e)}var vp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Yo(e,t){return(n,s,r,i)=>i==null?Fi:t(e(s))}function xp(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function yp(e,t){return e.series[t].fill(e,t)}var kp={show:!0,live:!0,isolate:!1,mount:qd,
markers:{show:!0,width:2,stroke:xp,fill:yp,dash:"solid"},idx:null,idxs:null,values:[]};function Sp(e,t){let n=e.cursor.points,
s=Et(),r=n.size(e,t);Se(s,zs,r),Se(s,Vs,r);let i=r/-2;Se(s,"marginLeft",i),Se(s,"marginTop",i);let o=n.width(e,t,r);return o&&
Se(s,"borderWidth",o),s}function Ep(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Mp(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function Tp(e,t){return e.series[t].points.size}var _i=[0,0];function _p(e,t,n){return _i[0]=
t,_i[1]=n,_i}function gr(e,t,n,s=!0){return r=>{r.button==0&&(!s||r.target==t)&&n(r)}}function Li(e,t,n,s=!0){return r=>{
(!s||r.target==t)&&n(r)}}var Lp={show:!0,x:!0,y:!0,lock:!1,move:_p,points:{one:!1,show:Sp,size:Tp,width:0,stroke:Mp,fill:Ep},
bind:{mousedown:gr,mouseup:gr,click:gr,dblclick:gr,mousemove:Li,mouseleave:Li,mouseenter:Li},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,s,r)=>s-
r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ca={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ki=He({},Ca,{filter:ha}),Pa=He({},Ki,{size:10}),$a=He({},Ca,{show:!1}),Yi='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Aa="bold "+Yi,Ra=1.5,Jo={show:!0,scale:"x",stroke:Vi,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Aa,side:2,grid:Ki,ticks:Pa,border:$a,font:Yi,lineGap:Ra,rotate:0},Cp="\
Value",Pp="Time",Qo={show:!0,scale:"x",auto:!1,sorted:1,min:ge,max:-ge,idxs:[]};function $p(e,t,n,s,r){return t.map(i=>i==
null?"":Ui(i))}function Ap(e,t,n,s,r,i,o){let c=[],d=gn.get(r)||0;n=o?n:be(Sr(n,r),d);for(let m=n;m<=s;m=be(m+r,d))c.push(
Object.is(m,-0)?0:m);return c}function Di(e,t,n,s,r,i,o){let c=[],d=e.scales[e.axes[t].scale].log,m=d==10?sn:pa,g=gt(m(n));
r=fs(d,g),d==10&&(r=Nn[Nt(r,Nn)]);let b=n,v=r*d;d==10&&(v=Nn[Nt(v,Nn)]);do c.push(b),b=b+r,d==10&&!gn.has(b)&&(b=be(b,gn.
get(r))),b>=v&&(r=b,v=r*d,d==10&&(v=Nn[Nt(v,Nn)]));while(b<=s);return c}function Rp(e,t,n,s,r,i,o){let d=e.scales[e.axes[t].
scale].asinh,m=s>d?Di(e,t,it(d,n),s,r):[d],g=s>=0&&n<=0?[0]:[];return(n<-d?Di(e,t,it(d,-s),-n,r):[d]).reverse().map(v=>-v).
concat(g,m)}var Da=/./,Dp=/[12357]/,Hp=/[125]/,Zo=/1/,Hi=(e,t,n,s)=>e.map((r,i)=>t==4&&r==0||i%s==0&&n.test(r.toExponential()[r<
0?1:0])?r:null);function Op(e,t,n,s,r){let i=e.axes[n],o=i.scale,c=e.scales[o],d=e.valToPos,m=i._space,g=d(10,o),b=d(9,o)-
g>=m?Da:d(7,o)-g>=m?Dp:d(5,o)-g>=m?Hp:Zo;if(b==Zo){let v=Fe(d(1,o)-g);if(v<m)return Hi(t.slice().reverse(),c.distr,b,Mt(
m/v)).reverse()}return Hi(t,c.distr,b,1)}function Np(e,t,n,s,r){let i=e.axes[n],o=i.scale,c=i._space,d=e.valToPos,m=Fe(d(
1,o)-d(2,o));return m<c?Hi(t.slice().reverse(),3,Da,Mt(c/m)).reverse():t}function zp(e,t,n,s){return s==null?Fi:t==null?
"":Ui(t)}var Xo={show:!0,scale:"y",stroke:Vi,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Aa,side:3,
grid:Ki,ticks:Pa,border:$a,font:Yi,lineGap:Ra,rotate:0};function Vp(e,t){let n=3+(e||1)*2;return be(n*t,3)}function Fp(e,t){
let{scale:n,idxs:s}=e.series[0],r=e._data[0],i=e.valToPos(r[s[0]],n,!0),o=e.valToPos(r[s[1]],n,!0),c=Fe(o-i),d=e.series[t],
m=c/(d.points.space*de);return s[1]-s[0]<=m}var ea={scale:null,auto:!0,sorted:0,min:ge,max:-ge},Ha=(e,t,n,s,r)=>r,ta={show:!0,
auto:!0,sorted:0,gaps:Ha,alpha:1,facets:[He({},ea,{scale:"x"}),He({},ea,{scale:"y"})]},na={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:Ha,alpha:1,points:{show:Fp,filter:null},values:null,min:ge,max:-ge,idxs:[],path:null,clip:null};function qp(e,t,n,s,r){
return n/10}var Oa={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},jp=He({},Oa,{time:!1,ori:1}),sa={};
function Na(e,t){let n=sa[e];return n||(n={key:e,plots:[],sub(s){n.plots.push(s)},unsub(s){n.plots=n.plots.filter(r=>r!=
s)},pub(s,r,i,o,c,d,m){for(let g=0;g<n.plots.length;g++)n.plots[g]!=r&&n.plots[g].pub(s,r,i,o,c,d,m)}},e!=null&&(sa[e]=n)),
n}var gs=1,Oi=2;function qn(e,t,n){let s=e.mode,r=e.series[t],i=s==2?e._data[t]:e._data,o=e.scales,c=e.bbox,d=i[0],m=s==
2?i[1]:i[t],g=s==2?o[r.facets[0].scale]:o[e.series[0].scale],b=s==2?o[r.facets[1].scale]:o[r.scale],v=c.left,M=c.top,P=c.
width,T=c.height,R=e.valToPosH,N=e.valToPosV;return g.ori==0?n(r,d,m,g,b,R,N,v,M,P,T,Tr,ws,Lr,Va,qa):n(r,d,m,g,b,N,R,M,v,
T,P,_r,vs,Zi,Fa,ja)}function Ji(e,t){let n=0,s=0,r=ce(e.bands,Ii);for(let i=0;i<r.length;i++){let o=r[i];o.series[0]==t?
n=o.dir:o.series[1]==t&&(o.dir==1?s|=1:s|=2)}return[n,s==1?-1:s==2?1:s==3?2:0]}function Wp(e,t,n,s,r){let i=e.mode,o=e.series[t],
c=i==2?o.facets[1].scale:o.scale,d=e.scales[c];return r==-1?d.min:r==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function rn(e,t,n,s,r,i){
return qn(e,t,(o,c,d,m,g,b,v,M,P,T,R)=>{let N=o.pxRound,E=m.dir*(m.ori==0?1:-1),W=m.ori==0?ws:vs,_,Z;E==1?(_=n,Z=s):(_=s,
Z=n);let O=N(b(c[_],m,T,M)),X=N(v(d[_],g,R,P)),Y=N(b(c[Z],m,T,M)),ne=N(v(i==1?g.max:g.min,g,R,P)),K=new Path2D(r);return W(
K,Y,ne),W(K,O,ne),W(K,O,X),K})}function Mr(e,t,n,s,r,i){let o=null;if(e.length>0){o=new Path2D;let c=t==0?Lr:Zi,d=n;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let M=v[0]-d;M>0&&c(o,d,s,M,s+i),d=v[1]}}let m=n+r-d,g=10;m>0&&c(o,d,s-g/2,m,s+i+
g)}return o}function Up(e,t,n){let s=e[e.length-1];s&&s[0]==t?s[1]=n:e.push([t,n])}function Qi(e,t,n,s,r,i,o){let c=[],d=e.
length;for(let m=r==1?n:s;m>=n&&m<=s;m+=r)if(t[m]===null){let b=m,v=m;if(r==1)for(;++m<=s&&t[m]===null;)v=m;else for(;--m>=
n&&t[m]===null;)v=m;let M=i(e[b]),P=v==b?M:i(e[v]),T=b-r;M=o<=0&&T>=0&&T<d?i(e[T]):M;let N=v+r;P=o>=0&&N>=0&&N<d?i(e[N]):
P,P>=M&&c.push([M,P])}return c}function ra(e){return e==0?ma:e==1?Ve:t=>On(t,e)}function za(e){let t=e==0?Tr:_r,n=e==0?(r,i,o,c,d,m)=>{
r.arcTo(i,o,c,d,m)}:(r,i,o,c,d,m)=>{r.arcTo(o,i,d,c,m)},s=e==0?(r,i,o,c,d)=>{r.rect(i,o,c,d)}:(r,i,o,c,d)=>{r.rect(o,i,d,
c)};return(r,i,o,c,d,m=0,g=0)=>{m==0&&g==0?s(r,i,o,c,d):(m=zt(m,c/2,d/2),g=zt(g,c/2,d/2),t(r,i+m,o),n(r,i+c,o,i+c,o+d,m),
n(r,i+c,o+d,i,o+d,g),n(r,i,o+d,i,o,g),n(r,i,o,i+c,o,m),r.closePath())}}var Tr=(e,t,n)=>{e.moveTo(t,n)},_r=(e,t,n)=>{e.moveTo(
n,t)},ws=(e,t,n)=>{e.lineTo(t,n)},vs=(e,t,n)=>{e.lineTo(n,t)},Lr=za(0),Zi=za(1),Va=(e,t,n,s,r,i)=>{e.arc(t,n,s,r,i)},Fa=(e,t,n,s,r,i)=>{
e.arc(n,t,s,r,i)},qa=(e,t,n,s,r,i,o)=>{e.bezierCurveTo(t,n,s,r,i,o)},ja=(e,t,n,s,r,i,o)=>{e.bezierCurveTo(n,t,r,s,o,i)};
function Wa(e){return(t,n,s,r,i)=>qn(t,n,(o,c,d,m,g,b,v,M,P,T,R)=>{let{pxRound:N,points:E}=o,W,_;m.ori==0?(W=Tr,_=Va):(W=
_r,_=Fa);let Z=be(E.width*de,3),O=(E.size-E.width)/2*de,X=be(O*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:L,width:Q,height:z}=t.
bbox;Lr(ne,K-X,L-X,Q+X*2,z+X*2);let G=j=>{if(d[j]!=null){let re=N(b(c[j],m,T,M)),q=N(v(d[j],g,R,P));W(Y,re+O,q),_(Y,re,q,
O,0,br*2)}};if(i)i.forEach(G);else for(let j=s;j<=r;j++)G(j);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:gs|Oi}})}function Ua(e){
return(t,n,s,r,i,o)=>{s!=r&&(i!=s&&o!=s&&e(t,n,s),i!=r&&o!=r&&e(t,n,r),e(t,n,o))}}var Ip=Ua(ws),Gp=Ua(vs);function Ia(e){
let t=ce(e?.alignGaps,0);return(n,s,r,i)=>qn(n,s,(o,c,d,m,g,b,v,M,P,T,R)=>{[r,i]=yr(d,r,i);let N=o.pxRound,E=z=>N(b(z,m,
T,M)),W=z=>N(v(z,g,R,P)),_,Z;m.ori==0?(_=ws,Z=Ip):(_=vs,Z=Gp);let O=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:gs},Y=X.stroke,ne=!1;if(i-r>=T*4){let z=V=>n.posToVal(V,m.key,!0),G=null,j=null,re,q,
lt,Ee=E(c[O==1?r:i]),oe=E(c[r]),me=E(c[i]),ee=z(O==1?oe+1:me-1);for(let V=O==1?r:i;V>=r&&V<=i;V+=O){let Oe=c[V],Me=(O==1?
Oe<ee:Oe>ee)?Ee:E(Oe),pe=d[V];Me==Ee?pe!=null?(q=pe,G==null?(_(Y,Me,W(q)),re=G=j=q):q<G?G=q:q>j&&(j=q)):pe===null&&(ne=!0):
(G!=null&&Z(Y,Ee,W(G),W(j),W(re),W(q)),pe!=null?(q=pe,_(Y,Me,W(q)),G=j=re=q):(G=j=null,pe===null&&(ne=!0)),Ee=Me,ee=z(Ee+
O))}G!=null&&G!=j&&lt!=Ee&&Z(Y,Ee,W(G),W(j),W(re),W(q))}else for(let z=O==1?r:i;z>=r&&z<=i;z+=O){let G=d[z];G===null?ne=
!0:G!=null&&_(Y,E(c[z]),W(G))}let[L,Q]=Ji(n,s);if(o.fill!=null||L!=0){let z=X.fill=new Path2D(Y),G=o.fillTo(n,s,o.min,o.
max,L),j=W(G),re=E(c[r]),q=E(c[i]);O==-1&&([q,re]=[re,q]),_(z,q,j),_(z,re,j)}if(!o.spanGaps){let z=[];ne&&z.push(...Qi(c,
d,r,i,O,E,t)),X.gaps=z=o.gaps(n,s,r,i,z),X.clip=Mr(z,m.ori,M,P,T,R)}return Q!=0&&(X.band=Q==2?[rn(n,s,r,i,Y,-1),rn(n,s,r,
i,Y,1)]:rn(n,s,r,i,Y,Q)),X})}function Bp(e){let t=ce(e.align,1),n=ce(e.ascDesc,!1),s=ce(e.alignGaps,0),r=ce(e.extend,!1);
return(i,o,c,d)=>qn(i,o,(m,g,b,v,M,P,T,R,N,E,W)=>{[c,d]=yr(b,c,d);let _=m.pxRound,{left:Z,width:O}=i.bbox,X=oe=>_(P(oe,v,
E,R)),Y=oe=>_(T(oe,M,W,N)),ne=v.ori==0?ws:vs,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:gs},L=K.
stroke,Q=v.dir*(v.ori==0?1:-1),z=Y(b[Q==1?c:d]),G=X(g[Q==1?c:d]),j=G,re=G;r&&t==-1&&(re=Z,ne(L,re,z)),ne(L,G,z);for(let oe=Q==
1?c:d;oe>=c&&oe<=d;oe+=Q){let me=b[oe];if(me==null)continue;let ee=X(g[oe]),V=Y(me);t==1?ne(L,ee,z):ne(L,j,V),ne(L,ee,V),
z=V,j=ee}let q=j;r&&t==1&&(q=Z+O,ne(L,q,z));let[lt,Ee]=Ji(i,o);if(m.fill!=null||lt!=0){let oe=K.fill=new Path2D(L),me=m.
fillTo(i,o,m.min,m.max,lt),ee=Y(me);ne(oe,q,ee),ne(oe,re,ee)}if(!m.spanGaps){let oe=[];oe.push(...Qi(g,b,c,d,Q,X,s));let me=m.
width*de/2,ee=n||t==1?me:-me,V=n||t==-1?-me:me;oe.forEach(Oe=>{Oe[0]+=ee,Oe[1]+=V}),K.gaps=oe=m.gaps(i,o,c,d,oe),K.clip=
Mr(oe,v.ori,R,N,E,W)}return Ee!=0&&(K.band=Ee==2?[rn(i,o,c,d,L,-1),rn(i,o,c,d,L,1)]:rn(i,o,c,d,L,Ee)),K})}function ia(e,t,n,s,r,i,o=ge){
if(e.length>1){let c=null;for(let d=0,m=1/0;d<e.length;d++)if(t[d]!==void 0){if(c!=null){let g=Fe(e[d]-e[c]);g<m&&(m=g,o=
Fe(n(e[d],s,r,i)-n(e[c],s,r,i)))}c=d}}return o}function Kp(e){e=e||js;let t=ce(e.size,[.6,ge,1]),n=e.align||0,s=e.gap||0,
r=e.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let i=se(r),o=1-t[0],c=ce(t[1],ge),d=ce(t[2],1),m=ce(e.disp,js),g=ce(
e.each,M=>{}),{fill:b,stroke:v}=m;return(M,P,T,R)=>qn(M,P,(N,E,W,_,Z,O,X,Y,ne,K,L)=>{let Q=N.pxRound,z=n,G=s*de,j=c*de,re=d*
de,q,lt;_.ori==0?[q,lt]=i(M,P):[lt,q]=i(M,P);let Ee=_.dir*(_.ori==0?1:-1),oe=_.ori==0?Lr:Zi,me=_.ori==0?g:(D,we,Ne,Gn,kn,qt,Sn)=>{
g(D,we,Ne,kn,Gn,Sn,qt)},ee=ce(M.bands,Ii).find(D=>D.series[0]==P),V=ee!=null?ee.dir:0,Oe=N.fillTo(M,P,N.min,N.max,V),et=Q(
X(Oe,Z,L,ne)),Me,pe,Lt,ct=K,Ce=Q(N.width*de),Ft=!1,Qt=null,wt=null,ln=null,Wn=null;b!=null&&(Ce==0||v!=null)&&(Ft=!0,Qt=
b.values(M,P,T,R),wt=new Map,new Set(Qt).forEach(D=>{D!=null&&wt.set(D,new Path2D)}),Ce>0&&(ln=v.values(M,P,T,R),Wn=new Map,
new Set(ln).forEach(D=>{D!=null&&Wn.set(D,new Path2D)})));let{x0:Un,size:Ss}=m;if(Un!=null&&Ss!=null){z=1,E=Un.values(M,
P,T,R),Un.unit==2&&(E=E.map(Ne=>M.posToVal(Y+Ne*K,_.key,!0)));let D=Ss.values(M,P,T,R);Ss.unit==2?pe=D[0]*K:pe=O(D[0],_,
K,Y)-O(0,_,K,Y),ct=ia(E,W,O,_,K,Y,ct),Lt=ct-pe+G}else ct=ia(E,W,O,_,K,Y,ct),Lt=ct*o+G,pe=ct-Lt;Lt<1&&(Lt=0),Ce>=pe/2&&(Ce=
0),Lt<5&&(Q=ma);let Ys=Lt>0,xn=ct-Lt-(Ys?Ce:0);pe=Q(Ri(xn,re,j)),Me=(z==0?pe/2:z==Ee?0:pe)-z*Ee*((z==0?G/2:0)+(Ys?Ce/2:0));
let tt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},In=Ft?null:new Path2D,Zt=null;if(ee!=null)Zt=M.data[ee.
series[1]];else{let{y0:D,y1:we}=m;D!=null&&we!=null&&(W=we.values(M,P,T,R),Zt=D.values(M,P,T,R))}let yn=q*pe,J=lt*pe;for(let D=Ee==
1?T:R;D>=T&&D<=R;D+=Ee){let we=W[D];if(we==null)continue;if(Zt!=null){let ot=Zt[D]??0;if(we-ot==0)continue;et=X(ot,Z,L,ne)}
let Ne=_.distr!=2||m!=null?E[D]:D,Gn=O(Ne,_,K,Y),kn=X(ce(we,Oe),Z,L,ne),qt=Q(Gn-Me),Sn=Q(it(kn,et)),ut=Q(zt(kn,et)),vt=Sn-
ut;if(we!=null){let ot=we<0?J:yn,Ct=we<0?yn:J;Ft?(Ce>0&&ln[D]!=null&&oe(Wn.get(ln[D]),qt,ut+gt(Ce/2),pe,it(0,vt-Ce),ot,Ct),
Qt[D]!=null&&oe(wt.get(Qt[D]),qt,ut+gt(Ce/2),pe,it(0,vt-Ce),ot,Ct)):oe(In,qt,ut+gt(Ce/2),pe,it(0,vt-Ce),ot,Ct),me(M,P,D,
qt-Ce/2,ut,pe+Ce,vt)}}return Ce>0?tt.stroke=Ft?Wn:In:Ft||(tt._fill=N.width==0?N._fill:N._stroke??N._fill,tt.width=0),tt.
fill=Ft?wt:In,tt})}function Yp(e,t){let n=ce(t?.alignGaps,0);return(s,r,i,o)=>qn(s,r,(c,d,m,g,b,v,M,P,T,R,N)=>{[i,o]=yr(
m,i,o);let E=c.pxRound,W=q=>E(v(q,g,R,P)),_=q=>E(M(q,b,N,T)),Z,O,X;g.ori==0?(Z=Tr,X=ws,O=qa):(Z=_r,X=vs,O=ja);let Y=g.dir*
(g.ori==0?1:-1),ne=W(d[Y==1?i:o]),K=ne,L=[],Q=[];for(let q=Y==1?i:o;q>=i&&q<=o;q+=Y)if(m[q]!=null){let Ee=d[q],oe=W(Ee);
L.push(K=oe),Q.push(_(m[q]))}let z={stroke:e(L,Q,Z,X,O,E),fill:null,clip:null,band:null,gaps:null,flags:gs},G=z.stroke,[
j,re]=Ji(s,r);if(c.fill!=null||j!=0){let q=z.fill=new Path2D(G),lt=c.fillTo(s,r,c.min,c.max,j),Ee=_(lt);X(q,K,Ee),X(q,ne,
Ee)}if(!c.spanGaps){let q=[];q.push(...Qi(d,m,i,o,Y,W,n)),z.gaps=q=c.gaps(s,r,i,o,q),z.clip=Mr(q,g.ori,P,T,R,N)}return re!=
0&&(z.band=re==2?[rn(s,r,i,o,G,-1),rn(s,r,i,o,G,1)]:rn(s,r,i,o,G,re)),z})}function Jp(e){return Yp(Qp,e)}function Qp(e,t,n,s,r,i){
let o=e.length;if(o<2)return null;let c=new Path2D;if(n(c,e[0],t[0]),o==2)s(c,e[1],t[1]);else{let d=Array(o),m=Array(o-1),
g=Array(o-1),b=Array(o-1);for(let v=0;v<o-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];d[0]=m[0];for(let v=1;v<
o-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?d[v]=0:(d[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(d[v])||(d[v]=0));d[o-1]=m[o-2];for(let v=0;v<o-1;v++)r(c,e[v]+b[v]/3,t[v]+d[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-d[v+
1]*b[v]/3,e[v+1],t[v+1])}return c}var Ni=new Set;function la(){for(let e of Ni)e.syncRect(!0)}bs&&(Vn($d,ps,la),Vn(Ad,ps,
la,!0),Vn(wr,ps,()=>{Ke.pxRatio=de}));var Zp=Ia(),Xp=Wa();function oa(e,t,n,s){return(s?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((i,o)=>zi(i,o,t,n))}function ef(e,t){return e.map((n,s)=>s==0?{}:He({},t,n))}function zi(e,t,n,s){
return He({},t==0?n:s,e)}function Ga(e,t,n){return t==null?ms:[t,n]}var tf=Ga;function nf(e,t,n){return t==null?ms:vr(t,
n,Wi,!0)}function Ba(e,t,n,s){return t==null?ms:kr(t,n,e.scales[s].log,!1)}var sf=Ba;function Ka(e,t,n,s){return t==null?
ms:ji(t,n,e.scales[s].log,!1)}var rf=Ka;function lf(e,t,n,s,r){let i=it(Vo(e),Vo(t)),o=t-e,c=Nt(r/s*o,n);do{let d=n[c],m=s*
d/o;if(m>=r&&i+(d<5?gn.get(d):0)<=17)return[d,m]}while(++c<n.length);return[0,0]}function aa(e){let t,n;return e=e.replace(
/(\d+)px/,(s,r)=>(t=Ve((n=+r)*de))+"px"),[e,t,n]}function of(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=be(t[2]*de,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Ke(e,t,n){let s={mode:ce(e.mode,1)},r=s.mode;function i(a,u,p,f){
let h=u.valToPct(a);return f+p*(u.dir==-1?1-h:h)}function o(a,u,p,f){let h=u.valToPct(a);return f+p*(u.dir==-1?h:1-h)}function c(a,u,p,f){
return u.ori==0?i(a,u,p,f):o(a,u,p,f)}s.valToPosH=i,s.valToPosV=o;let d=!1;s.status=0;let m=s.root=Et(fd);if(e.id!=null&&
(m.id=e.id),ht(m,e.class),e.title){let a=Et(gd,m);a.textContent=e.title}let g=Ot("canvas"),b=s.ctx=g.getContext("2d"),v=Et(
bd,m);Vn("click",v,a=>{a.target===P&&(xe!=ss||Te!=rs)&&Je.click(s,a)},!0);let M=s.under=Et(wd,v);v.appendChild(g);let P=s.
over=Et(vd,v);e=hs(e);let T=+ce(e.pxAlign,1),R=ra(T);(e.plugins||[]).forEach(a=>{a.opts&&(e=a.opts(s,e)||e)});let N=e.ms||
.001,E=s.series=r==1?oa(e.series||[],Qo,na,!1):ef(e.series||[null],ta),W=s.axes=oa(e.axes||[],Jo,Xo,!0),_=s.scales={},Z=s.
bands=e.bands||[];Z.forEach(a=>{a.fill=se(a.fill||null),a.dir=ce(a.dir,-1)});let O=r==2?E[1].facets[0].scale:E[0].scale,
X={axes:fu,series:au},Y=(e.drawOrder||["axes","series"]).map(a=>X[a]);function ne(a){let u=a.distr==3?p=>sn(p>0?p:a.clamp(
s,p,a.min,a.max,a.key)):a.distr==4?p=>Mi(p,a.asinh):a.distr==100?p=>a.fwd(p):p=>p;return p=>{let f=u(p),{_min:h,_max:w}=a,
x=w-h;return(f-h)/x}}function K(a){let u=_[a];if(u==null){let p=(e.scales||js)[a]||js;if(p.from!=null){K(p.from);let f=He(
{},_[p.from],p,{key:a});f.valToPct=ne(f),_[a]=f}else{u=_[a]=He({},a==O?Oa:jp,p),u.key=a;let f=u.time,h=u.range,w=hn(h);if((a!=
O||r==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?Oo:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?Oo:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&Er(h))){let x=h;h=(k,S,$)=>S==null?ms:vr(S,$,x)}u.range=se(h||(f?tf:a==O?u.distr==3?sf:u.
distr==4?rf:Ga:u.distr==3?Ba:u.distr==4?Ka:nf)),u.auto=se(w?!1:u.auto),u.clamp=se(u.clamp||qp),u._min=u._max=null,u.valToPct=
ne(u)}}}K("x"),K("y"),r==1&&E.forEach(a=>{K(a.scale)}),W.forEach(a=>{K(a.scale)});for(let a in e.scales)K(a);let L=_[O],
Q=L.distr,z,G;L.ori==0?(ht(m,md),z=i,G=o):(ht(m,hd),z=o,G=i);let j={};for(let a in _){let u=_[a];(u.min!=null||u.max!=null)&&
(j[a]={min:u.min,max:u.max},u.min=u.max=null)}let re=e.tzDate||(a=>new Date(Ve(a/N))),q=e.fmtDate||Gi,lt=N==1?mp(re):bp(
re),Ee=Bo(re,Go(N==1?fp:gp,q)),oe=Yo(re,Ko(vp,q)),me=[],ee=s.legend=He({},kp,e.legend),V=s.cursor=He({},Lp,{drag:{y:r==2}},
e.cursor),Oe=ee.show,et=V.show,Me=ee.markers;ee.idxs=me,Me.width=se(Me.width),Me.dash=se(Me.dash),Me.stroke=se(Me.stroke),
Me.fill=se(Me.fill);let pe,Lt,ct,Ce=[],Ft=[],Qt,wt=!1,ln={};if(ee.live){let a=E[1]?E[1].values:null;wt=a!=null,Qt=wt?a(s,
1,0):{_:0};for(let u in Qt)ln[u]=Fi}if(Oe)if(pe=Ot("table",Md,m),ct=Ot("tbody",null,pe),ee.mount(s,pe),wt){Lt=Ot("thead",
null,pe,ct);let a=Ot("tr",null,Lt);Ot("th",null,a);for(var Wn in Qt)Ot("th",So,a).textContent=Wn}else ht(pe,_d),ee.live&&
ht(pe,Td);let Un={show:!0},Ss={show:!1};function Ys(a,u){if(u==0&&(wt||!ee.live||r==2))return ms;let p=[],f=Ot("tr",Ld,ct,
ct.childNodes[u]);ht(f,a.class),a.show||ht(f,zn);let h=Ot("th",null,f);if(Me.show){let k=Et(Cd,h);if(u>0){let S=Me.width(
s,u);S&&(k.style.border=S+"px "+Me.dash(s,u)+" "+Me.stroke(s,u)),k.style.background=Me.fill(s,u)}}let w=Et(So,h);a.label instanceof
HTMLElement?w.appendChild(a.label):w.textContent=a.label,u>0&&(Me.show||(w.style.color=a.width>0?Me.stroke(s,u):Me.fill(
s,u)),tt("click",h,k=>{if(V._lock)return;Mn(k);let S=E.indexOf(a);if((k.ctrlKey||k.metaKey)!=ee.isolate){let $=E.some((A,H)=>H>
0&&H!=S&&A.show);E.forEach((A,H)=>{H>0&&Wt(H,$?H==S?Un:Ss:Un,!0,Re.setSeries)})}else Wt(S,{show:!a.show},!0,Re.setSeries)},
!1),Kn&&tt(_o,h,k=>{V._lock||(Mn(k),Wt(E.indexOf(a),ls,!0,Re.setSeries))},!1));for(var x in Qt){let k=Ot("td",Pd,f);k.textContent=
"--",p.push(k)}return[f,p]}let xn=new Map;function tt(a,u,p,f=!0){let h=xn.get(u)||{},w=V.bind[a](s,u,p,f);w&&(Vn(a,u,h[a]=
w),xn.set(u,h))}function In(a,u,p){let f=xn.get(u)||{};for(let h in f)(a==null||h==a)&&(Ai(h,u,f[h]),delete f[h]);a==null&&
xn.delete(u)}let Zt=0,yn=0,J=0,D=0,we=0,Ne=0,Gn=we,kn=Ne,qt=J,Sn=D,ut=0,vt=0,ot=0,Ct=0;s.bbox={};let Vr=!1,Js=!1,Bn=!1,En=!1,
Qs=!1,xt=!1;function Fr(a,u,p){(p||a!=s.width||u!=s.height)&&gl(a,u),Xn(!1),Bn=!0,Js=!0,es()}function gl(a,u){s.width=Zt=
J=a,s.height=yn=D=u,we=Ne=0,tu(),nu();let p=s.bbox;ut=p.left=On(we*de,.5),vt=p.top=On(Ne*de,.5),ot=p.width=On(J*de,.5),Ct=
p.height=On(D*de,.5)}let Zc=3;function Xc(){let a=!1,u=0;for(;!a;){u++;let p=du(u),f=pu(u);a=u==Zc||p&&f,a||(gl(s.width,
s.height),Js=!0)}}function eu({width:a,height:u}){Fr(a,u)}s.setSize=eu;function tu(){let a=!1,u=!1,p=!1,f=!1;W.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:k}=h,S=x%2,$=h.label!=null?h.labelSize:0,A=k+$;A>0&&(S?(J-=A,x==3?(we+=A,f=!0):p=!0):
(D-=A,x==0?(Ne+=A,a=!0):u=!0))}}),Tn[0]=a,Tn[1]=p,Tn[2]=u,Tn[3]=f,J-=on[1]+on[3],we+=on[3],D-=on[2]+on[0],Ne+=on[0]}function nu(){
let a=we+J,u=Ne+D,p=we,f=Ne;function h(w,x){switch(w){case 1:return a+=x,a-x;case 2:return u+=x,u-x;case 3:return p-=x,p+
x;case 0:return f-=x,f+x}}W.forEach((w,x)=>{if(w.show&&w._show){let k=w.side;w._pos=h(k,w._size),w.label!=null&&(w._lpos=
h(k,w.labelSize))}})}if(V.dataIdx==null){let a=V.hover,u=a.skip=new Set(a.skip??[]);u.add(void 0);let p=a.prox=se(a.prox),
f=a.bias??=0;V.dataIdx=(h,w,x,k)=>{if(w==0)return x;let S=x,$=p(h,w,x,k)??ge,A=$>=0&&$<ge,H=L.ori==0?J:D,B=V.left,ue=t[0],
ae=t[w];if(u.has(ae[x])){S=null;let te=null,I=null,F;if(f==0||f==-1)for(F=x;te==null&&F-- >0;)u.has(ae[F])||(te=F);if(f==
0||f==1)for(F=x;I==null&&F++<ae.length;)u.has(ae[F])||(I=F);if(te!=null||I!=null)if(A){let ke=te==null?-1/0:z(ue[te],L,H,
0),Pe=I==null?1/0:z(ue[I],L,H,0),Ge=B-ke,he=Pe-B;Ge<=he?Ge<=$&&(S=te):he<=$&&(S=I)}else S=I==null?te:te==null?I:x-te<=I-
x?te:I}else A&&Fe(B-z(ue[x],L,H,0))>$&&(S=null);return S}}let Mn=a=>{V.event=a};V.idxs=me,V._lock=!1;let Ze=V.points;Ze.
show=se(Ze.show),Ze.size=se(Ze.size),Ze.stroke=se(Ze.stroke),Ze.width=se(Ze.width),Ze.fill=se(Ze.fill);let jt=s.focus=He(
{},e.focus||{alpha:.3},V.focus),Kn=jt.prox>=0,Yn=Kn&&Ze.one,yt=[],Jn=[],Qn=[];function bl(a,u){let p=Ze.show(s,u);if(p instanceof
HTMLElement)return ht(p,Ed),ht(p,a.class),Jt(p,-10,-10,J,D),P.insertBefore(p,yt[u]),p}function wl(a,u){if(r==1||u>0){let p=r==
1&&_[a.scale].time,f=a.value;a.value=p?jo(f)?Yo(re,Ko(f,q)):f||oe:f||zp,a.label=a.label||(p?Pp:Cp)}if(Yn||u>0){a.width=a.
width==null?1:a.width,a.paths=a.paths||Zp||jd,a.fillTo=se(a.fillTo||Wp),a.pxAlign=+ce(a.pxAlign,T),a.pxRound=ra(a.pxAlign),
a.stroke=se(a.stroke||null),a.fill=se(a.fill||null),a._stroke=a._fill=a._paths=a._focus=null;let p=Vp(it(1,a.width),1),f=a.
points=He({},{size:p,width:it(1,p*.2),stroke:a.stroke,space:p*2,paths:Xp,_stroke:null,_fill:null},a.points);f.show=se(f.
show),f.filter=se(f.filter),f.fill=se(f.fill),f.stroke=se(f.stroke),f.paths=se(f.paths),f.pxAlign=a.pxAlign}if(Oe){let p=Ys(
a,u);Ce.splice(u,0,p[0]),Ft.splice(u,0,p[1]),ee.values.push(null)}if(et){me.splice(u,0,null);let p=null;Yn?u==0&&(p=bl(a,
u)):u>0&&(p=bl(a,u)),yt.splice(u,0,p),Jn.splice(u,0,0),Qn.splice(u,0,0)}Ie("addSeries",u)}function su(a,u){u=u??E.length,
a=r==1?zi(a,u,Qo,na):zi(a,u,{},ta),E.splice(u,0,a),wl(E[u],u)}s.addSeries=su;function ru(a){if(E.splice(a,1),Oe){ee.values.
splice(a,1),Ft.splice(a,1);let u=Ce.splice(a,1)[0];In(null,u.firstChild),u.remove()}et&&(me.splice(a,1),yt.splice(a,1)[0].
remove(),Jn.splice(a,1),Qn.splice(a,1)),Ie("delSeries",a)}s.delSeries=ru;let Tn=[!1,!1,!1,!1];function iu(a,u){if(a._show=
a.show,a.show){let p=a.side%2,f=_[a.scale];f==null&&(a.scale=p?E[1].scale:O,f=_[a.scale]);let h=f.time;a.size=se(a.size),
a.space=se(a.space),a.rotate=se(a.rotate),hn(a.incrs)&&a.incrs.forEach(x=>{!gn.has(x)&&gn.set(x,ba(x))}),a.incrs=se(a.incrs||
(f.distr==2?up:h?N==1?pp:hp:Nn)),a.splits=se(a.splits||(h&&f.distr==1?lt:f.distr==3?Di:f.distr==4?Rp:Ap)),a.stroke=se(a.
stroke),a.grid.stroke=se(a.grid.stroke),a.ticks.stroke=se(a.ticks.stroke),a.border.stroke=se(a.border.stroke);let w=a.values;
a.values=hn(w)&&!hn(w[0])?se(w):h?hn(w)?Bo(re,Go(w,q)):jo(w)?wp(re,w):w||Ee:w||$p,a.filter=se(a.filter||(f.distr>=3&&f.log==
10?Op:f.distr==3&&f.log==2?Np:ha)),a.font=aa(a.font),a.labelFont=aa(a.labelFont),a._size=a.size(s,null,u,0),a._space=a._rotate=
a._incrs=a._found=a._splits=a._values=null,a._size>0&&(Tn[u]=!0,a._el=Et(xd,v))}}function Es(a,u,p,f){let[h,w,x,k]=p,S=u%
2,$=0;return S==0&&(k||w)&&($=u==0&&!h||u==2&&!x?Ve(Jo.size/3):0),S==1&&(h||x)&&($=u==1&&!w||u==3&&!k?Ve(Xo.size/2):0),$}
let vl=s.padding=(e.padding||[Es,Es,Es,Es]).map(a=>se(ce(a,Es))),on=s._padding=vl.map((a,u)=>a(s,u,Tn,0)),Ye,qe=null,je=null,
Zs=r==1?E[0].idxs:null,Pt=null,Ms=!1;function xl(a,u){if(t=a??[],s.data=s._data=t,r==2){Ye=0;for(let p=1;p<E.length;p++)
Ye+=t[p][0].length}else{t.length==0&&(s.data=s._data=t=[[]]),Pt=t[0],Ye=Pt.length;let p=t;if(Q==2){p=t.slice();let f=p[0]=
Array(Ye);for(let h=0;h<Ye;h++)f[h]=h}s._data=t=p}if(Xn(!0),Ie("setData"),Q==2&&(Bn=!0),u!==!1){let p=L;p.auto(s,Ms)?qr():
cn(O,p.min,p.max),En=En||V.left>=0,xt=!0,es()}}s.setData=xl;function qr(){Ms=!0;let a,u;r==1&&(Ye>0?(qe=Zs[0]=0,je=Zs[1]=
Ye-1,a=t[0][qe],u=t[0][je],Q==2?(a=qe,u=je):a==u&&(Q==3?[a,u]=kr(a,a,L.log,!1):Q==4?[a,u]=ji(a,a,L.log,!1):L.time?u=a+Ve(
86400/N):[a,u]=vr(a,u,Wi,!0))):(qe=Zs[0]=a=null,je=Zs[1]=u=null)),cn(O,a,u)}let Xs,Zn,jr,Wr,Ur,Ir,Gr,Br,Kr,at;function yl(a,u,p,f,h,w){
a??=Mo,p??=Ii,f??="butt",h??=Mo,w??="round",a!=Xs&&(b.strokeStyle=Xs=a),h!=Zn&&(b.fillStyle=Zn=h),u!=jr&&(b.lineWidth=jr=
u),w!=Ur&&(b.lineJoin=Ur=w),f!=Ir&&(b.lineCap=Ir=f),p!=Wr&&b.setLineDash(Wr=p)}function kl(a,u,p,f){u!=Zn&&(b.fillStyle=
Zn=u),a!=Gr&&(b.font=Gr=a),p!=Br&&(b.textAlign=Br=p),f!=Kr&&(b.textBaseline=Kr=f)}function Yr(a,u,p,f,h=0){if(f.length>0&&
a.auto(s,Ms)&&(u==null||u.min==null)){let w=ce(qe,0),x=ce(je,f.length-1),k=p.min==null?Od(f,w,x,h,a.distr==3):[p.min,p.max];
a.min=zt(a.min,p.min=k[0]),a.max=it(a.max,p.max=k[1])}}let Sl={min:null,max:null};function lu(){for(let f in _){let h=_[f];
j[f]==null&&(h.min==null||j[O]!=null&&h.auto(s,Ms))&&(j[f]=Sl)}for(let f in _){let h=_[f];j[f]==null&&h.from!=null&&j[h.
from]!=null&&(j[f]=Sl)}j[O]!=null&&Xn(!0);let a={};for(let f in j){let h=j[f];if(h!=null){let w=a[f]=hs(_[f],Id);if(h.min!=
null)He(w,h);else if(f!=O||r==2)if(Ye==0&&w.from==null){let x=w.range(s,null,null,f);w.min=x[0],w.max=x[1]}else w.min=ge,
w.max=-ge}}if(Ye>0){E.forEach((f,h)=>{if(r==1){let w=f.scale,x=j[w];if(x==null)return;let k=a[w];if(h==0){let S=k.range(
s,k.min,k.max,w);k.min=S[0],k.max=S[1],qe=Nt(k.min,t[0]),je=Nt(k.max,t[0]),je-qe>1&&(t[0][qe]<k.min&&qe++,t[0][je]>k.max&&
je--),f.min=Pt[qe],f.max=Pt[je]}else f.show&&f.auto&&Yr(k,x,f,t[h],f.sorted);f.idxs[0]=qe,f.idxs[1]=je}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,k=w.scale,S=x.scale,[$,A]=t[h],H=a[k],B=a[S];H!=null&&Yr(H,j[k],w,$,w.sorted),B!=null&&Yr(B,j[S],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in a){let h=a[f],w=j[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(s,h.min==ge?null:h.min,h.max==-ge?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in a){let h=a[f];if(h.from!=null){
let w=a[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(s,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let u={},p=!1;
for(let f in a){let h=a[f],w=_[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?sn(w.
min):x==4?Mi(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?sn(w.max):x==4?Mi(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,u[f]=p=!0}}if(p){E.forEach((f,h)=>{r==2?h>0&&u.y&&(f._paths=null):u[f.scale]&&(f._paths=null)});for(let f in u)Bn=!0,
Ie("setScale",f);et&&V.left>=0&&(En=xt=!0)}for(let f in j)j[f]=null}function ou(a){let u=Ri(qe-1,0,Ye-1),p=Ri(je+1,0,Ye-
1);for(;a[u]==null&&u>0;)u--;for(;a[p]==null&&p<Ye-1;)p++;return[u,p]}function au(){if(Ye>0){let a=E.some(u=>u._focus)&&
at!=jt.alpha;a&&(b.globalAlpha=at=jt.alpha),E.forEach((u,p)=>{if(p>0&&u.show&&(El(p,!1),El(p,!0),u._paths==null)){let f=at;
at!=u.alpha&&(b.globalAlpha=at=u.alpha);let h=r==2?[0,t[p][0].length-1]:ou(t[p]);u._paths=u.paths(s,p,h[0],h[1]),at!=f&&
(b.globalAlpha=at=f)}}),E.forEach((u,p)=>{if(p>0&&u.show){let f=at;at!=u.alpha&&(b.globalAlpha=at=u.alpha),u._paths!=null&&
Ml(p,!1);{let h=u._paths!=null?u._paths.gaps:null,w=u.points.show(s,p,qe,je,h),x=u.points.filter(s,p,w,h);(w||x)&&(u.points.
_paths=u.points.paths(s,p,qe,je,x),Ml(p,!0))}at!=f&&(b.globalAlpha=at=f),Ie("drawSeries",p)}}),a&&(b.globalAlpha=at=1)}}
function El(a,u){let p=u?E[a].points:E[a];p._stroke=p.stroke(s,a),p._fill=p.fill(s,a)}function Ml(a,u){let p=u?E[a].points:
E[a],{stroke:f,fill:h,clip:w,flags:x,_stroke:k=p._stroke,_fill:S=p._fill,_width:$=p.width}=p._paths;$=be($*de,3);let A=null,
H=$%2/2;u&&S==null&&(S=$>0?"#fff":k);let B=p.pxAlign==1&&H>0;if(B&&b.translate(H,H),!u){let ue=ut-$/2,ae=vt-$/2,te=ot+$,
I=Ct+$;A=new Path2D,A.rect(ue,ae,te,I)}u?Jr(k,$,p.dash,p.cap,S,f,h,x,w):cu(a,k,$,p.dash,p.cap,S,f,h,x,A,w),B&&b.translate(
-H,-H)}function cu(a,u,p,f,h,w,x,k,S,$,A){let H=!1;S!=0&&Z.forEach((B,ue)=>{if(B.series[0]==a){let ae=E[B.series[1]],te=t[B.
series[1]],I=(ae._paths||js).band;hn(I)&&(I=B.dir==1?I[0]:I[1]);let F,ke=null;ae.show&&I&&zd(te,qe,je)?(ke=B.fill(s,ue)||
w,F=ae._paths.clip):I=null,Jr(u,p,f,h,ke,x,k,S,$,A,F,I),H=!0}}),H||Jr(u,p,f,h,w,x,k,S,$,A)}let Tl=gs|Oi;function Jr(a,u,p,f,h,w,x,k,S,$,A,H){
yl(a,u,p,f,h),(S||$||H)&&(b.save(),S&&b.clip(S),$&&b.clip($)),H?(k&Tl)==Tl?(b.clip(H),A&&b.clip(A),tr(h,x),er(a,w,u)):k&
Oi?(tr(h,x),b.clip(H),er(a,w,u)):k&gs&&(b.save(),b.clip(H),A&&b.clip(A),tr(h,x),b.restore(),er(a,w,u)):(tr(h,x),er(a,w,u)),
(S||$||H)&&b.restore()}function er(a,u,p){p>0&&(u instanceof Map?u.forEach((f,h)=>{b.strokeStyle=Xs=h,b.stroke(f)}):u!=null&&
a&&b.stroke(u))}function tr(a,u){u instanceof Map?u.forEach((p,f)=>{b.fillStyle=Zn=f,b.fill(p)}):u!=null&&a&&b.fill(u)}function uu(a,u,p,f){
let h=W[a],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(s,a,u,p,f),k=h._incrs=h.incrs(s,a,u,p,f,x);w=lf(u,p,k,f,x)}return h.
_found=w}function Qr(a,u,p,f,h,w,x,k,S,$){let A=x%2/2;T==1&&b.translate(A,A),yl(k,x,S,$,k),b.beginPath();let H,B,ue,ae,te=h+
(f==0||f==3?-w:w);p==0?(B=h,ae=te):(H=h,ue=te);for(let I=0;I<a.length;I++)u[I]!=null&&(p==0?H=ue=a[I]:B=ae=a[I],b.moveTo(
H,B),b.lineTo(ue,ae));b.stroke(),T==1&&b.translate(-A,-A)}function du(a){let u=!0;return W.forEach((p,f)=>{if(!p.show)return;
let h=_[p.scale];if(h.min==null){p._show&&(u=!1,p._show=!1,Xn(!1));return}else p._show||(u=!1,p._show=!0,Xn(!1));let w=p.
side,x=w%2,{min:k,max:S}=h,[$,A]=uu(f,k,S,x==0?J:D);if(A==0)return;let H=h.distr==2,B=p._splits=p.splits(s,f,k,S,$,A,H),
ue=h.distr==2?B.map(F=>Pt[F]):B,ae=h.distr==2?Pt[B[1]]-Pt[B[0]]:$,te=p._values=p.values(s,p.filter(s,ue,f,A,ae),f,A,ae);
p._rotate=w==2?p.rotate(s,te,f,A):0;let I=p._size;p._size=Mt(p.size(s,te,f,a)),I!=null&&p._size!=I&&(u=!1)}),u}function pu(a){
let u=!0;return vl.forEach((p,f)=>{let h=p(s,f,Tn,a);h!=on[f]&&(u=!1),on[f]=h}),u}function fu(){for(let a=0;a<W.length;a++){
let u=W[a];if(!u.show||!u._show)continue;let p=u.side,f=p%2,h,w,x=u.stroke(s,a),k=p==0||p==3?-1:1,[S,$]=u._found;if(u.label!=
null){let st=u.labelGap*k,ft=Ve((u._lpos+st)*de);kl(u.labelFont[0],x,"center",p==2?"top":Eo),b.save(),f==1?(h=w=0,b.translate(
ft,Ve(vt+Ct/2)),b.rotate((p==3?-br:br)/2)):(h=Ve(ut+ot/2),w=ft);let Cn=fa(u.label)?u.label(s,a,S,$):u.label;b.fillText(Cn,
h,w),b.restore()}if($==0)continue;let A=_[u.scale],H=f==0?ot:Ct,B=f==0?ut:vt,ue=u._splits,ae=A.distr==2?ue.map(st=>Pt[st]):
ue,te=A.distr==2?Pt[ue[1]]-Pt[ue[0]]:S,I=u.ticks,F=u.border,ke=I.show?I.size:0,Pe=Ve(ke*de),Ge=Ve((u.alignTo==2?u._size-
ke-u.gap:u.gap)*de),he=u._rotate*-br/180,$e=R(u._pos*de),dt=(Pe+Ge)*k,nt=$e+dt;w=f==0?nt:0,h=f==1?nt:0;let kt=u.font[0],
$t=u.align==1?us:u.align==2?ki:he>0?us:he<0?ki:f==0?"center":p==3?ki:us,It=he||f==1?"middle":p==2?"top":Eo;kl(kt,x,$t,It);
let pt=u.font[1]*u.lineGap,St=ue.map(st=>R(c(st,A,H,B))),At=u._values;for(let st=0;st<At.length;st++){let ft=At[st];if(ft!=
null){f==0?h=St[st]:w=St[st],ft=""+ft;let Cn=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let rt=0;rt<Cn.length;rt++){let Il=Cn[rt];he?(b.save(),b.translate(h,w+rt*pt),b.rotate(
he),b.fillText(Il,0,0),b.restore()):b.fillText(Il,h,w+rt*pt)}}}I.show&&Qr(St,I.filter(s,ae,a,$,te),f,p,$e,Pe,be(I.width*
de,3),I.stroke(s,a),I.dash,I.cap);let Gt=u.grid;Gt.show&&Qr(St,Gt.filter(s,ae,a,$,te),f,f==0?2:1,f==0?vt:ut,f==0?Ct:ot,be(
Gt.width*de,3),Gt.stroke(s,a),Gt.dash,Gt.cap),F.show&&Qr([$e],[1],f==0?1:0,f==0?1:2,f==1?vt:ut,f==1?Ct:ot,be(F.width*de,
3),F.stroke(s,a),F.dash,F.cap)}Ie("drawAxes")}function Xn(a){E.forEach((u,p)=>{p>0&&(u._paths=null,a&&(r==1?(u.min=null,
u.max=null):u.facets.forEach(f=>{f.min=null,f.max=null})))})}let nr=!1,Zr=!1,Ts=[];function mu(){Zr=!1;for(let a=0;a<Ts.
length;a++)Ie(...Ts[a]);Ts.length=0}function es(){nr||(Zd(_l),nr=!0)}function hu(a,u=!1){nr=!0,Zr=u,a(s),_l(),u&&Ts.length>
0&&queueMicrotask(mu)}s.batch=hu;function _l(){if(Vr&&(lu(),Vr=!1),Bn&&(Xc(),Bn=!1),Js){if(Se(M,us,we),Se(M,"top",Ne),Se(
M,zs,J),Se(M,Vs,D),Se(P,us,we),Se(P,"top",Ne),Se(P,zs,J),Se(P,Vs,D),Se(v,zs,Zt),Se(v,Vs,yn),g.width=Ve(Zt*de),g.height=Ve(
yn*de),W.forEach(({_el:a,_show:u,_size:p,_pos:f,side:h})=>{if(a!=null)if(u){let w=h===3||h===0?p:0,x=h%2==1;Se(a,x?"left":
"top",f-w),Se(a,x?"width":"height",p),Se(a,x?"top":"left",x?Ne:we),Se(a,x?"height":"width",x?D:J),$i(a,zn)}else ht(a,zn)}),
Xs=Zn=jr=Ur=Ir=Gr=Br=Kr=Wr=null,at=1,Cs(!0),we!=Gn||Ne!=kn||J!=qt||D!=Sn){Xn(!1);let a=J/qt,u=D/Sn;if(et&&!En&&V.left>=0){
V.left*=a,V.top*=u,ts&&Jt(ts,Ve(V.left),0,J,D),ns&&Jt(ns,0,Ve(V.top),J,D);for(let p=0;p<yt.length;p++){let f=yt[p];f!=null&&
(Jn[p]*=a,Qn[p]*=u,Jt(f,Mt(Jn[p]),Mt(Qn[p]),J,D))}}if(ye.show&&!Qs&&ye.left>=0&&ye.width>0){ye.left*=a,ye.width*=a,ye.top*=
u,ye.height*=u;for(let p in ri)Se(is,p,ye[p])}Gn=we,kn=Ne,qt=J,Sn=D}Ie("setSize"),Js=!1}Zt>0&&yn>0&&(b.clearRect(0,0,g.width,
g.height),Ie("drawClear"),Y.forEach(a=>a()),Ie("draw")),ye.show&&Qs&&(sr(ye),Qs=!1),et&&En&&(Ln(null,!0,!1),En=!1),ee.show&&
ee.live&&xt&&(ni(),xt=!1),d||(d=!0,s.status=1,Ie("ready")),Ms=!1,nr=!1}s.redraw=(a,u)=>{Bn=u||!1,a!==!1?cn(O,L.min,L.max):
es()};function Xr(a,u){let p=_[a];if(p.from==null){if(Ye==0){let f=p.range(s,u.min,u.max,a);u.min=f[0],u.max=f[1]}if(u.min>
u.max){let f=u.min;u.min=u.max,u.max=f}if(Ye>1&&u.min!=null&&u.max!=null&&u.max-u.min<1e-16)return;a==O&&p.distr==2&&Ye>
0&&(u.min=Nt(u.min,t[0]),u.max=Nt(u.max,t[0]),u.min==u.max&&u.max++),j[a]=u,Vr=!0,es()}}s.setScale=Xr;let ei,ti,ts,ns,Ll,
Cl,ss,rs,Pl,$l,xe,Te,an=!1,Je=V.drag,We=Je.x,Ue=Je.y;et&&(V.x&&(ei=Et(kd,P)),V.y&&(ti=Et(Sd,P)),L.ori==0?(ts=ei,ns=ti):(ts=
ti,ns=ei),xe=V.left,Te=V.top);let ye=s.select=He({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),is=ye.show?Et(
yd,ye.over?P:M):null;function sr(a,u){if(ye.show){for(let p in a)ye[p]=a[p],p in ri&&Se(is,p,a[p]);u!==!1&&Ie("setSelect")}}
s.setSelect=sr;function gu(a){if(E[a].show)Oe&&$i(Ce[a],zn);else if(Oe&&ht(Ce[a],zn),et){let p=Yn?yt[0]:yt[a];p!=null&&Jt(
p,-10,-10,J,D)}}function cn(a,u,p){Xr(a,{min:u,max:p})}function Wt(a,u,p,f){u.focus!=null&&yu(a),u.show!=null&&E.forEach(
(h,w)=>{w>0&&(a==w||a==null)&&(h.show=u.show,gu(w),r==2?(cn(h.facets[0].scale,null,null),cn(h.facets[1].scale,null,null)):
cn(h.scale,null,null),es())}),p!==!1&&Ie("setSeries",a,u),f&&Ps("setSeries",s,a,u)}s.setSeries=Wt;function bu(a,u){He(Z[a],
u)}function wu(a,u){a.fill=se(a.fill||null),a.dir=ce(a.dir,-1),u=u??Z.length,Z.splice(u,0,a)}function vu(a){a==null?Z.length=
0:Z.splice(a,1)}s.addBand=wu,s.setBand=bu,s.delBand=vu;function xu(a,u){E[a].alpha=u,et&&yt[a]!=null&&(yt[a].style.opacity=
u),Oe&&Ce[a]&&(Ce[a].style.opacity=u)}let Xt,un,_n,ls={focus:!0};function yu(a){if(a!=_n){let u=a==null,p=jt.alpha!=1;E.
forEach((f,h)=>{if(r==1||h>0){let w=u||h==0||h==a;f._focus=u?null:w,p&&xu(h,w?1:jt.alpha)}}),_n=a,p&&es()}}Oe&&Kn&&tt(Lo,
pe,a=>{V._lock||(Mn(a),_n!=null&&Wt(null,ls,!0,Re.setSeries))});function Ut(a,u,p){let f=_[u];p&&(a=a/de-(f.ori==1?Ne:we));
let h=J;f.ori==1&&(h=D,a=h-a),f.dir==-1&&(a=h-a);let w=f._min,x=f._max,k=a/h,S=w+(x-w)*k,$=f.distr;return $==3?fs(10,S):
$==4?Fd(S,f.asinh):$==100?f.bwd(S):S}function ku(a,u){let p=Ut(a,O,u);return Nt(p,t[0],qe,je)}s.valToIdx=a=>Nt(a,t[0]),s.
posToIdx=ku,s.posToVal=Ut,s.valToPos=(a,u,p)=>_[u].ori==0?i(a,_[u],p?ot:J,p?ut:0):o(a,_[u],p?Ct:D,p?vt:0),s.setCursor=(a,u,p)=>{
xe=a.left,Te=a.top,Ln(null,u,p)};function Al(a,u){Se(is,us,ye.left=a),Se(is,zs,ye.width=u)}function Rl(a,u){Se(is,"top",
ye.top=a),Se(is,Vs,ye.height=u)}let _s=L.ori==0?Al:Rl,Ls=L.ori==1?Al:Rl;function Su(){if(Oe&&ee.live)for(let a=r==2?1:0;a<
E.length;a++){if(a==0&&wt)continue;let u=ee.values[a],p=0;for(let f in u)Ft[a][p++].firstChild.nodeValue=u[f]}}function ni(a,u){
if(a!=null&&(a.idxs?a.idxs.forEach((p,f)=>{me[f]=p}):Ud(a.idx)||me.fill(a.idx),ee.idx=me[0]),Oe&&ee.live){for(let p=0;p<
E.length;p++)(p>0||r==1&&!wt)&&Eu(p,me[p]);Su()}xt=!1,u!==!1&&Ie("setLegend")}s.setLegend=ni;function Eu(a,u){let p=E[a],
f=a==0&&Q==2?Pt:t[a],h;wt?h=p.values(s,a,u)??ln:(h=p.value(s,u==null?null:f[u],a,u),h=h==null?ln:{_:h}),ee.values[a]=h}function Ln(a,u,p){
Pl=xe,$l=Te,[xe,Te]=V.move(s,xe,Te),V.left=xe,V.top=Te,et&&(ts&&Jt(ts,Ve(xe),0,J,D),ns&&Jt(ns,0,Ve(Te),J,D));let f,h=qe>
je;Xt=ge,un=null;let w=L.ori==0?J:D,x=L.ori==1?J:D;if(xe<0||Ye==0||h){f=V.idx=null;for(let k=0;k<E.length;k++){let S=yt[k];
S!=null&&Jt(S,-10,-10,J,D)}Kn&&Wt(null,ls,!0,a==null&&Re.setSeries),ee.live&&(me.fill(f),xt=!0)}else{let k,S,$;r==1&&(k=
L.ori==0?xe:Te,S=Ut(k,O),f=V.idx=Nt(S,t[0],qe,je),$=z(t[0][f],L,w,0));let A=-10,H=-10,B=0,ue=0,ae=!0,te="",I="";for(let F=r==
2?1:0;F<E.length;F++){let ke=E[F],Pe=me[F],Ge=Pe==null?null:r==1?t[F][Pe]:t[F][1][Pe],he=V.dataIdx(s,F,f,S),$e=he==null?
null:r==1?t[F][he]:t[F][1][he];if(xt=xt||$e!=Ge||he!=Pe,me[F]=he,F>0&&ke.show){let dt=he==null?-10:he==f?$:z(r==1?t[0][he]:
t[F][0][he],L,w,0),nt=$e==null?-10:G($e,r==1?_[ke.scale]:_[ke.facets[1].scale],x,0);if(Kn&&$e!=null){let kt=L.ori==1?xe:
Te,$t=Fe(jt.dist(s,F,he,nt,kt));if($t<Xt){let It=jt.bias;if(It!=0){let pt=Ut(kt,ke.scale),St=$e>=0?1:-1,At=pt>=0?1:-1;At==
St&&(At==1?It==1?$e>=pt:$e<=pt:It==1?$e<=pt:$e>=pt)&&(Xt=$t,un=F)}else Xt=$t,un=F}}if(xt||Yn){let kt,$t;L.ori==0?(kt=dt,
$t=nt):(kt=nt,$t=dt);let It,pt,St,At,Gt,st,ft=!0,Cn=Ze.bbox;if(Cn!=null){ft=!1;let rt=Cn(s,F);St=rt.left,At=rt.top,It=rt.
width,pt=rt.height}else St=kt,At=$t,It=pt=Ze.size(s,F);if(st=Ze.fill(s,F),Gt=Ze.stroke(s,F),Yn)F==un&&Xt<=jt.prox&&(A=St,
H=At,B=It,ue=pt,ae=ft,te=st,I=Gt);else{let rt=yt[F];rt!=null&&(Jn[F]=St,Qn[F]=At,Ho(rt,It,pt,ft),Ro(rt,st,Gt),Jt(rt,Mt(St),
Mt(At),J,D))}}}}if(Yn){let F=jt.prox,ke=_n==null?Xt<=F:Xt>F||un!=_n;if(xt||ke){let Pe=yt[0];Pe!=null&&(Jn[0]=A,Qn[0]=H,Ho(
Pe,B,ue,ae),Ro(Pe,te,I),Jt(Pe,Mt(A),Mt(H),J,D))}}}if(ye.show&&an)if(a!=null){let[k,S]=Re.scales,[$,A]=Re.match,[H,B]=a.cursor.
sync.scales,ue=a.cursor.drag;if(We=ue._x,Ue=ue._y,We||Ue){let{left:ae,top:te,width:I,height:F}=a.select,ke=a.scales[H].ori,
Pe=a.posToVal,Ge,he,$e,dt,nt,kt=k!=null&&$(k,H),$t=S!=null&&A(S,B);kt&&We?(ke==0?(Ge=ae,he=I):(Ge=te,he=F),$e=_[k],dt=z(
Pe(Ge,H),$e,w,0),nt=z(Pe(Ge+he,H),$e,w,0),_s(zt(dt,nt),Fe(nt-dt))):_s(0,w),$t&&Ue?(ke==1?(Ge=ae,he=I):(Ge=te,he=F),$e=_[S],
dt=G(Pe(Ge,B),$e,x,0),nt=G(Pe(Ge+he,B),$e,x,0),Ls(zt(dt,nt),Fe(nt-dt))):Ls(0,x)}else ii()}else{let k=Fe(Pl-Ll),S=Fe($l-Cl);
if(L.ori==1){let B=k;k=S,S=B}We=Je.x&&k>=Je.dist,Ue=Je.y&&S>=Je.dist;let $=Je.uni;$!=null?We&&Ue&&(We=k>=$,Ue=S>=$,!We&&
!Ue&&(S>k?Ue=!0:We=!0)):Je.x&&Je.y&&(We||Ue)&&(We=Ue=!0);let A,H;We&&(L.ori==0?(A=ss,H=xe):(A=rs,H=Te),_s(zt(A,H),Fe(H-A)),
Ue||Ls(0,x)),Ue&&(L.ori==1?(A=ss,H=xe):(A=rs,H=Te),Ls(zt(A,H),Fe(H-A)),We||_s(0,w)),!We&&!Ue&&(_s(0,0),Ls(0,0))}if(Je._x=
We,Je._y=Ue,a==null){if(p){if(Ul!=null){let[k,S]=Re.scales;Re.values[0]=k!=null?Ut(L.ori==0?xe:Te,k):null,Re.values[1]=S!=
null?Ut(L.ori==1?xe:Te,S):null}Ps(Si,s,xe,Te,J,D,f)}if(Kn){let k=p&&Re.setSeries,S=jt.prox;_n==null?Xt<=S&&Wt(un,ls,!0,k):
Xt>S?Wt(null,ls,!0,k):un!=_n&&Wt(un,ls,!0,k)}}xt&&(ee.idx=f,ni()),u!==!1&&Ie("setCursor")}let dn=null;Object.defineProperty(
s,"rect",{get(){return dn==null&&Cs(!1),dn}});function Cs(a=!1){a?dn=null:(dn=P.getBoundingClientRect(),Ie("syncRect",dn))}
function Dl(a,u,p,f,h,w,x){V._lock||an&&a!=null&&a.movementX==0&&a.movementY==0||(si(a,u,p,f,h,w,x,!1,a!=null),a!=null?Ln(
null,!0,!0):Ln(u,!0,!1))}function si(a,u,p,f,h,w,x,k,S){if(dn==null&&Cs(!1),Mn(a),a!=null)p=a.clientX-dn.left,f=a.clientY-
dn.top;else{if(p<0||f<0){xe=-10,Te=-10;return}let[$,A]=Re.scales,H=u.cursor.sync,[B,ue]=H.values,[ae,te]=H.scales,[I,F]=Re.
match,ke=u.axes[0].side%2==1,Pe=L.ori==0?J:D,Ge=L.ori==1?J:D,he=ke?w:h,$e=ke?h:w,dt=ke?f:p,nt=ke?p:f;if(ae!=null?p=I($,ae)?
c(B,_[$],Pe,0):-10:p=Pe*(dt/he),te!=null?f=F(A,te)?c(ue,_[A],Ge,0):-10:f=Ge*(nt/$e),L.ori==1){let kt=p;p=f,f=kt}}S&&(u==
null||u.cursor.event.type==Si)&&((p<=1||p>=J-1)&&(p=On(p,J)),(f<=1||f>=D-1)&&(f=On(f,D))),k?(Ll=p,Cl=f,[ss,rs]=V.move(s,
p,f)):(xe=p,Te=f)}let ri={width:0,height:0,left:0,top:0};function ii(){sr(ri,!1)}let Hl,Ol,Nl,zl;function Vl(a,u,p,f,h,w,x){
an=!0,We=Ue=Je._x=Je._y=!1,si(a,u,p,f,h,w,x,!0,!1),a!=null&&(tt(Ei,Ci,Fl,!1),Ps(To,s,ss,rs,J,D,null));let{left:k,top:S,width:$,
height:A}=ye;Hl=k,Ol=S,Nl=$,zl=A}function Fl(a,u,p,f,h,w,x){an=Je._x=Je._y=!1,si(a,u,p,f,h,w,x,!1,!0);let{left:k,top:S,width:$,
height:A}=ye,H=$>0||A>0,B=Hl!=k||Ol!=S||Nl!=$||zl!=A;if(H&&B&&sr(ye),Je.setScale&&H&&B){let ue=k,ae=$,te=S,I=A;if(L.ori==
1&&(ue=S,ae=A,te=k,I=$),We&&cn(O,Ut(ue,O),Ut(ue+ae,O)),Ue)for(let F in _){let ke=_[F];F!=O&&ke.from==null&&ke.min!=ge&&cn(
F,Ut(te+I,F),Ut(te,F))}ii()}else V.lock&&(V._lock=!V._lock,Ln(u,!0,a!=null));a!=null&&(In(Ei,Ci),Ps(Ei,s,xe,Te,J,D,null))}
function Mu(a,u,p,f,h,w,x){if(V._lock)return;Mn(a);let k=an;if(an){let S=!0,$=!0,A=10,H,B;L.ori==0?(H=We,B=Ue):(H=Ue,B=We),
H&&B&&(S=xe<=A||xe>=J-A,$=Te<=A||Te>=D-A),H&&S&&(xe=xe<ss?0:J),B&&$&&(Te=Te<rs?0:D),Ln(null,!0,!0),an=!1}xe=-10,Te=-10,me.
fill(null),Ln(null,!0,!0),k&&(an=k)}function ql(a,u,p,f,h,w,x){V._lock||(Mn(a),qr(),ii(),a!=null&&Ps(Co,s,xe,Te,J,D,null))}
function jl(){W.forEach(of),Fr(s.width,s.height,!0)}Vn(wr,ps,jl);let os={};os.mousedown=Vl,os.mousemove=Dl,os.mouseup=Fl,
os.dblclick=ql,os.setSeries=(a,u,p,f)=>{let h=Re.match[2];p=h(s,u,p),p!=-1&&Wt(p,f,!0,!1)},et&&(tt(To,P,Vl),tt(Si,P,Dl),
tt(_o,P,a=>{Mn(a),Cs(!1)}),tt(Lo,P,Mu),tt(Co,P,ql),Ni.add(s),s.syncRect=Cs);let rr=s.hooks=e.hooks||{};function Ie(a,u,p){
Zr?Ts.push([a,u,p]):a in rr&&rr[a].forEach(f=>{f.call(null,s,u,p)})}(e.plugins||[]).forEach(a=>{for(let u in a.hooks)rr[u]=
(rr[u]||[]).concat(a.hooks[u])});let Wl=(a,u,p)=>p,Re=He({key:null,setSeries:!1,filters:{pub:Fo,sub:Fo},scales:[O,E[1]?E[1].
scale:null],match:[qo,qo,Wl],values:[null,null]},V.sync);Re.match.length==2&&Re.match.push(Wl),V.sync=Re;let Ul=Re.key,li=Na(
Ul);function Ps(a,u,p,f,h,w,x){Re.filters.pub(a,u,p,f,h,w,x)&&li.pub(a,u,p,f,h,w,x)}li.sub(s);function Tu(a,u,p,f,h,w,x){
Re.filters.sub(a,u,p,f,h,w,x)&&os[a](null,u,p,f,h,w,x)}s.pub=Tu;function _u(){li.unsub(s),Ni.delete(s),xn.clear(),Ai(wr,
ps,jl),m.remove(),pe?.remove(),Ie("destroy")}s.destroy=_u;function oi(){Ie("init",e,t),xl(t||e.data,!1),j[O]?Xr(O,j[O]):
qr(),Qs=ye.show&&(ye.width>0||ye.height>0),En=xt=!0,Fr(e.width,e.height)}return E.forEach(wl),W.forEach(iu),n?n instanceof
HTMLElement?(n.appendChild(m),oi()):n(s,oi):oi(),s}Ke.assign=He;Ke.fmtNum=Ui;Ke.rangeNum=vr;Ke.rangeLog=kr;Ke.rangeAsinh=
ji;Ke.orient=qn;Ke.pxRatio=de;Ke.join=Qd;Ke.fmtDate=Gi,Ke.tzDate=ap;Ke.sync=Na;{Ke.addGap=Up,Ke.clipGaps=Mr;let e=Ke.paths=
{points:Wa};e.linear=Ia,e.stepped=Bp,e.bars=Kp,e.spline=Jp}var Ya=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"response length",names:["train/response_tokens"],unit:"tokens per episode"},{title:"\
tool errors",names:["agent/tool_error_rate"],unit:"of the calls",share:!0},{title:"loss",names:["train/loss"]},{title:"l\
earning rate",names:["train/learning_rate"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"nats per token"},{title:"\
entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_tokens","train/prompt_tokens"],
unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed, truncated, masked",names:[
"train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"s",names:["train/rollout_s\
econds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"speed",names:["train/tokens_pe\
r_second"],unit:"trained tokens/s"},{title:"log-probability gap",names:["train/logprob_gap"],unit:"nats, maximum"},{title:"\
groups with equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Cr(e){let t=new Set(e);return Ya.
map(s=>({...s,names:s.names.filter(r=>t.has(r))})).filter(s=>s.names.length>0)}function Ja(e){let t=new Set(Ya.flatMap(s=>s.
names)),n=new Map;for(let s of e.filter(r=>!t.has(r)).sort()){let r=af(s);n.set(r,[...n.get(r)??[],s])}return n}function af(e){
let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}/${t[1]}`:t.length>1?t[0]:"other"}
function Xi(e,t,n){if(t.names.some(i=>i.startsWith("validation/"))&&t.names.length>1)return e.startsWith("validation/")?
"held-out":"training";let r=n.get(e)?.label??(t.names.length===1?e:e.replace(/^[^/]*\//,"").replaceAll("_"," "));return t.
names.length===1?r:r.replace(/ seconds$/,"")}function Qa(e,t){let n=e.names.flatMap(r=>t.get(r)??[]);return n.length===0?
"":e.names.some(r=>r.startsWith("validation/"))||n.length===1?n[0].meaning:n.map(r=>`${Xi(r.name,e,t)}: ${r.meaning}`).join(
"; ")}function Za(e,t){let[n,s]=[0,0];return e.map(r=>r==null?r:(n=t*n+(1-t)*r,s=t*s+(1-t),n/s))}function Xa(e){let t=Object.
keys(e).sort(),n=new Map;for(let o of t)for(let[c,d]of e[o])n.has(c)||n.set(c,new Map),d!==null&&n.get(c).set(o,d);let s=o=>`\
"${o.replace(/^(?=[=+\-@\t\r])/,"'").replaceAll('"','""')}"`,r=[...n].sort((o,c)=>o[0]-c[0]),i=([o,c])=>[o,...t.map(d=>c.
get(d)??"")];return[["step",...t.map(s)],...r.map(i)].map(o=>o.join(",")+`\r
`).join("")}function ec(e,t){let n=e.filter(i=>i[1]!==null).map(i=>i[0]),s=n.at(-1);if(s===void 0||t===void 0)return;let r=Math.
max(1,...n.slice(1).map((i,o)=>i-n[o]));return t-s>=r?s:void 0}var sc={stages:[],checkpoints:[],marks:[]},tc=170,xs=["--s1","--s2","--s3","--s4","--s5","--s6"],ys=class{constructor(t,n,s,r,i={
smoothing:0,log:!1}){this.options=t;this.lines=n;this.ground=s;this.signal=r;this.drawing=i;C(this.element,l("h3",null,t.
title,t.unit?l("span",{class:"dim"}," "+t.unit):null),t.about?l("p",{class:"about dim",title:t.about},t.about):null,this.
place,this.legend),this.data=nc(n),this.values(null);let o=new ResizeObserver(()=>this.fit());o.observe(this.place),r.addEventListener(
"abort",()=>{o.disconnect(),this.plot?.destroy()},{once:!0}),xo(()=>this.make(),r)}options;lines;ground;signal;drawing;element=l(
"figure",{class:"chart"});plot;place=l("div",{class:"plot"});legend=l("figcaption",null);data=[[]];zoomed=!1;update(t,n){
let s=t.length===this.lines.length&&t.every((r,i)=>r.label===this.lines[i].label);this.lines=t,this.ground=n,this.data=nc(
t),s&&this.plot?this.plot.setData(this.drawn(),!this.zoomed):this.make(),this.values(null)}redraw(){this.make(),this.values(
null)}drawn(){let[t,...n]=this.data,s=this.drawing.log?n.map(r=>[...r].map(i=>i&&i>0?i:null)):n;return this.drawing.smoothing===
0?[t,...s]:[t,...s.map(r=>Za([...r],this.drawing.smoothing)),...s]}fit(){let t=this.place.clientWidth;t===0||this.signal.
aborted||(this.plot?this.plot.setSize({width:t,height:tc}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.
signal.aborted)return;this.plot?.destroy(),this.place.replaceChildren(),this.zoomed=!1;let n=this.data[0].length<40,s={stroke:Yt(
"--dim"),grid:{stroke:Yt("--grid"),width:1},ticks:{stroke:Yt("--grid"),width:1},font:"11px system-ui, sans-serif"};this.
plot=new Ke({width:t,height:tc,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},
drag:{x:!0,y:!1},...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1,range:(r,i,o)=>this.
reach(r,i,o)},y:{distr:this.drawing.log?3:1,range:(r,i,o)=>this.range(i,o)}},axes:[{...s,size:26,incrs:[1,2,5,10,20,50,100,
200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},{...s,size:pf,values:(r,i)=>i.map(o=>this.text(o))}],series:[{},...this.lines.map(
(r,i)=>({label:r.label,stroke:Yt(xs[i%xs.length]),width:1.5,spanGaps:!0,points:{show:n,size:4}})),...(this.drawing.smoothing===
0?[]:this.lines).map((r,i)=>({label:r.label,stroke:Yt(xs[i%xs.length])+"55",width:1,spanGaps:!0,points:{show:!1}}))],hooks:{
drawClear:[r=>cf(r,this.ground)],draw:[r=>df(r,this.ground)],setScale:[(r,i)=>{i==="x"&&(r.over.dataset.steps=`${r.scales.
x.min} ${r.scales.x.max}`)}],setSelect:[r=>{this.zoomed||=r.select.width>0}],setCursor:[r=>this.values(r.cursor.idx??null)]}},
this.drawn(),this.place),this.plot.over.addEventListener("dblclick",()=>{this.zoomed=!1}),this.plot.over.addEventListener(
"click",()=>this.click())}reach(t,n,s){let r=t.data[0],i=n===r[0]&&s===r.at(-1),o=this.ground.last;return i&&o!==void 0&&
o>0?[Math.min(0,n),Math.max(o,s)]:[n,s]}range(t,n){if(this.drawing.log)return t===null||n===null?[.1,1]:Ke.rangeLog(t,n,
10,!1);if(this.options.share&&(n??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)return[0,1];let s=(n-t)*.06||Math.
abs(n)*.1||1;return[t>=0&&t-s<0?0:t-s,n+s]}text(t){return this.options.share?Qe(t).replace(/\.0 %$/," %"):y(t,3)}click(){
let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;let n=this.data[0][t];n!==void 0&&this.options.open(n)}values(t){
let n=this.data[0],s=t!==null&&t<n.length?t:null;C(this.legend,l("span",{class:"dim"},s!==null?`step ${y(n[s])}`:"last"),
this.lines.map((r,i)=>{let o=[...this.data[i+1]??[]],c=s!==null?o[s]:o.findLast(m=>m!=null),d=s===null?ec(r.points,this.
ground.last):void 0;return l("span",{class:"key"},l("i",{class:"swatch",vars:{"--swatch":`var(${xs[i%xs.length]})`}}),r.
label===this.options.title?null:r.label+" ",l("b",null,this.exactly(c)),this.drawing.log&&o.some(m=>typeof m=="number"&&
m<=0)?l("span",{class:"dim"}," (log: only values above 0)"):null,d===void 0?null:l("span",{class:"dim"},` at step ${y(d)}`))}))}exactly(t){
return this.options.share?Qe(t):y(t)}};function cf(e,t){let{ctx:n,bbox:s}=e;n.save(),n.font=`${11*devicePixelRatio}px sy\
stem-ui, sans-serif`,t.stages.forEach((r,i)=>{let o=Math.max(s.left,e.valToPos(r.first_step-.5,"x",!0)),c=r.last_step??1/0,
d=Number.isFinite(c)?e.valToPos(c+.5,"x",!0):s.left+s.width,m=Math.min(s.left+s.width,d);m<=o||(i%2===1&&(n.fillStyle=Yt(
"--band"),n.fillRect(o,s.top,m-o,s.height)),t.stages.length>1&&m-o>40*devicePixelRatio&&(n.fillStyle=Yt("--dim"),n.beginPath(),
n.save(),n.rect(o,0,m-o-6*devicePixelRatio,s.top),n.clip(),n.fillText(Dt(r.name.slice(0,40)),o,s.top-4*devicePixelRatio),
n.restore()))}),n.restore()}var uf={kill:"--bad",resume:"--s1",take_up:"--s1",plugin_restart:"--warn"};function df(e,t){
let{ctx:n,bbox:s}=e,r=o=>o>=s.left&&o<=s.left+s.width;n.save();for(let o of t.marks){let c=uf[o.kind];if(o.step===void 0||
!c)continue;let d=e.valToPos(o.step+.5,"x",!0);r(d)&&(n.strokeStyle=Yt(c),n.lineWidth=devicePixelRatio,n.setLineDash([3*
devicePixelRatio,3*devicePixelRatio]),n.beginPath(),n.moveTo(d,s.top),n.lineTo(d,s.top+s.height),n.stroke())}n.setLineDash(
[]);let i=s.top+s.height;for(let o of t.checkpoints){let c=e.valToPos(o.step,"x",!0);r(c)&&(n.fillStyle=Yt(o.best?"--s2":
"--dim"),n.beginPath(),n.moveTo(c,i-(o.best?9:6)*devicePixelRatio),n.lineTo(c-3.5*devicePixelRatio,i),n.lineTo(c+3.5*devicePixelRatio,
i),n.fill())}n.restore()}function nc(e){let t=[...new Set(e.flatMap(r=>r.points.map(i=>i[0])))].sort((r,i)=>r-i),n=new Map(
t.map((r,i)=>[r,i])),s=e.map(r=>{let i=new Array(t.length).fill(void 0);for(let[o,c]of r.points)i[n.get(o)]=c;return i});
return[t,...s]}function pf(e,t){return Math.max(52,12+7*Math.max(0,...(t??[]).map(n=>n.length)))}var ic=6;async function lc(e){let t=[...new Set(e.query.getAll("run"))].slice(0,ic);e.title({text:"compare "+t.join(", ")});
let n=(await ar(e.signal)).runs,s=l("div",null),r=l("div",null);if(C(e.root,l("div",{class:"bar"},l("h1",null,"Compare"),
ff(t,n)),mf(t,n),s,r),t.length<2){C(s,l("p",{class:"empty"},"Select a second run."));return}await Promise.all([ve(e,r,async()=>{
let[i,...o]=t,c=[];for(let d of o)c.push(bf(await ro(i,d,e.signal),i,d));return c}),ve(e,s,()=>hf(e,t))])}function ff(e,t){
let n=t.filter(r=>!e.includes(r.name)),s=l("select",{"aria-label":"add a run","data-filter":!0},l("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(r=>l("option",{value:r.name},r.name)));return s.disabled=e.length>=ic||n.length===0,
s.addEventListener("change",()=>{s.value!==""&&(location.hash=U(["compare"],{run:[...e,s.value]}))}),s}function mf(e,t){
return l("div",{class:"sides"},e.map((n,s)=>{let r=t.find(i=>i.name===n);return l("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${s+1})`}},l("h2",null,l("i",{class:"swatch"}),l("a",{href:Rn(n)},n)," ",r?Hs(r):null,l("a",{class:"qui\
et",title:"remove this run",href:U(["compare"],{run:e.filter(i=>i!==n)})},"\xD7")),r?fn([["step",y(r.step)],["held-out s\
uccess",Os(r)],["adapter",r.adapter],["spec",r.spec]]):l("p",null,"No run with this name in this directory."))}))}async function hf(e,t){
let n=await Promise.all(t.map(g=>An(g,e.signal))),s=n.map(g=>new Set(g.metrics??[])),r=[...new Set(n.flatMap(g=>g.metrics??
[]))],i=r.filter(g=>s.every(b=>b.has(g))),o=r.filter(g=>!s.every(b=>b.has(g))),c=Cr(r).flatMap(g=>g.names),d=g=>{let b=l(
"div",null);return ve(e,b,async()=>l("div",{class:"grid"},await gf(e,t,g))),b},m=i.filter(g=>!c.includes(g)).sort().slice(
0,60);return[d(c),m.length>0?_e(`${ie(m.length,"other metric")} of all runs`,()=>d(m)):null,o.filter(g=>!c.includes(g)).
length>0?_e("metrics of some runs only",()=>d(o.filter(g=>!c.includes(g)).sort().slice(0,60))):null]}async function gf(e,t,n){
if(n.length===0)return[];let s=await Promise.all(t.map(r=>$s(r,n,void 0,e.signal)));return n.map(r=>new ys({title:r,sync:"\
compare",share:r.endsWith("success_rate")},t.map((i,o)=>({label:i,points:s[o].series[r]??[]})),sc,e.signal).element)}function bf(e,t,n){
let s=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],r=new Set(
e.unrecorded??[]),i=s.filter(([o,c])=>(c??[]).length===0&&!r.has(o)).map(([o])=>o);return le(`Differences between ${t} a\
nd ${n}`,e.same_digest?l("p",null,"Their newest checkpoints are identical."):null,i.length>0?l("p",null,`Equal in both: ${i.
join(", ")}.`):null,r.size>0?l("p",{class:"dim"},`Not compared, because a run of an earlier version does not record it: ${[
...r].join(", ")}.`):null,s.filter(([,o])=>(o??[]).length>0).map(([o,c])=>[l("h3",null,o),Le([{title:"",half:!0,cell:d=>l(
"code",null,d.path)},{title:t,half:!0,cell:d=>rc(d.a)},{title:n,half:!0,cell:d=>rc(d.b)}],c.slice(0,300))]))}function rc(e){
if(e===void 0)return l("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return l("span",{class:"\
value"},t.length>300?t.slice(0,300)+" \u2026":t)}async function oc(e,t,n){let s=[];for(let r of t){let i=await cs(e,r,n).catch(()=>null);i&&s.push(i)}return wf(s)}function wf(e){
let t=[Pr(e,s=>s.failure?.detail&&`\u201C${cc(s.failure.detail)}\u201D`),Pr(e,s=>s.limit?.words),Pr(e,s=>vf(s)),Pr(e,s=>xf(
s))].filter(s=>s!==null);if(t.length===0)return null;let n=t.map(s=>s.of===e.length?s.words:`${s.words} (${y(s.of)} of t\
hem)`);return`In a sample of ${y(e.length)}: ${n.join("; ")}.`}function Pr(e,t){let n=new Map;for(let i of e){let o=t(i);
o&&n.set(o,(n.get(o)??0)+1)}let[s,r]=[...n].sort((i,o)=>o[1]-i[1])[0]??["",0];return 2*r>e.length?{words:s,of:r}:null}function ac(e){
return(e.transcripts??[]).flatMap(t=>t.messages)}function vf(e){let[t]=ac(e).flatMap(n=>n.malformed??[]);return t&&`\u201C${cc(
t.reason)}\u201D`}function xf(e){let t=ac(e),n=new Set(t.map(r=>r.tool_call_id)),s=t.flatMap(r=>r.tool_calls??[]).find(r=>!n.
has(r.id));return s&&`the call of ${s.name} has no result`}function cc(e){return e.length>160?e.slice(0,160)+"\u2026":e}var yf=.7,kf=1;function dc(e,t,n){let s=t.findings??[],r=el(n),i=t.not_checked??[];return s.length+r.length+i.length===0?
null:le("Findings",s.length===0?l("p",{class:"dim"},"No rule has found anything wrong. Rules do not see all faults: read\
 some episodes."):null,s.map(o=>Ef(e,t,o)),r.length===0?null:l("ul",{class:"findings"},r.map(o=>_f(e,t,o))),i.length===0?
null:_e(`Not checked: ${ie(i.length,"rule")}`,()=>Sf(i)))}function Sf(e){let t=n=>[...n.needs??[],...n.any?[n.any.join("\
 or ")]:[]].join(", ");return[l("p",{class:"dim"},"The trainer or the spec does not provide the metrics that these rules\
 need. ",e.some(n=>n.id.startsWith("scan_"))?["For those about conversations, add ",l("code",null,'scan "rules" {}')," t\
o the train block."]:null),Le([{title:"rule",cell:n=>l("code",null,n.id)},{title:"what it finds",cell:n=>n.title},{title:"\
needs",wide:!0,cell:n=>l("code",null,t(n))}],e)]}function Ef(e,t,n){let s=n.severity==="error",r=c=>l("a",{href:Be(t.name,
c)},y(c)),i=Mf(n),o=(n.episodes??[]).map((c,d)=>[" ",l("a",{href:ze(t.name,c,n.messages?.[d]),title:c},`example ${d+1}`)]);
return l("article",{class:"finding item"+(s?" severe":"")},l("header",null,l("span",{class:"badge "+(s?"bad":"warn")},n.
severity),l("b",null,n.summary),l("span",{class:"dim"},n.first_step===n.last_step?["step ",r(n.first_step)]:["steps ",r(
n.first_step)," to ",r(n.last_step)],(t.stages??[]).length>1?`, ${n.stage}`:"")),(n.causes??[]).length===0?null:[l("p",{
class:"dim"},"Likely causes:"),l("ul",null,n.causes.map(c=>l("li",null,c)))],l("p",null,l("b",null,"Remedy: "),n.remedy),
o.length===0?null:Tf(e,t,n),l("p",{class:"more"},o.length===0?null:["Episodes:",o],i?[" ",l("a",{href:U(["run",t.name,"e\
pisodes"],i)},"all such episodes")]:null," ",nn(`awhost docs ${n.docs}`)))}function Mf(e){let t="train";switch(e.id){case"\
failures":return e.subject?{split:t,class:e.subject}:{split:t,outcome:"FAILED"};case"cut":return{split:t,outcome:"TRUNCA\
TED"};case"malformed_calls":return{split:t,malformed_min:"1"}}return null}function Tf(e,t,n){let s=l("div",{class:"dim",
"aria-live":"polite"});return oc(t.name,n.episodes,e.signal).then(r=>{r&&!e.signal.aborted&&C(s,r)}),s}function _f(e,t,n){
let s=l("div",{class:"dim","aria-live":"polite"});n.look&&ur(t.name,e.signal).then(i=>{let o=Lf(i.settings);o&&!e.signal.
aborted&&C(s,o)},()=>{});let r=U(["run",t.name,"episodes"],n.query);return l("li",{class:"item",data:{href:r}},l("b",null,
n.words)," ",n.advice," ",l("a",{href:r},"Show episodes"),s)}function Lf(e){let t=e.filter(s=>s.path.startsWith("environ\
ment.")&&(s.path.endsWith(".ground_truth")&&s.value===!0||JSON.stringify(s.value).includes("task.private")));return t.length===
0?null:`The spec gives the private part of tasks to the environment: ${t.slice(0,5).map(s=>`${s.path} = ${JSON.stringify(
s.value)}`).join("; ")}.`}function el(e){return[...Cf(e),...$f(e)]}function Cf(e){let t=e.map(n=>n.success).filter(n=>typeof n==
"number");return t.length<2||t.some(n=>n!==1)?[]:[{words:"All tasks are solved from the first step on.",advice:"Check wh\
ether a tool or the prompt contains the answer.",query:{split:"train"},look:!0}]}var Pf={model:"messages of the policy",
tool:"the environment",reward:"rewards",siblings:"waiting for other samples of the group",host:"awhost"};function $f(e){
let t=new Map;for(let o of e)for(let[c,d]of Object.entries(o.parts??{}))c!=="queue"&&t.set(c,(t.get(c)??0)+d);let n=uc([
...t.values()]),[s,r]=[...t].sort((o,c)=>c[1]-o[1])[0]??["",0],i=r/Math.max(1,uc(e.map(o=>o.episodes)));return n===0||r<
yf*n||s==="model"||i<kf?[]:[{words:`${Qe(r/n)} of the episodes' time went into ${Pf[s]??s}`,advice:`(${De(i)} per episod\
e).`,query:{split:"train",sort:"-seconds"}}]}function uc(e){return e.reduce((t,n)=>t+(n??0),0)}var pc=25;async function mc(e,t){e.title({text:t});let n=await An(t,e.signal),s=l("div",null),r=l("div",null),i=l("div",
null),o=new nl(e,n),c=new sl(e,n),d=l("div",null),m=l("div",null),g=l("div",null),b=T=>{C(s,Hf(T)),C(g,Of(T)),C(d,Wf(T),
jf(T),Uf(T),Kf(T),Yf(T)),document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",T.status)};b(n);let v=n.
played?l("p",{class:"dim"},Rf):[o.element,c.element];if(C(e.root,s,m,g,i,r,v,d,If(e,n),Nf(e,t)),e.key("e","all episodes",
()=>{location.hash=U(["run",t,"episodes"])}),e.key("a","all tasks",()=>{location.hash=U(["run",t,"tasks"])}),e.key("v","\
validations",()=>{location.hash=U(["run",t,"validations"])}),e.key("s","the newest step",()=>{location.hash=Be(t,Math.max(
0,n.step))}),n.played||(o.load(),c.load(),fc(e,n,m)),!n.live)return;tl(e,t,r,i);let M=setInterval(()=>document.hidden||void tl(
e,t,r,i),Af);e.signal.addEventListener("abort",()=>clearInterval(M)),e.onLive(t,T=>{P(T)});let P=async T=>{let R=new Set(
T.map(E=>E.kind)),N=await An(t,e.signal).catch(()=>null);!N||e.signal.aborted||(Object.assign(n,N),b(N),!n.played&&(R.has(
"step")||R.has("state"))&&(o.refresh(N,R.has("state")),c.refresh(N),fc(e,N,m)),tl(e,t,r,i))}}var Af=2e3,Rf="Tasks of awh\
ost debug. Nothing is trained, so the run has no curves, steps, or checkpoints.",Df=50;async function fc(e,t,n){let s=await As(
t.name,Math.max(0,t.step-Df+1),Math.max(0,t.step),e.signal).catch(()=>null);if(e.signal.aborted)return;let r=s?.steps??[],
i=JSON.stringify([t.findings,t.not_checked,el(r)]);n.dataset.drawn!==i&&(n.dataset.drawn=i,C(n,dc(e,t,r)))}function Hf(e){
let t=[e.step>=0?`${y(e.step)}${e.steps?` of ${y(e.steps)}`:""}`:"none"];return[l("div",{class:"bar"},l("h1",null,e.name),
Hs(e),l("span",{class:"grow"}),l("a",{class:"button",href:U(["run",e.name,"episodes"])},"Episodes"),l("a",{class:"button",
href:U(["run",e.name,"tasks"])},"Tasks"),l("a",{class:"button",href:U(["run",e.name,"validations"])},"Validations"),l("a",
{class:"button",href:U(["compare"],{run:[e.name]})},"Compare")),fn([["step",e.played?null:t],["stage",e.stage],["held-ou\
t success",e.played?null:Os(e)],["episodes",e.episodes===void 0?null:y(e.episodes)],["adapter",e.adapter],["train",e.train],
["dataset",e.played?.dataset],["policy",e.played?.policy],["spec",e.spec],["machine",e.machine],["started",Dn(e.started)],
["duration",e.live||e.ended?fr(e.started,e.live?void 0:e.ended):null],["disk",Ht(e.disk_bytes)],["digest",e.digest?l("co\
de",null,e.digest.slice(0,19)):null]]),zf(e)]}function Of(e){return[e.problem||e.reason?l("p",{class:"warning"},e.problem??
e.reason):null,(e.warnings??[]).map(t=>l("p",{class:"warning",role:"status"},t))]}function Nf(e,t){return _e(l("b",null,
"Spec"),()=>{let n=l("div",null);return ve(e,n,async()=>{let s=(await ur(t,e.signal)).settings.map(c=>[c.path,JSON.stringify(
c.value)]),r=l("div",null),i=l("input",{type:"search",placeholder:"setting or value","aria-label":"filter settings"}),o=()=>{
let c=i.value.trim().toLowerCase(),d=s.filter(([m,g])=>`${m} = ${g}`.toLowerCase().includes(c));C(r,Le([{title:"setting",
cell:([m])=>l("code",null,m)},{title:"value, including defaults",wide:!0,cell:([,m])=>Ae(m,400)}],d.slice(0,500)),d.length>
500?l("p",{class:"dim"},`${ie(d.length-500,"more setting")}: refine the filter`):null)};return i.addEventListener("input",
o),o(),[i,r]}),n})}function zf(e){let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,s)=>s[1]-n[1]);return t.
length===0?null:l("p",{class:"chips"},l("span",{class:"dim"},"Failed: "),t.map(([n,s])=>l("a",{class:"chip bad",href:U([
"run",e.name,"episodes"],{class:n})},`${n.toLowerCase()} `,l("b",null,y(s)))))}var nl=class{constructor(t,n){this.view=t;
this.run=n}view;run;element=l("section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";drawing={
smoothing:0,log:!1};about=new Map;async load(){this.drawn=(this.run.metrics??[]).join(`
`),this.about=new Map((this.run.about??[]).map(s=>[s.name,s]));let t=Cr(this.run.metrics??[]),n=l("div",{class:"grid"});
await ve(this.view,this.element,async()=>(await this.fetch(t.flatMap(s=>s.names)),C(n,t.map(s=>this.chart(s))),t.length===
0?l("p",{class:"empty"},"No curves: no step has ended."):[this.controls(),n,[...Ja(this.run.metrics??[])].map(([s,r])=>this.
part(s,r))]))}controls(){let t=()=>this.charts.forEach(({chart:o})=>o.redraw()),n=l("select",{"aria-label":"smoothing"},
[0,.6,.9,.97].map(o=>l("option",{value:o},o===0?"no smoothing":`smoothing ${o}`)));n.value=String(this.drawing.smoothing),
n.addEventListener("change",()=>{this.drawing.smoothing=Number(n.value),t()});let s=l("input",{type:"checkbox",checked:this.
drawing.log});s.addEventListener("change",()=>{this.drawing.log=s.checked,t()});let r=l("span",{class:"bad",role:"status"}),
i=()=>$s(this.run.name,[],void 0,this.view.signal).then(({series:o})=>Vf(`${this.run.name}.csv`,Xa(o)),o=>C(r,o instanceof
Error?o.message:String(o)));return l("div",{class:"bar controls"},n,l("label",null,s," log scale"),l("button",{onclick:t,
title:"drag over steps of a curve to zoom"},"Reset zoom"),l("button",{onclick:()=>{i()}},"Download CSV"),r)}part(t,n){let s=[
l("b",null,t),l("span",{class:"dim"},` ${ie(n.length,"metric")}`)];return _e(s,()=>{let r=l("div",null),i=24,o=c=>ve(this.
view,r,async()=>{let d=n.slice(c,c+i);return await this.fetch(d),[l("div",{class:"grid"},d.map(m=>this.chart(this.alone(
m)))),n.length>i?l("div",{class:"pager"},l("button",{disabled:c===0,onclick:()=>{o(c-i)}},"\u2190"),l("span",null,`${c+1}\
 to ${c+d.length} of ${n.length}`),l("button",{disabled:c+i>=n.length,onclick:()=>{o(c+i)}},"\u2192")):null]});return o(
0),r})}alone(t){let n=this.about.get(t);return{title:n?.label??t,names:[t],unit:n?.unit,share:n?.unit==="fraction"}}chart(t){
let n=new ys({title:t.title,about:Qa(t,this.about),unit:t.unit,share:t.share,sync:"run",open:s=>{location.hash=Be(this.run.
name,s)}},this.lines(t),this.ground(),this.view.signal,this.drawing);return this.charts.push({of:t,chart:n}),n.element}lines(t){
return t.names.map(n=>({label:Xi(n,t,this.about),points:this.points.get(n)??[]}))}ground(){return{stages:this.run.stages??
[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??[],last:this.run.step}}async fetch(t,n){if(t.length===0)return;
let{series:s}=await $s(this.run.name,t,n,this.view.signal);for(let[r,i]of Object.entries(s)){let o=n===void 0?[]:(this.points.
get(r)??[]).filter(c=>c[0]<=n);this.points.set(r,[...o,...i])}}async refresh(t,n){if(this.run=t,this.drawn===""||this.charts.
length===0&&(t.metrics??[]).length>0)return this.load();let s=[...new Set(this.charts.flatMap(i=>i.of.names))],r=Math.max(
-1,...s.flatMap(i=>(this.points.get(i)??[]).slice(-1).map(o=>o[0])));try{await this.fetch(s,n||r<1?void 0:r-1)}catch{return}
for(let{of:i,chart:o}of this.charts)o.update(this.lines(i),this.ground())}};function Vf(e,t){let n=document.createElement(
"a");n.href=URL.createObjectURL(new Blob([t],{type:"text/csv"})),n.download=e,n.click(),setTimeout(()=>URL.revokeObjectURL(
n.href),6e4)}var sl=class{constructor(t,n){this.view=t;this.run=n;this.element.append(this.place)}view;run;element=le("S\
teps");place=l("div",null);top;load(){return ve(this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.
top===void 0&&!this.place.contains(document.activeElement)){let n=await this.draw().catch(()=>null);n&&!this.view.signal.
aborted&&C(this.place,n)}}async draw(){let t=this.top??this.run.step,n=Math.max(0,t-pc+1),{steps:s}=await As(this.run.name,
n,Math.max(0,t),this.view.signal);if(s.length===0)return l("p",{class:"empty"},"No steps: none has ended.");let r=i=>{let o=t+
i*pc;this.top=o>=this.run.step?void 0:o,this.load()};return[Ff(this.run.name,[...s].sort((i,o)=>o.step-i.step)),n>0||this.
top!==void 0?l("div",{class:"pager"},l("button",{disabled:this.top===void 0,onclick:()=>r(1)},"\u2190 Newer"),l("span",null,
`steps ${n} to ${t}`),l("button",{disabled:n===0,onclick:()=>r(-1)},"Older \u2192")):null]}};function Ff(e,t){let n=[...new Set(
t.flatMap(s=>Object.keys(s.seconds??{})))];return Le([{title:"step",right:!0,cell:s=>l("a",{href:Be(e,s.step)},y(s.step))},
{title:"stage",cell:s=>s.stage??"\u2013"},{title:"episodes",right:!0,cell:s=>y(s.episodes)},{title:"reward",right:!0,cell:s=>y(
s.reward)},{title:"success",right:!0,cell:s=>Qe(s.success)},{title:"failed",right:!0,cell:s=>$r(s.failed)},{title:"trunc\
ated",right:!0,cell:s=>$r(s.truncated)},...n.map(s=>({title:s.replaceAll("_"," "),right:!0,cell:r=>De(r.seconds?.[s])})),
{title:"",wide:!0,cell:()=>""}],t,s=>Be(e,s.step))}function $r(e){return e?l("span",{class:"bad"},y(e)):y(e)}var qf={start:"\
started",resume:"resumed",kill:"killed",end:"ended",take_up:"trainer reattached",stage:"stage",plugin_restart:"plugin re\
started"};function jf(e){let t=[...e.marks??[]].sort((r,i)=>i.time.localeCompare(r.time));if(t.length===0)return null;let n=r=>Le(
[{title:"time",cell:i=>Dn(i.time)},{title:"step",right:!0,cell:i=>y(i.step)},{title:"what",cell:i=>l("span",{class:"badg\
e "+(i.kind==="kill"?"bad":"")},qf[i.kind]??i.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:i=>i.text}],r),s=10;return le(
"Events",n(t.slice(0,s)),t.length>s?_e(`${ie(Math.min(t.length,500)-s,"earlier entry").replace("entrys","entries")}`,()=>n(
t.slice(s,500))):null)}function Wf(e){let t=[...e.tools??[]].sort((n,s)=>s.errors-n.errors||s.calls-n.calls);return t.length===
0&&!e.malformed?null:le("Tools",t.length===0?null:Le([{title:"tool",cell:n=>l("code",{class:"short",title:n.name},n.name)},
{title:"calls",right:!0,cell:n=>y(n.calls)},{title:"errors",right:!0,cell:n=>$r(n.errors)},{title:"error share",right:!0,
cell:n=>n.calls>0?Qe(n.errors/n.calls):"\u2013"},{title:"per call",right:!0,cell:n=>n.seconds?De(n.seconds/n.calls):"\u2013"},
{title:"",wide:!0,cell:()=>""}],t),e.malformed?l("p",null,l("b",null,ie(e.malformed,"malformed call"))," could not be pa\
rsed, so that their tools are unknown. ",l("a",{href:U(["run",e.name,"episodes"],{split:"train",malformed_min:"1"})},"Sh\
ow episodes")):null)}function Uf(e){return(e.plugins??[]).length===0?null:le("Plugins",Le([{title:"address",cell:t=>l("c\
ode",null,t.address)},{title:"plugin",cell:t=>`${t.name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(
t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>$r(t.restarts)},{title:"CPU",right:!0,cell:Gf},{title:"memory",right:!0,
cell:t=>Ht(t.rss_bytes)},...e.plugins.some(t=>t.gpus)?[{title:"GPU memory",right:!0,cell:t=>Bf(t)}]:[],{title:"last outp\
ut",wide:!0,cell:t=>t.last_words?l("div",{class:"words"},Ae(t.last_words,400)):""}],e.plugins))}function If(e,t){return t.
played||(t.plugins??[]).length===0?null:le("Logs",t.plugins.map(n=>_e(l("code",null,n.address),()=>{let s=l("div",null),
r=()=>{ve(e,s,async()=>{let{text:i,cut:o}=await to(t.name,n.address,e.signal);return[l("button",{onclick:r},"Refresh"),o?
l("p",{class:"dim"},"The last 64 KiB. All: ",nn(`awhost logs ${t.name} --plugin ${n.address}`)):null,l("div",{class:"log"},
Ae(i,i.length))]})};return r(),s})))}function Gf(e){return e.cpu_percent===void 0?De(e.cpu_seconds):[De(e.cpu_seconds),l(
"span",{class:"dim"},` ${Math.round(e.cpu_percent)} %`)]}function Bf(e){return(e.gpus??[]).map(t=>l("div",null,l("span",
{class:"dim"},`${t.index}: `),Ht(t.bytes)))}function Kf(e){return(e.gpus??[]).length===0?null:le("GPUs",Le([{title:"",right:!0,
cell:t=>String(t.index)},{title:"name",cell:t=>t.name??"\u2013"},{title:"memory",cell:t=>[`${Ht(t.used_bytes)} of ${Ht(t.
total_bytes)}`,t.total_bytes?l("progress",{value:t.used_bytes??0,max:t.total_bytes,"aria-hidden":"true"}):null]},{title:"",
wide:!0,cell:()=>""}],e.gpus))}function Yf(e){let t=[...e.checkpoints??[]].sort((n,s)=>s.step-n.step).slice(0,200);return t.
length===0?null:le("Checkpoints",Le([{title:"step",right:!0,cell:n=>l("a",{href:Be(e.name,n.step)},y(n.step))},{title:"",
cell:n=>n.best?l("span",{class:"badge good"},"best"):""},{title:"path",wide:!0,cell:n=>n.path?nn(n.path):""}],t))}function Jf(e){
let{phase_done:t=0,phase_total:n=0,phase_seconds:s=0}=e;if(!e.live||!e.phase||n===0)return"";let r=e.phase.charAt(0).toUpperCase()+
e.phase.slice(1).replaceAll("_"," "),i=t>0?`, about ${De(s*(n-t)/t)} left`:"";return`${r}: ${y(t)} of ${y(n)}${i}`}async function tl(e,t,n,s){
let r=await no(t,e.signal).catch(()=>null);if(e.signal.aborted)return;let i=r?Jf(r):"";if(C(s,i===""?null:l("p",{class:"\
dim"},l("progress",{value:r.phase_done??0,max:r.phase_total,"aria-label":i}),` ${i}`)),!r||!r.live)return C(n);if(r.waits.
length===0)return C(n);let o=r.waits[0];C(n,_e([l("b",null,"Waits: "),Qf(o),r.waits.length>1?`, and ${r.waits.length-1} \
more`:""],()=>Le([{title:"who",cell:c=>c.episodes?ie(c.episodes,"episode"):"the "+c.who},{title:"waits for",cell:c=>[c.for,
" ",c.address??"",c.call?`, ${c.call}`:""]},{title:"since",right:!0,cell:c=>De(c.seconds)},{title:"longest",cell:c=>c.episode?
l("a",{href:ze(t,c.episode)},c.episode):""},{title:"",wide:!0,cell:c=>c.detail??""}],r.waits),n.querySelector("details")?.
open??!1))}function Qf(e){return`${e.episodes?`${ie(e.episodes,"episode")} wait`:`the ${e.who} waits`} for ${e.for}${e.address?
` of ${e.address}`:""}, ${De(e.seconds)}`}var Vt=e=>({text:e,href:Rn(e)});function Tt(e){let t=e.filter(r=>typeof r=="number"&&Number.isFinite(r)),n=Math.min(0,...t),s=Math.max(1,...t);if(n<0){let r=Math.
max(-n,Math.max(0,...t));return{low:-r,high:r}}return{low:0,high:s}}function Ar(e){return{low:-e,high:e}}function _t(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let s=n.high-
n.low,r=s===0?.5:Math.min(1,Math.max(0,(t-n.low)/s));return e.classList.add(r<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(r-.5)*200)}%`),e}function bn(e,t,n,s=!1){let r=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",i=l("a",
{class:"cell"+(s?" here":""),href:ze(e,t.id),title:Zf(t),"aria-current":s?"true":void 0},r?Xe(t.outcome):t.reward===null||
t.reward===void 0?"none":y(t.reward,3),t.success===!0?l("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?l("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?l("span",{class:"cut","aria-label":"\
malformed calls"},"\u2260"):null);return _t(i,t.outcome==="FAILED"?null:t.reward,n)}function Zf(e){let t=e.success===!0?
", solved":e.success===!1?", not solved":"",n=e.class?` (${Xe(e.class)})`:"",s=e.malformed?`, ${ie(e.malformed,"malforme\
d call")}`:"";return`${e.id}: ${Xe(e.outcome)}${n}, reward ${y(e.reward)}${t}${s}`}function jn(e){let t=e.outcome==="SCO\
RED"&&!e.malformed,n=e.outcome==="FAILED"?"bad":t?"good":"warn";return l("span",{class:"badge "+n},e.outcome?Xe(e.outcome):
"given up",e.class?`: ${Xe(e.class)}`:"",e.malformed?`, ${ie(e.malformed,"malformed call")}`:"")}function hc(e,t){return _t(
l("span",{class:"cell small"},y(e.reward,3)),e.reward,t)}var wc=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],Xf=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function vc(e){let t={};for(let n of wc){
let s=e.get(n);s&&(t[n]=s)}return t}function Us(e){return wc.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function xc(e,t,n){
let s=d=>t.get(d)??"",r=(d,m={})=>[...new Set([...Object.keys(m),s(d)])].filter(g=>g!=="").map(g=>[g,`${Xe(g)} (${y(m[g]??
0)})`]),i=["member","task","group","turns_min","turns_max","malformed_min"].some(d=>s(d)!==""),o=l("form",{class:"filter",
role:"search"},Rr("q","text",s("q"),{"data-filter":!0,placeholder:"text in the conversation",type:"search"}),rl("outcome",
s("outcome"),[["","any outcome"],...r("outcome",n.outcomes)]),rl("class",s("class"),[["","any failure"],...r("class",n.failures)]),
rl("sort",s("sort"),Xf),bc("reward",s),l("details",{class:"more",open:i},l("summary",null,"more"),l("div",{class:"filter"},
bc("turns",s),em("malformed","malformed calls",s),Rr("task","task",s("task")),Rr("group","group",s("group")),Rr("member",
"member",s("member")))),l("button",null,"Filter"),Us(t)?l("a",{class:"button quiet",href:U(e,gc(t))},"Clear"):null),c=()=>{
let d=gc(t);for(let[m,g]of new FormData(o))typeof g=="string"&&g.trim()!==""&&(d[m]=g.trim());location.hash=U(e,d)};return o.
addEventListener("submit",d=>{d.preventDefault(),c()}),o.addEventListener("change",d=>{d.target instanceof HTMLSelectElement&&
c()}),o}function gc(e){let t={};for(let n of["split","layout","expected"]){let s=e.get(n);s&&(t[n]=s)}return t}function Rr(e,t,n,s={}){
return l("label",null,l("span",null,t),l("input",{name:e,value:n,type:"text",autocomplete:"off",...s}))}function em(e,t,n){
let s={name:`${e}_min`,value:n(`${e}_min`),type:"number",min:0,placeholder:"from"};return l("label",{class:"range"},l("s\
pan",null,t),l("input",s))}function bc(e,t){let n=(s,r)=>l("input",{name:`${e}_${s}`,value:t(`${e}_${s}`),type:"number",
step:"any",placeholder:r,"aria-label":`${e} ${r}`});return l("label",{class:"range"},l("span",null,e),n("min","from"),n(
"max","to"))}function rl(e,t,n){let s=l("select",{name:e,"aria-label":e},n.map(([r,i])=>l("option",{value:r},i)));return s.
value=t,s}function Is(e,t){let n=new Map;for(let s of e){let r=t(s),i=n.get(r);i?i.push(s):n.set(r,[s])}return n}var Dr=20;function tm(e){let t=[...new Set(e)].sort((o,c)=>o-c);if(t.length===0)return[];if(t.length<=Dr/2)return t.map(
o=>({from:o,to:o,count:e.filter(c=>c===o).length}));let[n,s]=[t[0],t.at(-1)],r=(s-n)/Dr,i=Array.from({length:Dr},(o,c)=>({
from:n+c*r,to:n+(c+1)*r,count:0}));for(let o of e)i[Math.min(Dr-1,Math.floor((o-n)/r))].count++;return i}function kc(e,t,n){
let s=t.filter(r=>typeof r.reward=="number");return s.length<2?null:le("Distribution",l("p",{class:"dim"},`${ie(s.length,
"episode")} with a reward`,n>t.length?`, among the first ${y(t.length)} of ${y(n)}`:""),l("div",{class:"grid"},yc("rewar\
d",s.map(r=>r.reward)),yc("length, in sampled tokens",s.map(r=>r.tokens??0)),nm(e,s)))}function yc(e,t){let n=tm(t),s=Math.
max(...n.map(c=>c.count)),r=c=>c.from===c.to?y(c.from,3):`${y(c.from,3)} to ${y(c.to,3)}`,i=l("figcaption",null),o=c=>C(
i,c?[l("b",null,r(c)),ie(c.count,"episode")]:Sc(n[0].from,n.at(-1).to));return o(void 0),l("figure",{class:"chart"},l("h\
3",null,e),l("div",{class:"histogram",role:"img","aria-label":n.map(c=>`${r(c)}: ${c.count}`).join("; ")},n.map(c=>{let d=l(
"span",{title:`${r(c)}: ${ie(c.count,"episode")}`});return d.append(l("i",{vars:{"--share":String(c.count/s)}})),d.addEventListener(
"mouseenter",()=>o(c)),d.addEventListener("mouseleave",()=>o(void 0)),d})),i)}function Sc(e,t){return[l("span",null,y(e,
3)),l("span",{class:"grow"}),l("span",null,y(t,3))]}function nm(e,t){let n=t.map(c=>c.tokens??0),s=t.map(c=>c.reward),r=c=>{
let[d,m]=[Math.min(...c),Math.max(...c)];return g=>m>d?(g-d)/(m-d):.5},[i,o]=[r(n),r(s)];return l("figure",{class:"chart"},
l("h3",null,"reward against length"),l("div",{class:"scatter"},t.map(c=>l("a",{href:ze(e,c.id),title:`reward ${y(c.reward)}\
, ${ie(c.tokens??0,"token")}`,vars:{"--x":String(i(c.tokens??0)),"--y":String(o(c.reward))}}))),l("figcaption",null,Sc(Math.
min(...n),Math.max(...n)),l("span",{class:"dim"},`tokens; reward ${y(Math.min(...s),3)} to ${y(Math.max(...s),3)}`)))}var sm=100;async function ll(e,t,n){let s=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(Vt(t),{text:n===void 0?
"episodes":`step ${n}`});let r=await An(t,e.signal),i=new il(e,r,n,s);C(e.root,rm(e,r,n,s),n===void 0?null:im(e,t,n),tn===
void 0?xc(s,e.query,r):null,n===void 0||Us(e.query)?null:am(e,t,n),i.element,n===void 0||Us(e.query)?null:om(e,t,n)),await i.
load(),r.live&&e.onLive(t,o=>i.hear(o.some(c=>n===void 0||c.step===n)))}function rm(e,t,n,s){let r=e.query.get("split")??
"",i=Object.fromEntries([...e.query].filter(([m])=>m!=="cursor")),o=(m,g)=>l("a",{class:"tab"+(r===m?" here":""),"aria-c\
urrent":r===m?"true":void 0,href:U(s,{...i,split:m})},g),c=e.query.get("layout")??"",d=m=>{location.hash=Be(t.name,Math.
max(0,(n??0)+m),{split:r})};return n!==void 0&&(e.key("ArrowLeft","previous step",()=>d(-1)),e.key("ArrowRight","next st\
ep",()=>d(1))),l("div",{class:"bar"},l("h1",null,n===void 0?"Episodes":`Step ${y(n)}`),n===void 0?null:l("span",{class:"\
turn"},l("button",{disabled:n===0,title:"previous step (\u2190)","aria-label":"previous step",onclick:()=>d(-1)},"\u2190"),
l("button",{title:"next step (\u2192)","aria-label":"next step",onclick:()=>d(1)},"\u2192")),t.played?null:l("span",{class:"\
tabs"},o("","All"),o("train","Training"),o("validation","Held-out")),n===void 0?null:l("span",{class:"tabs"},l("a",{class:"\
tab"+(c===""?" here":""),href:U(s,{...i,layout:""})},"Groups"),l("a",{class:"tab"+(c==="list"?" here":""),href:U(s,{...i,
layout:"list"})},"List")))}function im(e,t,n){let s=l("div",null);return ve(e,s,async()=>{let r=(await As(t,n,n,e.signal)).
steps.find(i=>i.step===n);return r?fn([["stage",r.stage],["episodes",y(r.episodes)],["reward",y(r.reward)],["success",Qe(
r.success)],["failed",y(r.failed)],["truncated",y(r.truncated)],...lm(r)]):l("p",{class:"dim"},"The step has not ended, \
or belongs to another run.")}),s}function lm(e){return Object.entries(e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),
De(n)])}function om(e,t,n){let s=l("div",null),r=e.query.get("split")||"train";return ve(e,s,async()=>{let i=await as(t,
{step:n,split:r,limit:1e3},e.signal);return kc(t,i.episodes,i.total??i.episodes.length)}),s}function am(e,t,n){let s=l("\
div",null),r=e.query.get("split")??void 0,i=c=>as(t,{step:n,split:r,sort:c,limit:3},e.signal);ve(e,s,async()=>{let[c,d]=await Promise.
all([i("-reward"),i("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(c).length===0||m(c)[0].reward===
m(d)[0].reward)return null;let g=Tt([...m(c),...m(d)].map(b=>b.reward));return l("div",{class:"extremes"},o("Best",m(c),
g),o("Worst",m(d),g))});let o=(c,d,m)=>le(c,d.map(g=>l("p",{class:"answer"},bn(t,g,m)," ",l("a",{href:ze(t,g.id),class:"\
quiet"},wn(g.answer)||"no answer"))));return s}var il=class{constructor(t,n,s,r){this.view=t;this.run=n;this.step=s;this.
path=r;this.element.append(this.news,this.place)}view;run;step;path;element=l("div",null);place=l("div",null);news=l("di\
v",null);load(){return C(this.news),ve(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?C(this.news,
l("p",{class:"news"},l("button",{onclick:()=>{this.load()}},"Show new episodes"))):this.load()}async draw(){let t=this.view.
query.get("cursor")??void 0,n=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),s=n?
{sort:"group"}:{},r=await as(this.run.name,{...vc(this.view.query),...s,step:this.step,limit:sm,cursor:t},this.view.signal);
if(r.episodes.length===0)return l("p",{class:"empty"},this.emptiness());let i=Tt(r.episodes.map(c=>c.reward)),o=r.total===
void 0?"":`${ie(r.total,"episode")}`;return[l("p",{class:"legend"},l("b",null,o),pm(i),this.asks(n)),this.strip(r.episodes,
i),n?this.groups(r.episodes,i):this.list(r.episodes,i),this.pager(r,t)]}emptiness(){return Us(this.view.query)?"No match\
ing episodes.":this.run.live?"No episodes yet. The list updates automatically.":"No episodes."}strip(t,n){if(this.step!==
void 0||!this.view.query.get("task"))return null;let s=Is([...t].sort((r,i)=>r.step-i.step),r=>r.step);return le("All ep\
isodes of this task",l("div",{class:"strip"},[...s].map(([r,i])=>l("div",null,l("a",{class:"dim",href:Be(this.run.name,r)},
`step ${r}`),i.map(o=>bn(this.run.name,o,n))))))}groups(t,n){let s=[...Is(t,r=>JSON.stringify([r.split,r.group])).values()].
sort(dm);return l("div",{class:"groups"},s.map(r=>{let i=r.toSorted((d,m)=>d.sample-m.sample),o=i[0],c=Ds(this.run.name,
o.group,o.step,o.split);return l("section",{class:"group item",data:{href:c}},l("div",{class:"of"},l("a",{href:c,title:"\
side by side"},o.split==="validation"?"held-out ":"",`group ${o.group}`),l("a",{class:"task",title:"all episodes of this\
 task",href:U(["run",this.run.name,"episodes"],{task:o.task})},o.task),l("span",{class:"dim"},fm(i))),l("div",{class:"ce\
lls"},i.map(d=>bn(this.run.name,d,n))))}))}list(t,n){let s=this.run.name;return Le([...this.step===void 0&&!this.run.played?
[{title:"step",right:!0,cell:r=>l("a",{href:Be(s,r.step)},y(r.step))}]:[],{title:"episode",cell:r=>l("a",{href:ze(s,r.id),
title:r.id},Gs(r))},{title:"reward",right:!0,cell:r=>hc(r,n)},{title:"success",cell:r=>r.success===!0?"solved":r.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:jn},{title:"task",cell:r=>l("a",{class:"short",href:U(["run",s,"episodes"],
{task:r.task})},r.task)},{title:"answer",wide:!0,cell:r=>l("div",{class:"short",title:r.answer},um(r))},...this.expected(),
{title:"turns",right:!0,cell:r=>y(r.turns)},{title:"tokens",right:!0,cell:r=>y(r.tokens)},{title:"duration",right:!0,cell:r=>De(
r.seconds)},{title:"attempt",right:!0,cell:r=>y(r.attempt)}],t,r=>ze(s,r.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,n=Promise.resolve();return[{title:"private part",cell:r=>{let i=JSON.stringify([r.split,r.task]),
o=t.get(i)??n.then(()=>cr(this.run.name,r.id,this.view.signal).then(cm),()=>"");t.set(i,o),n=o.catch(()=>{});let c=l("di\
v",{class:"private"},"\u2026");return o.then(d=>{c.title=Dt(d),C(c,wn(d))},d=>C(c,l("span",{class:"bad"},d instanceof Error?
d.message:""))),c}}]}asks(t){if(t||tn!==void 0)return null;let n=Object.fromEntries([...this.view.query]),s=!!n.expected;
return l("a",{class:"button quiet",href:U(this.path,{...n,expected:s?"":"1"})},s?"Hide private parts":"Show private part\
s (expected answers)")}pager(t,n){if(!t.next&&!n)return null;let s=Object.fromEntries([...this.view.query].filter(([i])=>i!==
"cursor")),r=()=>{t.next&&(location.hash=U(this.path,{...s,cursor:t.next}))};return this.view.key("n","next page",r),l("\
div",{class:"pager"},l("button",{disabled:!n,onclick:()=>{location.hash=U(this.path,s)}},"First page"),l("button",{disabled:!n,
onclick:()=>history.back()},"\u2190 Back"),l("button",{disabled:!t.next,onclick:r},"Next page \u2192"))}};function Gs(e){
return`${e.group}, sample ${y(e.sample)}`}function cm(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([n,s])=>`${n}: ${typeof s=="string"?s:JSON.stringify(s)}`).
join(", ")}function um(e){let t=e.answer??"",n=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&n?"\u2026 "+wn(
t.slice(-60)):wn(t)}function dm([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function pm(e){return l("span",{class:"ramp"},l("span",null,y(e.low)),l("i",null),l("span",null,y(e.high)),l("i",{class:"\
hatched"}),l("span",null,"no reward"))}function fm(e){let t=e.map(s=>s.reward).filter(s=>typeof s=="number");if(t.length===
0)return"no rewards";let n=t.reduce((s,r)=>s+r,0)/t.length;return t.length>1&&t.every(s=>s===t[0])?`all ${y(n,3)}: teach\
es nothing`:`mean ${y(n,3)}`}function wn(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var mm=200;function Bs(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),s=l("div",{class:"conversation"});
if(n.reduce((d,m)=>d+m.messages.length,0)===0)return C(s,l("p",{class:"empty"},"No messages.")),s;let i=hm(n),o=gm(e,i),
c=d=>{s.querySelector(":scope > button")?.remove();let m=Math.min(i.length,d+mm);Kt(s,bm(i.slice(d,m),t,o)),m<i.length?s.
append(l("button",{onclick:()=>c(m)},`Show more: ${ie(i.length-m,"message")} left`)):e.limit?.cut&&s.append(l("p",{class:"\
cuthere",title:Dt(e.limit.words)},"\u2702 cut here"))};return c(0),s}function hm(e){let t=[],n=new Map,s=0;for(let r of e){
let i=r.agent??"";for(let o of r.messages){let c=s++,d=JSON.stringify([i,o.tool_call_id]),m=o.role==="tool"?n.get(d):void 0;
if(m){m.results.set(o.tool_call_id,{message:o,index:c}),n.delete(d);continue}let g={member:i,depth:Math.max(0,r.depth??0),
message:o,index:c,results:new Map};for(let b of o.tool_calls??[])n.set(JSON.stringify([i,b.id]),g);t.push(g)}}return t}function gm(e,t){
let n=t.filter(r=>r.message.role==="assistant"),s=(e.transcripts?.length??1)===1&&n.length===e.episode.turns;return new Map(
s?n.map((r,i)=>[r,i+1]):[])}function Ec(e){if(e.querySelector("[data-turn]"))return t=>Tc(e,e.querySelector(`[data-turn=\
"${t}"]`))}function Mc(e,t){let n=()=>e.querySelector(`[data-message="${CSS.escape(t)}"]`);for(let r;!n()&&(r=e.querySelector(
":scope > button"));)r.click();let s=n();s instanceof HTMLDetailsElement&&(s.open=!0),Tc(e,s)}function Tc(e,t){for(let n of e.
querySelectorAll(".current"))n.classList.remove("current");t?.classList.add("current"),t?.scrollIntoView({block:"start"})}
function bm(e,t,n){let s=l("div",null),r=[{element:s,member:""}];for(let i of e){let o=i.member===""?0:i.depth+1;for(;r.
length>o+1||r.length===o+1&&o>0&&r.at(-1).member!==i.member;)r.pop();for(;r.length<=o;){let c=l("details",{class:"member",
open:!0},l("summary",null,i.member));r.at(-1).element.append(c),r.push({element:c,member:i.member})}r.at(-1).element.append(
wm(i,t,n.get(i)))}return[...s.childNodes]}function wm(e,t,n){let s=e.message,r=s.role||"unknown",i=(s.content??"").length;
return l("article",{class:`message item ${xm(r)}${s.is_error?" error":""}`,data:{message:String(e.index),...n?{turn:String(
n)}:{}}},l("header",null,l("b",null,r),l("span",{class:"dim",title:"number of the message"},String(e.index)),s.name?l("s\
pan",{class:"dim"},s.name):null,s.is_error?l("span",{class:"badge bad"},"error"):null,i>2e3?l("span",{class:"dim"},`${i.
toLocaleString("en")} characters`):null),s.reasoning?_e([l("b",null,"reasoning"),l("span",{class:"dim"}," "+ol(s.reasoning))],
()=>Ae(s.reasoning),!1,"thinks"):null,s.content?Ae(s.content,t):null,(s.images??[]).map(_c),(s.attachments??[]).map(o=>Cc(
o,s.content??"")),(s.tool_calls??[]).map(o=>km(o,e.results.get(o.id))),(s.malformed??[]).map(o=>l("div",{class:"malforme\
d"},l("span",{class:"badge warn"},"malformed call")," ",o.reason,(s.content??"").includes(o.text)?null:_e("text of the c\
all",()=>Ae(o.text)))),ym(s)?l("p",{class:"dim"},"(nothing)"):null)}var vm=new Set(["system","user","assistant","tool"]);
function xm(e){return vm.has(e)?e:"other"}function ym(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.attachments?.
length&&!e.tool_calls?.length&&!e.malformed?.length}function km(e,t){let n=t?.message,s=[l("span",{class:"arrow"},"\u2192"),
l("b",null,e.name||"(no name)"),l("span",{class:"dim oneline"},ol(e.arguments)),n?.is_error?l("span",{class:"badge bad"},
"error"):null,l("span",{class:n&&!n.is_error?"result oneline":"oneline bad"},n?"\u2190 "+ol(n.content??""):"no result")],
r=_e(s,()=>l("div",{class:"body"},l("h4",null,"arguments"),Ae(Sm(e.arguments)),l("h4",null,"result"),n?[n.content?Ae(n.content):
l("p",{class:"dim"},"(nothing)"),(n.images??[]).map(_c),(n.attachments??[]).map(i=>Cc(i,n.content??""))]:l("p",{class:"d\
im"},"The episode ended before the result.")),!1,n?.is_error?"call failed":"call");return t&&(r.dataset.message=String(t.
index)),r}function Sm(e){if(e.length>1e6)return e;try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function ol(e){
return Rs(e.slice(0,300).replace(/\s+/g," ").trim())}var Em=new Set(["image/png","image/jpeg","image/gif","image/webp"]),
Mm=8<<20;function _c(e){let t=["picture",e.mime_type,e.url,e.data?Ht(Math.floor(e.data.length*3/4)):""];return Lc(t.filter(
n=>n).join(", "),e.mime_type,e.data)}function Lc(e,t,n){return!n||!t||!Em.has(t)||n.length>Mm||!/^[A-Za-z0-9+/]+=*$/.test(
n)?l("p",{class:"attachment"},"+ "+e):_e("+ "+e,()=>{let s=document.createElement("img");return s.alt=Dt(e),s.src=`data:${t}\
;base64,${n}`,s},!1,"attachment")}function Cc(e,t){let n=[e.kind||"attachment",e.mime_type,e.name,e.uri,e.size?Ht(e.size):
"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:""].filter(r=>r).join(", ");if(e.data)return Lc(n,
e.mime_type,e.data);let s=e.json!==void 0?JSON.stringify(e.json,null,2):e.text??"";return s===""||s===t?l("p",{class:"at\
tachment"},"+ "+n):_e("+ "+n,()=>Ae(s),!1,"attachment")}function Hr(e){let t=e.reward,n=t?.total??e.episode.reward,s=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),r=Tt([n,...Object.values(t?.parts??{})]),i=e.episode.success;return l("div",{class:"reward"},l("p",
{class:"total"},_t(l("span",{class:"cell"},y(n)),n,r),i===!0?l("span",{class:"badge good"},"solved"):null,i===!1?l("span",
{class:"badge"},"not solved"):null,n==null?l("span",{class:"dim"},_m(e)):null),t?.expression?l("p",null,l("span",{class:"\
dim"},"expression "),l("code",{class:"expression"},t.expression)):null,s.length===0?null:Le([{title:"part",cell:o=>l("co\
de",null,o.replace(/^reward\./,""))},{title:"value",right:!0,cell:o=>Tm(t?.parts?.[o],r)},{title:t?.notes?"notes":"",wide:!0,
cell:o=>t?.notes?.[o]?Ae(t.notes[o],400):""}],s),(t?.own_rewards??[]).map(o=>l("p",null,l("code",null,`agent.${o.agent}`),
" reports ",y(o.reward),o.is_success===void 0?"":o.is_success?", solved":", not solved")),Lm(t?.turn_rewards??[]))}function Tm(e,t){
return e===void 0?"":_t(l("span",{class:"cell small"},y(e)),e,t)}function _m(e){return e.failure||e.episode.outcome==="F\
AILED"?"No reward: the episode failed.":"No reward."}function Lm(e){if(e.length===0)return null;let t=Tt(e.map(n=>n.reward));
return l("p",{class:"cells"},l("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>_t(l("span",{class:"cell small",title:n.
call_id},y(n.reward,3)),n.reward,t)))}var Cm=360,Pm=200;async function Pc(e,t,n){let s=Number(e.query.get("step")??0),r=e.query.get("split")??"train";e.title(
Vt(t),{text:`step ${s}`,href:Be(t,s)},{text:`group ${n}`});let o=(await as(t,{step:s,split:r,group:n,limit:Pm},e.signal)).
episodes.toSorted((T,R)=>T.sample-R.sample),c=o[0];if(!c){C(e.root,l("p",{class:"empty"},"This group has no episodes."));
return}let d=Tt(o.map(T=>T.reward)),m=l("div",{class:"beside"}),g=o.map(T=>bn(t,T,d)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/Cm))),M=()=>{let T=o.slice(b,b+v());g.forEach((R,N)=>R.classList.toggle(
"here",N>=b&&N<b+T.length)),C(m,T.map(R=>$m(e,t,R)))},P=T=>{b=Math.min(Math.max(0,o.length-v()),Math.max(0,b+T*v())),M()};
e.key("ArrowLeft","previous samples",()=>P(-1)),e.key("ArrowRight","next samples",()=>P(1)),C(e.root,l("div",{class:"bar"},
l("h1",null,`Group ${n}`),l("span",{class:"turn"},l("button",{title:"previous samples (\u2190)","aria-label":"previous s\
amples",onclick:()=>P(-1)},"\u2190"),l("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>P(
1)},"\u2192"))),l("p",null,"Task ",l("a",{href:U(["run",t,"episodes"],{task:c.task})},c.task)),l("div",{class:"cells"},g),
m),M()}function $m(e,t,n){let s=l("div",null);return ve(e,s,async()=>{let r=await cs(t,n.id,e.signal);return[Hr(r),Bs(r,
1200)]}),l("section",{class:"panel"},l("h2",null,l("a",{href:ze(t,n.id)},`sample ${y(n.sample)}`)," ",jn(n)),s)}function Rc(e){let t=e.some(n=>n.model);return Le([{title:"member",cell:n=>l("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>y(n.turns)},{title:"prompt tokens",right:!0,cell:n=>y(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>y(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>mn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${y(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var $c=200;
function Dc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?Ac(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),s=Is(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),r=[],i=new Set,o=(s.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;o.length>0;){let g=o.pop();if(i.has(g.call.call_id))continue;i.add(g.call.call_id),
r.push(g);let b=s.get(g.call.call_id)??[],v=b.length>1;for(let M of b.toReversed())o.push({call:M,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)i.has(g.call_id)||r.push({call:g,depth:0,branch:!1});let c=l("div",{class:"forest"}),d=g=>C(c,
r.slice(0,g).map(Am),r.length>g?l("button",{onclick:()=>d(g+$c)},`Show more: ${ie(r.length-g,"call")} left`):null);d($c);
let m=(s.get("")??[]).length;return[l("p",{class:"dim"},`${ie(t.length,"call")} in ${ie(m,"tree")}. A branch continues a\
n earlier answer. Untrained calls are marked.`),c,(e.chains??[]).length>0?Ac(e.chains):null]}function Am({call:e,depth:t,
branch:n}){let s=!e.parent,r=[l("span",{class:"twig"},s?"\u25CF":n?"\u251C":"\u2502"),l("code",null,e.call_id),e.agent?l(
"span",null,e.agent):null,e.auxiliary?l("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?l("span",
{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?l("span",{class:"dim"},Xe(e.finish)):null,l("span",{class:"\
dim"},`${y(e.prompt_tokens)} + ${y(e.output_tokens)} tokens`),l("span",{class:"oneline dim"},(e.text??"").slice(0,200))],
i=_e(r,()=>e.text?Ae(e.text):l("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" untrained":
""));return i.style.setProperty("--depth",String(Math.min(t,24))),i}function Ac(e){return _e([l("b",null,"chains"),l("sp\
an",{class:"dim"},` ${e.length}`)],()=>Le([{title:"chain",cell:t=>l("code",null,t.chain)},{title:"agent",cell:t=>t.agent??
""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>y(t.reward)},
{title:"digest",wide:!0,cell:t=>l("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var ks=1500,Rm=150,Dm=240,zc=(e,t)=>e?.[t]??null;function Or(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function vn(e,t,n){
let s=zc(e,n);return s===0&&Or(t,n)===0?null:s}function Vc(e,t){let[n,s]=[vn(e.logprobs,e,t),vn(e.trainer_logprobs,e,t)];
return n===null||s===null?null:s-n}var al=(e,t)=>e.reduce((n,s)=>Math.max(n,Math.abs(s)),t),Hc=e=>({low:-al(e,1),high:0}),
Oc=[{name:"mask",label:"trained",value:Or,scale:()=>Ar(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>vn(
e.logprobs,e,t),scale:Hc},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>vn(e.trainer_logprobs,e,t),scale:Hc},
{name:"gap",label:"gap",value:Vc,scale:e=>Ar(al(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>vn(e.advantages,
e,t),scale:e=>Ar(al(e,1e-6))}],Nc={trained:"The tokens of this episode are not recorded. Adapters report the tokens of s\
ome groups at the steps that tokens_every selects.",played:"The model of this episode returned no tokens. Served models \
return them if their block sets tokens."};function Fc(e,t=!1){if(!e||e.length===0)return l("p",{class:"dim"},t?Nc.played:
Nc.trained);let n=l("div",null),s=i=>C(n,new cl(e[i]).element);if(s(0),e.length===1)return n;let r=l("select",{"aria-lab\
el":"row"},e.slice(0,500).map((i,o)=>l("option",{value:String(o)},`row ${o+1} of ${e.length}${i.chain?`: ${i.chain}`:""}`)));
return r.addEventListener("change",()=>s(Number(r.value))),[r,n]}var cl=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",n=>this.point(n.target)),this.text.addEventListener("click",n=>this.point(n.target)),this.text.addEventListener(
"keydown",n=>{let s={ArrowRight:1,ArrowLeft:-1}[n.key];s!==void 0&&(n.preventDefault(),n.stopPropagation(),this.stand(this.
at<0?this.from:this.at+s))}),C(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=l("div",{class:"tokens"});measure=Oc[0];from=0;text=l("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=l("div",{class:"readout",role:"status"});tabs=l("div",{class:"tabs"});overview=l(
"div",{class:"overview","aria-hidden":"true"});pager=l("div",{class:"pager"});legend=l("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:n}=this,s=[],r=0;for(let d=0;d<this.length;d++){let m=n.value(t,d);m===
null?r++:s.push(m)}let i=n.scale(s);C(this.tabs,Oc.map(d=>l("button",{class:"tab"+(d===n?" here":""),"aria-pressed":d===
n?"true":"false",onclick:()=>{this.measure=d,this.draw()}},d.label))),C(this.legend,s.length===0?l("p",{class:"unknown"},
`${n.label}: unknown, because this framework does not report it.`):this.ramp(i,s,r));let o=Math.min(this.length,this.from+
ks),c=[];for(let d=this.from;d<o;d++)c.push(this.token(d,n.value(t,d),i));C(this.text,c),this.text.children.item(this.at-
this.from)?.classList.add("here"),this.drawOverview(i,o),this.drawPager(o)}drawOverview(t,n){if(this.length<Rm)return;let s=Math.
ceil(this.length/Dm),r=[];for(let i=0;i<this.length;i+=s){let o=this.extreme(i,Math.min(this.length,i+s)),c=l("i",{class:i<
n&&i+s>this.from?"shown":""});c.addEventListener("click",()=>this.stand(Math.max(o,i))),r.push(_t(c,o<0?null:this.measure.
value(this.row,o),t))}C(this.overview,r)}extreme(t,n){let[s,r]=[-1,-1];for(let i=t;i<n;i++){let o=this.measure.value(this.
row,i);o!==null&&Math.abs(o)>r&&([s,r]=[i,Math.abs(o)])}return s}ramp(t,n,s){if(this.measure.name==="mask"){let r=n.reduce(
(i,o)=>i+o,0);return l("p",{class:"ramp"},l("i",{class:"one high"}),`${y(r)} trained`,l("i",{class:"one plain"}),`${y(n.
length-r)} not trained`,s>0?[l("i",{class:"hatched"}),`${y(s)} unknown`]:null,this.cutWords())}return l("p",{class:"ramp"},
y(t.low,3),l("i",null),y(t.high,3),s>0?[l("i",{class:"hatched"}),`${y(s)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:l("span",{class:"badge warn"},`the first ${y(this.length)} of ${y(t)}\
 tokens`)}token(t,n,s){let r=this.row.text?.[t],i=l("span",{class:"token",data:{i:String(t)}},r==null?`\u27E8${this.row.
ids[t]}\u27E9`:Hm(r));return r?.includes(`
`)&&i.classList.add("ends"),t===this.row.prompt_length&&i.classList.add("first"),_t(i,n,s)}drawPager(t){let n=r=>{this.from=
Math.max(0,Math.min(r,this.length-1)),this.draw()},s=this.extreme(0,this.length);C(this.pager,l("button",{disabled:this.
from===0,onclick:()=>n(this.from-ks)},"\u2190"),l("span",null,`tokens ${y(this.from+1)} to ${y(t)} of ${y(this.length)}`),
l("button",{disabled:t>=this.length,onclick:()=>n(this.from+ks)},"\u2192"),l("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),s>=0&&this.measure.name!=="mask"?l("button",{onclick:()=>this.stand(s)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Or(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+ks)&&(this.from=Math.floor(t/ks)*ks,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,s=o=>o===null?l("span",
{class:"unknown"},yo):l("b",null,y(o)),r=t<0?null:Or(n,t),i=t<0?null:zc(n.turn_ids,t);C(this.readout,t<0?l("span",{class:"\
dim"},`${ie(this.length,"token")}: point at a token for its values`):[l("span",null,"token ",l("b",null,y(t))," ",l("cod\
e",null,Rs(n.text?.[t]??"")),l("span",{class:"dim"},` id ${n.ids[t]}`)),l("span",null,r===null?l("span",{class:"unknown"},
"trained: unknown"):r?"trained":"not trained"),i===null||i<0?null:l("span",null,"turn ",l("b",null,y(i+1))),l("span",null,
"sampler ",s(vn(n.logprobs,n,t))),l("span",null,"trainer ",s(vn(n.trainer_logprobs,n,t))),l("span",null,"gap ",s(Vc(n,t))),
l("span",null,"advantage ",s(vn(n.advantages,n,t)))])}};function Hm(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Rs(e)}var qc=150,Om=["queue","model","tool","reward","siblings","host"];function jc(e,t,n){if(e.length===0)return l("p",{class:"\
dim"},"No times recorded.");let s=Math.min(...e.slice(0,5e4).map(d=>d.start_ms)),r=Math.max(...e.slice(0,5e4).map(d=>d.start_ms+
d.ms)),i=Math.max(r-s,1e-9),o=l("div",{class:"waterfall"}),c=d=>C(o,e.slice(0,d).map(m=>zm(m,s,i,n)),e.length>d?l("butto\
n",{onclick:()=>c(d+qc)},`Show more: ${ie(e.length-d,"bar")} left`):null);return c(qc),[Nm(e),o,l("p",{class:"axis dim"},
l("span",null,"0"),l("span",null,mn(i))),t==="sums"?l("p",{class:"dim"},"Only total times are recorded, without their be\
ginnings."):null]}function ul(e){return Om.includes(e)?e:"other"}function Nm(e){let t=new Map;for(let r of e)t.set(r.part,
(t.get(r.part)??0)+r.ms);let n=[...t.values()].reduce((r,i)=>r+i,0)||1,s=[...t].sort((r,i)=>i[1]-r[1]);return l("div",null,
l("div",{class:"stack","aria-hidden":"true"},s.map(([r,i])=>l("i",{class:"part "+ul(r),vars:{"--share":`${100*i/n}%`}}))),
l("p",{class:"chips"},s.map(([r,i])=>l("span",{class:"key"},l("i",{class:"swatch part "+ul(r)}),`${r==="tool"?"environme\
nt":r} `,l("b",null,mn(i)),l("span",{class:"dim"},` ${Math.round(100*i/n)} %`)))))}function zm(e,t,n,s){let r=(e.turn?`t\
urn ${e.turn}: `:"")+(e.label||e.part),i=100*(e.start_ms-t)/n,o=Math.max(.3,100*e.ms/n);return l("div",{class:"wait",title:`${e.
part}: ${r}, ${mn(e.ms)} from ${mn(e.start_ms-t)}`},e.turn&&s?l("button",{class:"name quiet",onclick:()=>s(e.turn)},r):l(
"span",{class:"name"},r),l("span",{class:"lane"},l("i",{class:"part "+ul(e.part),vars:{"--left":`${Math.min(i,99.7)}%`,"\
--share":`${Math.min(o,100)}%`}})),l("span",{class:"ms"},mn(e.ms)))}async function Uc(e,t,n){e.title(Vt(t),{text:`episode ${n}`});let s=await cs(t,n,e.signal),r=s.episode,i=s.played?{text:"\
episodes",href:U(["run",t,"episodes"])}:{text:`step ${r.step}`,href:Be(t,r.step,{split:r.split})};e.title(Vt(t),i,{text:Gs(
r)});let o=s.siblings??[],c=Bs(s);qm(e,t,s),C(e.root,l("div",{class:"bar"},l("h1",{title:n},s.played?Gs(r):`Step ${y(r.step)}\
, ${Gs(r)}`),jn(r),l("span",{class:"grow"}),(s.commands??[]).map(m=>nn(m))),s.failure?l("div",{class:"trouble"},l("h2",null,
`Failed: ${Xe(s.failure.class)}`),Ae(s.failure.detail??"")):null,s.limit?Fm(s.limit):null,o.length>1?jm(t,s,o):null,l("d\
iv",{class:"episode"},l("div",null,le("Conversation",c),Ym(s),Bm(s),Km(s),Ic(le("Tokens",Fc(s.tokens?.rows,s.played!==void 0)))),
l("aside",null,le("Reward",Hr(s),Im(s)),Gm(s.madness??[]),Vm(t,s),Wm(t,s),le("Time",jc(s.times??[],s.times_are,Ec(c))),Jm(
s.attempts??[]),Wc("Environment's state",s.state),Wc("Metadata",s.metadata),tn===void 0?Qm(e,t,n):null)));let d=e.query.
get("message");d!==null&&Mc(c,d)}function Vm(e,t){if(!t.scan?.length)return null;let n=s=>l("p",null,l("span",{class:"ba\
dge warn"},s.rule)," ",l("a",{href:ze(e,t.episode.id,s.message)},`message ${s.message}`),s.quote?[" ",l("code",null,s.quote)]:
null);return le("Scan",t.scan.map(n))}function Fm(e){return l("div",{class:"trouble truncated"},l("h2",null,`Truncated: ${e.
name}${e.value?` = ${e.value}`:""}`),Ae(`${e.words[0]?.toUpperCase()??""}${e.words.slice(1)}.`))}function qm(e,t,n){let s=n.
siblings??[],r=s.findIndex(o=>o.id===n.episode.id),i=o=>{let c=s[r+o];c&&(location.hash=ze(t,c.id))};e.key("ArrowLeft","\
previous sample",()=>i(-1)),e.key("ArrowRight","next sample",()=>i(1)),e.key("b","the group side by side",()=>{location.
hash=Ds(t,n.episode.group,n.episode.step,n.episode.split)}),e.key("o","expand or collapse all calls",()=>{let o=[...document.
querySelectorAll(".conversation .message details")],c=!o.some(d=>d.open);for(let d of o)d.open=c}),e.key("c","copy the t\
erminal command for this episode",()=>{document.querySelector("main button.copy")?.click()})}function jm(e,t,n){let s=t.
episode,r=Tt(n.map(i=>i.reward));return l("div",{class:"siblings"},l("a",{href:Ds(e,s.group,s.step,s.split)},`group ${s.
group}`),l("div",{class:"cells"},n.slice(0,300).map(i=>bn(e,i,r,i.id===s.id))))}function Wm(e,t){let n=t.episode;return le(
"About",fn([["task",l("a",{href:U(["run",e,"episodes"],{task:n.task}),title:"all episodes of this task"},n.task)],...Um(
t),["turns",y(n.turns)],["tokens",y(n.tokens)],["duration",De(n.seconds)],["status",t.played||!n.standing?null:Xe(n.standing)]]))}
function Um(e){let t=e.episode;return e.played?[["dataset",e.played.dataset],["policy",e.played.policy],["try",y(t.sample+
1)],["environment's seed",e.seeds?.environment]]:[["split",t.split==="validation"?"held-out":"training"],["step",y(t.step)],
["sample",y(t.sample)]]}function Im(e){let t=[];return e.played?null:(e.use&&t.push(`In training: ${Xe(e.use)}.`),e.why&&
t.push(`Not trained: ${Xe(e.why)}.`),e.masked&&!e.use&&t.push("Masked: counts in its group and is not trained."),e.drop_group&&
t.push("Group dropped."),t.length>0?l("p",{class:"dim"},t.join(" ")):null)}function Gm(e){return e.length===0?null:le("F\
ailed checks",e.slice(0,100).map(t=>l("p",null,l("span",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}: ${Xe(
t.reason)} in its ${t.part}`,t.near?[", near ",l("code",null,t.near)]:null)))}function Bm(e){return(e.members??[]).length>
0?le("Members",Rc(e.members)):null}function Km(e){let t=Dc(e);return t===null?null:Ic(le("Calls of the program",t))}function Ic(e){
return e.classList.add("late"),e}function Ym(e){let t=e.own_steps??[];return t.length===0?null:le("Steps of the agent it\
self",t.slice(0,200).map((n,s)=>_e(`step ${s+1}`,()=>Bs({episode:e.episode,messages:n.messages}))))}function Jm(e){return e.
length<2&&!e.some(t=>t.class)?null:le("Attempts",e.slice(0,100).map(t=>l("div",{class:"attempt"},l("p",null,l("b",null,y(
t.attempt))," ",jn(t),l("span",{class:"dim"},t.started?` from ${Dn(t.started)}`:"",t.seconds===void 0?"":`, ${De(t.seconds)}`)),
t.detail?Ae(t.detail,600):null)))}function Wc(e,t){return t==null?null:le(e,_e("show",()=>Ae(JSON.stringify(t,null,2))))}
function Qm(e,t,n){return le("Private part of the task",_e("Show the private part, which can contain the answer",()=>{let s=l(
"div",null);return ve(e,s,async()=>{let r=await cr(t,n,e.signal);return Ae(JSON.stringify("private"in r?r.private:r,null,
2))}),s}))}var Gc=100,Zm=["split","solved","same_min","sort"];async function Bc(e,t){e.title(Vt(t),{text:"tasks"});let n=l("div",null);
C(e.root,l("div",{class:"bar"},l("h1",null,"Tasks")),Xm(e,t),n),await ve(e,n,()=>eh(e,t))}var pl=e=>["run",e,"tasks"];function dl(e){
return Object.fromEntries(Zm.flatMap(t=>e.query.get(t)?[[t,e.query.get(t)]]:[]))}function Xm(e,t){let n=o=>e.query.get(o)??
"",s=(o,c)=>{let d=l("select",{name:o,"aria-label":o},c.map(([m,g])=>l("option",{value:m},g)));return d.value=n(o),d},r=l(
"form",{class:"filter",role:"search"},s("split",[["","training and held-out"],["train","training"],["validation","held-o\
ut"]]),s("solved",[["","solved or not"],["never","never solved"],["always","always solved"]]),l("label",{class:"range"},
l("span",null,"same wrong answer, times"),l("input",{name:"same_min",value:n("same_min"),type:"number",min:0,placeholder:"\
from"})),l("button",null,"Filter")),i=()=>{let o=n("sort")?{sort:n("sort")}:{};for(let[c,d]of new FormData(r))typeof d==
"string"&&d.trim()!==""&&(o[c]=d.trim());location.hash=U(pl(t),o)};return r.addEventListener("submit",o=>{o.preventDefault(),
i()}),r.addEventListener("change",o=>{o.target instanceof HTMLSelectElement&&i()}),r}async function eh(e,t){let n=Number(
e.query.get("cursor")??0),s=await eo(t,{...dl(e),limit:Gc,cursor:n||void 0},e.signal);if(s.all===0)return l("p",{class:"\
empty"},"No tasks: no episode has ended.");let r=c=>{c!==void 0&&(location.hash=U(pl(t),{...dl(e),cursor:c}))};e.key("n",
"next page",()=>r(s.next));let i=e.query.get("split")??"",o=c=>U(["run",t,"episodes"],{task:c.task,split:i});return[l("p",
{class:"legend"},s.total===s.all?ie(s.all,"task"):`${y(s.total)} of ${ie(s.all,"task")}`),s.tasks.length===0?l("p",{class:"\
empty"},"No matching tasks."):Le(th(e,t,o),s.tasks,o),s.total>s.tasks.length?l("div",{class:"pager"},l("button",{disabled:n===
0,onclick:()=>r(String(Math.max(0,n-Gc)))},"\u2190"),l("span",null,`${y(n+1)} to ${y(n+s.tasks.length)} of ${y(s.total)}`),
l("button",{disabled:!s.next,onclick:()=>r(s.next)},"\u2192")):null]}function th(e,t,n){let s=e.query.get("sort")??"task",
r=(i,o)=>{let c=s===i?`-${i}`:i,d=s===i?" \u2191":s===`-${i}`?" \u2193":"";return l("a",{class:"quiet",href:U(pl(t),{...dl(
e),sort:c})},o+d)};return[{title:r("task","task"),cell:i=>l("a",{class:"short",title:i.task,href:n(i)},i.task)},{title:r(
"tries","tries"),right:!0,cell:i=>y(i.tries)},{title:r("solved","solved"),right:!0,cell:i=>i.judged>0?y(i.solved):"\u2013"},
{title:r("success","success"),right:!0,cell:i=>Qe(i.success)},{title:r("reward","reward"),right:!0,cell:i=>y(i.reward)},
{title:r("seconds","duration"),right:!0,cell:i=>De(i.seconds)},{title:r("same","same wrong answer"),right:!0,cell:i=>i.same_wrong>
1?`${i.same_wrong} \xD7`:"\u2013"},{title:"last answers",wide:!0,cell:i=>i.answers.map(o=>l("span",{class:"short"},wn(o)))}]}var nh=240;async function Yc(e,t){e.title(Vt(t),{text:"validations"});let n=l("div",null);C(e.root,l("div",{class:"bar"},
l("h1",null,"Validations"),sh(e)),n),await ve(e,n,()=>rh(e,t))}var Ks=()=>{};function sh(e){return e.key("ArrowLeft","pr\
evious validations",()=>Ks(-1)),e.key("ArrowRight","next validations",()=>Ks(1)),l("span",{class:"turn"},l("button",{title:"\
previous validations (\u2190)","aria-label":"previous validations",onclick:()=>Ks(-1)},"\u2190"),l("button",{title:"next\
 validations (\u2192)","aria-label":"next validations",onclick:()=>Ks(1)},"\u2192"))}async function rh(e,t){let n=e.query.
get("cursor")??void 0,s=await Xl(t,n,e.signal);if(s.tasks.length===0)return l("p",{class:"empty"},"This run has no valid\
ations.");let r=l("div",null),i=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/nh)),o=Math.max(0,s.
steps.length-i()),c=()=>C(r,ih(t,s,s.steps.slice(o,o+i())));Ks=g=>{o=Math.min(Math.max(0,s.steps.length-i()),Math.max(0,
o+g*i())),c()},c();let d=["run",t,"validations"],m=()=>{s.next&&(location.hash=U(d,{cursor:s.next}))};return e.key("n","\
next page",m),[r,s.next||n?l("div",{class:"pager"},l("button",{disabled:!n,onclick:()=>{location.hash=U(d)}},"First page"),
l("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),l("button",{disabled:!s.next,onclick:m},"Next page \u2192")):
null]}function ih(e,t,n){let s=Tt(t.tasks.flatMap(r=>r.episodes.map(i=>i.reward)));return l("div",{class:"scroll"},l("ta\
ble",{class:"answers"},l("thead",null,l("tr",null,l("th",null,"task"),n.map(r=>l("th",null,l("a",{href:Be(e,r,{split:"va\
lidation"})},`after step ${y(r)}`))))),l("tbody",null,t.tasks.map(r=>l("tr",{class:"item",data:{href:Kc(e,r.task)}},l("t\
h",null,l("a",{href:Kc(e,r.task)},r.task)),n.map(i=>l("td",null,r.episodes.filter(o=>o.step===i).map(o=>_t(l("a",{class:"\
cell answer",href:ze(e,o.id)},l("b",null,y(o.reward,3),o.success===!0?" \u2713":""),l("span",null,wn(o.answer)||"no answ\
er")),o.reward,s)))))))))}var Kc=(e,t)=>U(["run",e,"episodes"],{task:t,split:"validation"});var zr=l("main",{tabindex:"-1"}),hl=l("nav",{class:"crumbs","aria-label":"Breadcrumbs"}),ml=l("span",{class:"connection",
role:"status"}),fl=new AbortController;function lh(){vo(),Jc(),Kt(document.body,[l("header",null,l("a",{class:"home",href:U(
[])},"awhost"),hl,ml,l("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>hi()},"?"),l("button",{class:"\
quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:xi},"\u25D0")),zr]),mo(),pn("j","next item",()=>mi(
1)),pn("k","previous item",()=>mi(-1)),pn("Enter","expand or collapse the item",()=>ho()),pn("/","go to the filter",oh),
pn("u","go up one level",ah),pn("t","light or dark",xi),pn("?","show keys and symbols",()=>hi()),addEventListener("hashc\
hange",()=>{Jc(),Nr()}),Nr()}function Jc(){let e=vi(location.hash);e&&(or(e.token),history.replaceState(null,"",e.rest))}
function oh(){zr.querySelector("[data-filter]")?.focus()}function ah(){let e=hl.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??U([])}function Nr(){if(fl.abort(),fl=new AbortController,fo(),Qc("off"),!Yl()){dh();return}let{path:e,
query:t}=wi(tn!==void 0&&/^(#\/?)?$/.test(location.hash)?tn:location.hash),n=ch(t,fl.signal),s=n.root;C(zr,s),scrollTo(0,
0),uh(n,e).catch(r=>{n.signal.aborted||C(s,yi(r,Nr))})}function ch(e,t){return{root:l("div",{class:"view"}),signal:t,query:e,
key:(n,s,r)=>po(n,s,()=>{t.aborted||r()}),onLive:(n,s)=>{tn===void 0&&bo(n,t,s,r=>{t.aborted||Qc(r)})},title:(...n)=>{document.
title=[...n].reverse().map(s=>s.text).concat("awhost").join(" \xB7 "),C(hl,n.map(s=>[l("span",{class:"slash","aria-hidde\
n":"true"},"/"),s.href?l("a",{href:s.href},s.text):l("span",{"aria-current":"page"},s.text)]))}}}async function uh(e,t){
let[n,s,r,i]=t;if(n===void 0)return ko(e);if(n==="compare")return lc(e);if(n==="run"&&s!==void 0){if(r===void 0)return mc(
e,s);if(r==="step"&&/^\d+$/.test(i??""))return ll(e,s,Number(i));if(r==="episodes")return ll(e,s,void 0);if(r==="group"&&
i!==void 0)return Pc(e,s,i);if(r==="episode"&&i!==void 0)return Uc(e,s,i);if(r==="tasks")return Bc(e,s);if(r==="validati\
ons")return Yc(e,s)}e.title({text:"not found"}),C(e.root,l("section",{class:"trouble"},l("h2",null,"Page not found."),l(
"p",null,"The address is incomplete or belongs to another version of awhost. ",l("a",{href:U([])},"All runs"))))}function Qc(e){
ml.className="connection "+e,C(ml,{live:"live",lost:"no connection, retrying",off:""}[e])}function dh(){let e=l("input",
{type:"password","aria-label":"token",autocomplete:"off",size:40}),t=l("form",null,e,l("button",null,"Open"));t.addEventListener(
"submit",n=>{n.preventDefault();let s=e.value.trim();or(vi(s.slice(Math.max(0,s.indexOf("#"))))?.token??s),Nr()}),C(zr,l(
"section",{class:"trouble"},l("h2",null,"This page needs a token."),l("p",null,"Open the link that awhost ui prints, or \
paste the link or its token here. This browser keeps the token, which is valid until that command ends."),t)),e.focus()}
lh();})();
