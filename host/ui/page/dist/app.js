"use strict";(()=>{function Gl(e){let t=e.getElementById("awhost-data");return t?Mu(JSON.parse(t.textContent??"{}")):null}function Mu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(n,s={})=>_u(n,t.get(Tu(n)),s)}}function Tu(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function _u(e,t,n){if(t===void 0)return;let s=e.split("/");switch(s.length===
4?s[3]:""){case"episodes":return Lu(t.episodes,n);case"steps":{let{steps:r}=t;return{steps:r.filter(i=>i.step>=Number(n.
from)&&i.step<=Number(n.to))}}case"metrics":{let r=new Set([n.name??[]].flat().map(String)),{series:i}=t;return{series:Object.
fromEntries(Object.entries(i).filter(([o])=>r.size===0||r.has(o)))}}}return t}function Lu(e,t){let n=["step","split","gr\
oup","task","outcome","class"].filter(d=>t[d]!==void 0),s=e.filter(d=>n.every(m=>String(d[m]??"")===String(t[m]))),r=String(
t.sort??"order"),i=r.replace(/^-/,"");(i==="reward"||i==="turns"||i==="seconds")&&s.sort(Pu(i,r.startsWith("-")?-1:1));let o=Number(
t.cursor??0),u=r==="group"?s.length:o+Number(t.limit??100);return{episodes:s.slice(o,u),next:u<s.length?String(u):void 0,
total:s.length}}function Pu(e,t){return(n,s)=>{let[r,i]=[n[e],s[e]];return typeof r!="number"||typeof i!="number"?+(typeof i==
"number")-+(typeof r=="number"):t*(r-i)}}function ir(e,t){try{return e().getItem(t)}catch{return null}}function lr(e,t,n){try{e().setItem(t,n)}catch{}}var Bl="awhost-token",$n=Gl(document),Cn=$n?"":ai();function ai(){return ir(()=>localStorage,Bl)??""}function or(e){Cn=e,
lr(()=>localStorage,Bl,e)}function Cu(){let e=ai();return e===Cn?or(""):Cn=e,Cn!==""}function Kl(){return Cn||=$n?"":ai(),
Cn!==""||$n!==null}var tn=$n?.open,en=class extends Error{constructor(n,s,r){super(s);this.status=n;this.summary=s;this.
detail=r}status;summary;detail};function $u(e,t){let n=new URLSearchParams;for(let[r,i]of Object.entries(t??{}))for(let o of Array.
isArray(i)?i:[i])o!==void 0&&o!==""&&n.append(r,String(o));let s=n.toString();return s===""?e:`${e}?${s}`}async function Yl(e,t,n){
if($n)throw Jl();let s=await Il(e,t,n);if(s.status===401&&Cu()&&(s=await Il(e,t,n)),!s.ok)throw await Au(s);return s}async function Il(e,t,n){
try{return await fetch($u(e,t),{signal:n,headers:{Authorization:`Bearer ${Cn}`},cache:"no-store",credentials:"omit",redirect:"\
error"})}catch(s){throw n.aborted?s:new en(0,"No response from the server.","Start awhost ui, or the command with --ui, \
again, and open the link that it prints.")}}async function Au(e){let t=await e.json().catch(()=>null);return new en(e.status,
t?.error?.summary??`Server error ${e.status}.`,t?.error?.detail??"")}async function St(e,t,n){return $n?Ru(e,t):await(await Yl(
e,t,n)).json()}function Ru(e,t){let n=$n.answer(e,t);if(n!==void 0)return n;throw Jl()}function Jl(){return new en(404,"\
Not in this file.","To see the whole run, start awhost ui in its directory.")}var It=e=>`api/runs/${encodeURIComponent(e)}`,
Ql=(e,t)=>`${It(e)}/episodes/${encodeURIComponent(t)}`,ar=e=>St("api/runs",void 0,e),An=(e,t)=>St(It(e),void 0,t),$s=(e,t,n,s)=>St(
`${It(e)}/metrics`,{name:t,after:n},s),As=(e,t,n,s)=>St(`${It(e)}/steps`,{from:t,to:n},s),as=(e,t,n)=>St(`${It(e)}/episo\
des`,t,n),cs=(e,t,n)=>St(Ql(e,t),void 0,n),cr=(e,t,n)=>St(`${Ql(e,t)}/private`,void 0,n),Zl=(e,t,n)=>St(`${It(e)}/valida\
tions`,{cursor:t},n),Xl=(e,t,n)=>St(`${It(e)}/tasks`,t,n),ur=(e,t)=>St(`${It(e)}/spec`,void 0,t),eo=(e,t)=>St(`${It(e)}/\
waits`,void 0,t),to=(e,t)=>Yl(`${It(e)}/live`,void 0,t);async function no(e,t,n){let s=await St("api/compare",{run:[e,t]},
n);return"comparison"in s?s.comparison:s}var Du=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
io=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,Ou=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
Nu=/^[\n\t -~]*$/,so=/\p{M}/u,ro=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,ci=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),Hu=4;function di(e){if(Nu.test(e))return[{text:e,escaped:!1}];let t=new ui;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function Rt(e){return di(e).map(t=>t.text).join("")}function Rs(e){return Rt(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var ui=class{out=[];shown="";before="";marks=0;take(t,n){let s=t.codePointAt(n);if(s===13&&
t[n+1]===`
`)return 1;if(s===27||s===155){let i=Du.exec(t.slice(n,n+512));if(i)return this.escape(zu(i[0])),i[0].length}let r=String.
fromCodePoint(s);return this.isShown(r,t,n+r.length)?(this.marks=so.test(r)?this.marks+1:0,this.shown+=r,this.before=r):
this.escape(lo(s)),r.length}done(){return this.flush(),this.out}isShown(t,n,s){if(t===`
`||t==="	"||!Ou.test(t))return!0;if(so.test(t)&&!io.test(t))return this.marks<Hu;let r=s<n.length?String.fromCodePoint(n.
codePointAt(s)):"";switch(t){case"\u200D":return ro.test(this.before)&&ro.test(r)||ci.test(this.before);case"\u200C":return ci.
test(this.before)&&ci.test(r);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function zu(e){return[...e].map(t=>io.test(t)?lo(t.codePointAt(
0)):t).join("")}function lo(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function l(e,t,...n){let s=document.createElement(e);for(let[r,i]of Object.entries(t??{}))Vu(s,r,i);return Kt(s,n),s}function Vu(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[s,r]of Object.entries(n))e.style.setProperty(s,r);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":Rt(String(n)))}}function Kt(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?Kt(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(Rt(String(n)))))}function C(e,...t){e.replaceChildren(),Kt(e,t)}var Fu=6e3,ju=1e5;
function Re(e,t=Fu){let n=l("div",{class:"prose",dir:"auto"}),s=0,r=u=>{let d=qu(e,Math.min(u,e.length));for(let m of di(
e.slice(s,d)))n.append(m.escaped?l("span",{class:"escape"},m.text):m.text);s=d};if(r(t),s===e.length)return n;let i=l("b\
utton",{class:"quiet",onclick:()=>{r(s+ju),s===e.length?i.remove():o()}}),o=()=>C(i,`Show more: ${oo(e.length-s)} of ${oo(
e.length)} characters left`);return o(),l("div",null,n,i)}function oo(e){return e.toLocaleString("en")}function qu(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var dr=new Map,fi=new Map;function co(e,t,n){dr.set(e,{what:t,act:n})}function pn(e,t,n){fi.set(e,{what:t,act:n})}function uo(){
dr.clear()}function po(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),pi();return}if(Uu(e.target)||e.key===
"Enter"&&Wu(e.target))return;let t=dr.get(e.key)??fi.get(e.key);t&&(e.preventDefault(),t.act())})}function Wu(e){return e instanceof
HTMLElement&&e.matches("a, button, summary")}function Uu(e){return e instanceof HTMLElement&&(e.isContentEditable||e.matches(
"input, select, textarea, dialog *"))}function mi(e){let t=[...document.querySelectorAll("main .item")].filter(r=>r.offsetParent!==
null);if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("current")),s=n<0?e>0?0:t.length-1:Math.min(t.length-
1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[s].classList.add("current"),t[s].scrollIntoView({block:"nearest"})}
function fo(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.href:e instanceof
HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function hi(){if(pi())return;
let e=[...dr,...fi,["Esc",{what:"leave a field, close this dialog"}]],t=l("dialog",{class:"help","aria-label":"Keys and \
symbols"},l("h2",null,"Keys"),ao(e.map(([n,s])=>[l("kbd",null,Iu[n]??n),s.what])),l("h2",null,"Symbols and terms"),ao(Gu),
l("button",{onclick:()=>pi()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),t.showModal()}
var Gu=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns, or time ended the episode"],["\u2260","malfo\
rmed calls: invalid calls of the policy, which were not executed"],["hatched","no reward, or unknown"],["\u25B2","in a c\
hart: a checkpoint, the best one in another color; dashed lines are kills and resumes"],["dropped","no usable attempt: t\
he episode is not trained"],["masked","counts in its group and is not trained"],["filtered","excluded from the update: a\
ll samples of its group have the same reward"],["digest","checksum of the newest checkpoint: equal digests mean identica\
l checkpoints"]];function ao(e){return l("table",null,l("tbody",null,e.map(([t,n])=>l("tr",null,l("td",null,t),l("td",null,
n)))))}var Iu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function pi(){let e=document.
querySelector("dialog.help");return e?.close(),e!==null}var Ku=1e3,mo=45e3;function ho(e,t,n,s){Yu(e,t,new gi(n,t),s)}async function Yu(e,t,n,s){let r=500;for(let i=!0;!t.aborted&&
(await Zu(t),!t.aborted);i=!1){try{await Ju(e,t,o=>n.take(o),()=>{s("live"),r=500,i||n.take({kind:"state"})})}catch(o){if(o instanceof
en&&o.status>=400&&o.status<500)break}if(t.aborted)break;document.hidden||(s("lost"),await Xu(r,t),r=Math.min(2*r,15e3))}
s("off")}async function Ju(e,t,n,s){let r=new AbortController,i=()=>r.abort(),o=()=>document.hidden&&i();t.addEventListener(
"abort",i,{once:!0}),document.addEventListener("visibilitychange",o);let u=setTimeout(i,mo);try{let m=(await to(e,r.signal)).
body.pipeThrough(new TextDecoderStream).getReader();s();for(let g="";;){let{done:b,value:v}=await m.read();if(b)return;clearTimeout(
u),u=setTimeout(i,mo),g=Qu(g+v,n)}}finally{clearTimeout(u),t.removeEventListener("abort",i),document.removeEventListener(
"visibilitychange",o),r.abort()}}function Qu(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),s=n.pop();for(let r of n){let i=r.split(`
`).filter(o=>o.startsWith("data:")).map(o=>o.slice(5).trimStart()).join(`
`);if(i!=="")try{t(JSON.parse(i))}catch{t({kind:"state"})}}return s}var gi=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},Ku)}};function Zu(e){return new Promise(t=>{let n=()=>{document.hidden&&
!e.aborted||(document.removeEventListener("visibilitychange",n),e.removeEventListener("abort",n),t())};document.addEventListener(
"visibilitychange",n),e.addEventListener("abort",n),n()})}function Xu(e,t){return new Promise(n=>{let s=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(s),n()},{once:!0})})}function wi(e){let[t="",n=""]=ed(e.replace(/^#/,""));return{path:t.split("/").filter(s=>s!=="").map(bi),query:new URLSearchParams(
n)}}function ed(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function bi(e){try{return decodeURIComponent(
e)}catch{return e}}function U(e,t={}){let n=new URLSearchParams;for(let[r,i]of Object.entries(t))for(let o of Array.isArray(
i)?i:[i])o!==void 0&&o!==""&&n.append(r,String(o));let s=n.toString();return"#/"+e.map(r=>encodeURIComponent(r)).join("/")+
(s?"?"+s:"")}var Rn=e=>U(["run",e]),Ge=(e,t,n={})=>U(["run",e,"step",t],n),Ie=(e,t)=>U(["run",e,"episode",t]),Ds=(e,t,n,s)=>U(
["run",e,"group",t],{step:n,split:s});function vi(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:bi(
t[1]),rest:"#"+(t[2]?bi(t[2]):"/")};let{path:n,query:s}=wi(e),r=s.get("token");if(r===null)return null;s.delete("token");
let i=s.toString();return{token:r,rest:"#/"+n.map(encodeURIComponent).join("/")+(i?"?"+i:"")}}var go="awhost-theme";function td(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function bo(){let e=ir(()=>localStorage,go);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function xi(){let e=td()?"light":"dark";lr(()=>localStorage,go,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function wo(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function Yt(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function yi(e,t){let[n,s]=e instanceof en?[e.summary,e.detail]:["This part of the page cannot be displayed.",e instanceof
Error?e.message:String(e)];return l("section",{class:"trouble",role:"alert"},l("h2",null,n),l("p",null,s),l("button",{onclick:t},
"Try again"))}async function ke(e,t,n){t.setAttribute("aria-busy","true");let s=setTimeout(()=>C(t,l("p",{class:"dim"},"\
Loading \u2026")),200);try{let r=await n();e.signal.aborted||C(t,r)}catch(r){e.signal.aborted||C(t,yi(r,()=>{ke(e,t,n)}))}finally{
clearTimeout(s),t.removeAttribute("aria-busy")}}function ue(e,...t){let n=l("section",{class:"panel"},l("h2",null,e));return Kt(
n,t),n}function Pe(e,t,n=!1,s=""){let r=l("details",{class:"fold "+s},l("summary",null,e)),i=!1,o=()=>{i||!r.open||(i=!0,
Kt(r,[t()]))};return r.addEventListener("toggle",o),n&&(r.open=!0,o()),r}function _e(e,t,n){let s=i=>[i.right?"right":"",
i.wide?"wide":"",i.half?"half":""].join(" ").trim()||void 0,r=l("tbody",null,t.map(i=>{let o=l("tr",null,e.map(u=>l("td",
{class:s(u)},u.cell(i))));return n&&(o.classList.add("item"),o.dataset.href=n(i)),o}));return l("div",{class:"scroll"},l(
"table",null,l("thead",null,l("tr",null,e.map(i=>l("th",{class:s(i)},i.title)))),r))}function fn(e){return l("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>l("div",null,l("dt",null,t),l("dd",null,n))))}function nn(e,t=e){
let n=l("span",null,t),s=l("button",{class:"copy",title:"copy: "+e},n);return s.addEventListener("click",()=>{nd(e).then(
r=>{s.classList.add("done"),C(n,r?"copied":"not copied: select the text"),setTimeout(()=>{C(n,t),s.classList.remove("don\
e")},1200)})}),s}async function nd(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var vo="unknown";function y(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return pr(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?pr(e.toExponential(2)):pr(String(Number(e.toPrecision(t))))}function pr(e){return e.replace(/^-/,"\u2212")}function Qe(e){
return e==null||!Number.isFinite(e)?"\u2013":pr((100*e).toFixed(1))+" %"}function Dt(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function mn(e){
return e==null?"\u2013":e<1?`${y(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Be(e/1e3)}function Be(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return sd(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,s]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${s} min`:`${s} min ${t%60} s`}function sd(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function Dn(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=s=>String(
s).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function fr(e,t){return e?Be(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function ie(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Xe(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var On=50,rd=5e3;async function xo(e){e.title();let t=new Set,n=l("div",null),s=l("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),r=l("button",{disabled:!0,onclick:()=>i()},"Comp\
are");C(e.root,l("div",{class:"bar"},l("h1",null,"Runs"),s,r),n);let i=()=>{let v=o.filter(S=>t.has(S.name)).sort((S,L)=>(S.
started??"").localeCompare(L.started??""));v.length>1&&(location.hash=U(["compare"],{run:v.map(S=>S.name)}))};e.key("c",
"compare the selected runs",i),e.key("x","select the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let o=[],u=0,d=()=>C(n,m()),m=()=>{let v=s.value.trim().toLowerCase(),S=o.filter(D=>v===""||ld(D).includes(v));
u=Math.min(u,Math.max(0,Math.ceil(S.length/On)-1));let L=D=>{let q=l("input",{type:"checkbox","aria-label":`compare ${D.
name}`,checked:t.has(D.name)});return q.addEventListener("change",()=>{q.checked?t.add(D.name):t.delete(D.name),r.disabled=
t.size<2,C(r,t.size<2?"Compare":`Compare ${t.size} runs`)}),q},P=D=>{u+=D,d()};return[S.length===0?od(o.length):ad(S.slice(
u*On,(u+1)*On),L),S.length>On?l("div",{class:"pager"},l("button",{disabled:u===0,onclick:()=>P(-1)},"\u2190 Newer"),l("s\
pan",null,`${u*On+1} to ${Math.min(S.length,(u+1)*On)} of ${S.length}`),l("button",{disabled:(u+1)*On>=S.length,onclick:()=>P(
1)},"Older \u2192")):null]};s.addEventListener("input",()=>{u=0,d()});let g=async()=>{o=(await ar(e.signal)).runs};await ke(
e,n,async()=>(await g(),m()));let b=setInterval(()=>{!o.some(v=>v.live)||document.hidden||n.contains(document.activeElement)||
g().then(()=>id(d),()=>{})},rd);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function id(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll("tr.item"))n.dataset.href===
t&&n.classList.add("current")}function ld(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function od(e){return e>0?l("p",{class:"empty"},"No matching runs."):ue("No runs yet",l("p",null,
"Start a run in this directory: "),nn("awhost apply"))}function ad(e,t){let n=e.some(s=>s.machine);return _e([{title:"",
cell:t},{title:"run",cell:s=>l("a",{class:"short",href:Rn(s.name),title:s.name},s.name)},{title:"status",cell:s=>[Os(s),
s.reason?l("div",{class:"reason dim",title:s.reason},s.reason):null]},{title:"step",right:!0,cell:cd},{title:"reward",right:!0,
cell:s=>y(s.reward)},{title:"held-out success",right:!0,cell:Ns},{title:"stage",cell:s=>s.stage??"\u2013"},{title:"adapt\
er",cell:s=>s.adapter??"\u2013"},{title:"spec",wide:!0,cell:s=>s.problem?l("span",{class:"bad"},s.problem):s.spec},...n?
[{title:"machine",cell:s=>s.machine??"\u2013"}]:[],{title:"started",cell:s=>Dn(s.started)},{title:"duration",right:!0,cell:s=>s.
live||s.ended?fr(s.started,s.live?void 0:s.ended):"\u2013"},{title:"disk",right:!0,cell:s=>Dt(s.disk_bytes)}],e,s=>Rn(s.
name))}function Os(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"live":t?"bad":e.status==="finished"?"goo\
d":"warn",s=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;return l("span",{class:"\
badge "+n},s)}function cd(e){if(e.step<0)return"\u2013";let t=e.steps?l("progress",{value:e.step,max:e.steps,"aria-hidde\
n":"true"}):null;return[l("span",null,y(e.step),e.steps?l("span",{class:"dim"},` of ${y(e.steps)}`):null),t]}function Ns(e){
if(e.success_after===void 0&&e.success_before===void 0)return"\u2013";if(e.success_after===void 0)return[Qe(e.success_before),
l("span",{class:"dim"}," before")];if(e.success_before===void 0)return Qe(e.success_after);let t=e.live||e.success_after>
e.success_before||e.success_after===1,n=Qe(e.success_after);return[l("span",{class:"dim"},`${Qe(e.success_before)} \u2192 `),
t?n:l("span",{class:"badge warn",title:"not better than at the first validation"},n)]}var ud="uplot",dd="u-hz",pd="u-vt",fd="u-title",md="u-wrap",hd="u-under",gd="u-over",bd="u-axis",zn="u-off",wd="u-select",
vd="u-cursor-x",xd="u-cursor-y",yd="u-cursor-pt",kd="u-legend",Sd="u-live",Ed="u-inline",Md="u-series",Td="u-marker",yo="\
u-label",_d="u-value",zs="width",Vs="height";var ko="bottom",us="left",ki="right",Vi="#000",So=Vi+"0",Si="mousemove",Eo="mousedown",Ei="mouseup",Mo="mouseenter",To="\
mouseleave",_o="dblclick",Ld="resize",Pd="scroll",Lo="change",wr="dppxchange",Fi="--",bs=typeof window<"u",Pi=bs?document:
null,ps=bs?window:null,Cd=bs?navigator:null,de,mr;function Ci(){let e=devicePixelRatio;de!=e&&(de=e,mr&&Ai(Lo,mr,Ci),mr=
matchMedia(`(min-resolution: ${de-.001}dppx) and (max-resolution: ${de+.001}dppx)`),Vn(Lo,mr,Ci),ps.dispatchEvent(new CustomEvent(
wr)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function $i(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function Se(e,t,n){e.style[t]=n+"px"}function Ot(e,t,n,s){let r=Pi.createElement(e);return t!=null&&mt(r,
t),n?.insertBefore(r,s),r}function Et(e,t){return Ot("div",e,t)}var Po=new WeakMap;function Jt(e,t,n,s,r){let i="transla\
te("+t+"px,"+n+"px)",o=Po.get(e);i!=o&&(e.style.transform=i,Po.set(e,i),t<0||n<0||t>s||n>r?mt(e,zn):$i(e,zn))}var Co=new WeakMap;
function $o(e,t,n){let s=t+n,r=Co.get(e);s!=r&&(Co.set(e,s),e.style.background=t,e.style.borderColor=n)}var Ao=new WeakMap;
function Ro(e,t,n,s){let r=t+""+n,i=Ao.get(e);r!=i&&(Ao.set(e,r),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
s?-t/2+"px":0,e.style.marginTop=s?-n/2+"px":0)}var ji={passive:!0},$d={...ji,capture:!0};function Vn(e,t,n,s){t.addEventListener(
e,n,s?$d:ji)}function Ai(e,t,n,s){t.removeEventListener(e,n,ji)}bs&&Ci();function Nt(e,t,n,s){let r;n=n||0,s=s||t.length-
1;let i=s<=2147483647;for(;s-n>1;)r=i?n+s>>1:ht((n+s)/2),t[r]<e?n=r:s=r;return e-t[n]<=t[s]-e?n:s}function oa(e){return(n,s,r)=>{
let i=-1,o=-1;for(let u=s;u<=r;u++)if(e(n[u])){i=u;break}for(let u=r;u>=s;u--)if(e(n[u])){o=u;break}return[i,o]}}var aa=e=>e!=
null,ca=e=>e!=null&&e>0,yr=oa(aa),Ad=oa(ca);function Rd(e,t,n,s=0,r=!1){let i=r?Ad:yr,o=r?ca:aa;[t,n]=i(e,t,n);let u=e[t],
d=e[t];if(t>-1)if(s==1)u=e[t],d=e[n];else if(s==-1)u=e[n],d=e[t];else for(let m=t;m<=n;m++){let g=e[m];o(g)&&(g<u?u=g:g>
d&&(d=g))}return[u??ge,d??-ge]}function kr(e,t,n,s){let r=No(e),i=No(t);e==t&&(r==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?
sn:ua,u=r==1?ht:Mt,d=i==1?Mt:ht,m=u(o(ze(e))),g=d(o(ze(t))),b=fs(n,m),v=fs(n,g);return n==10&&(m<0&&(b=be(b,-m)),g<0&&(v=
be(v,-g))),s||n==2?(e=b*r,t=v*i):(e=ma(e,b),t=Sr(t,v)),[e,t]}function qi(e,t,n,s){let r=kr(e,t,n,s);return e==0&&(r[0]=0),
t==0&&(r[1]=0),r}var Wi=.1,Do={mode:3,pad:Wi},js={pad:0,soft:null,mode:0},Dd={min:js,max:js};function vr(e,t,n,s){return Er(
n)?Oo(e,t,n):(js.pad=n,js.soft=s?0:null,js.mode=s?3:0,Oo(e,t,Dd))}function ae(e,t){return e??t}function Od(e,t,n){for(t=
ae(t,0),n=ae(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Oo(e,t,n){let s=n.min,r=n.max,i=ae(s.pad,
0),o=ae(r.pad,0),u=ae(s.hard,-ge),d=ae(r.hard,ge),m=ae(s.soft,ge),g=ae(r.soft,-ge),b=ae(s.mode,0),v=ae(r.mode,0),S=t-e,L=sn(
S),P=it(ze(e),ze(t)),D=sn(P),q=ze(D-L);(S<1e-24||q>10)&&(S=0,(e==0||t==0)&&(S=1e-24,b==2&&m!=ge&&(i=0),v==2&&g!=-ge&&(o=
0)));let M=S||P||1e3,W=sn(M),T=fs(10,ht(W)),Z=M*(S==0?e==0?.1:1:i),N=be(ma(e-Z,T/10),24),X=e>=m&&(b==1||b==3&&N<=m||b==2&&
N>=m)?m:ge,Y=it(u,N<X&&e>=X?X:Ht(X,N)),ne=M*(S==0?t==0?.1:1:o),K=be(Sr(t+ne,T/10),24),_=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-ge,Q=Ht(d,K>_&&t<=_?_:it(_,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var Nd=new Intl.NumberFormat(bs?Cd.language:"en-US"),
Ui=e=>Nd.format(e),gt=Math,br=gt.PI,ze=gt.abs,ht=gt.floor,He=gt.round,Mt=gt.ceil,Ht=gt.min,it=gt.max,fs=gt.pow,No=gt.sign,
sn=gt.log10,ua=gt.log2,Hd=(e,t=1)=>gt.sinh(e)*t,Mi=(e,t=1)=>gt.asinh(e/t),ge=1/0;function Ho(e){return(sn((e^e>>31)-(e>>
31))|0)+1}function Ri(e,t,n){return Ht(it(e,t),n)}function da(e){return typeof e=="function"}function se(e){return da(e)?
e:()=>e}var zd=()=>{},pa=e=>e,fa=(e,t)=>t,Vd=e=>null,zo=e=>!0,Vo=(e,t)=>e==t,Fd=/\.\d*?(?=9{6,}|0{6,})/gm,Fn=e=>{if(ga(e)||
gn.has(e))return e;let t=`${e}`,n=t.match(Fd);if(n==null)return e;let s=n[0].length-1;if(t.indexOf("e-")!=-1){let[r,i]=t.
split("e");return+`${Fn(r)}e${i}`}return be(e,s)};function Nn(e,t){return Fn(be(Fn(e/t))*t)}function Sr(e,t){return Fn(Mt(
Fn(e/t))*t)}function ma(e,t){return Fn(ht(Fn(e/t))*t)}function be(e,t=0){if(ga(e))return e;let n=10**t,s=e*n*(1+Number.EPSILON);
return He(s)/n}var gn=new Map;function ha(e){return((""+e).split(".")[1]||"").length}function Ws(e,t,n,s){let r=[],i=s.map(
ha);for(let o=t;o<n;o++){let u=ze(o),d=be(fs(e,o),u);for(let m=0;m<s.length;m++){let g=e==10?+`${s[m]}e${o}`:s[m]*d,b=(o>=
0?0:u)+(o>=i[m]?0:i[m]),v=e==10?g:be(g,b);r.push(v),gn.set(v,b)}}return r}var qs={},Gi=[],ms=[null,null],hn=Array.isArray,
ga=Number.isInteger,jd=e=>e===void 0;function Fo(e){return typeof e=="string"}function Er(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function qd(e){return e!=null&&typeof e=="object"}var Wd=Object.getPrototypeOf(
Uint8Array),ba="__proto__";function hs(e,t=Er){let n;if(hn(e)){let s=e.find(r=>r!=null);if(hn(s)||t(s)){n=Array(e.length);
for(let r=0;r<e.length;r++)n[r]=hs(e[r],t)}else n=e.slice()}else if(e instanceof Wd)n=e.slice();else if(t(e)){n={};for(let s in e)
s!=ba&&(n[s]=hs(e[s],t))}else n=e;return n}function De(e){let t=arguments;for(let n=1;n<t.length;n++){let s=t[n];for(let r in s)
r!=ba&&(Er(e[r])?De(e[r],hs(s[r])):e[r]=hs(s[r]))}return e}var Ud=0,Gd=1,Id=2;function Bd(e,t,n){for(let s=0,r,i=-1;s<t.
length;s++){let o=t[s];if(o>i){for(r=o-1;r>=0&&e[r]==null;)e[r--]=null;for(r=o+1;r<n&&e[r]==null;)e[i=r++]=null}}}function Kd(e,t){
if(Qd(e)){let o=e[0].slice();for(let u=1;u<e.length;u++)o.push(...e[u].slice(1));return Zd(o[0])||(o=Jd(o)),o}let n=new Set;
for(let o=0;o<e.length;o++){let d=e[o][0],m=d.length;for(let g=0;g<m;g++)n.add(d[g])}let s=[Array.from(n).sort((o,u)=>o-
u)],r=s[0].length,i=new Map;for(let o=0;o<r;o++)i.set(s[0][o],o);for(let o=0;o<e.length;o++){let u=e[o],d=u[0];for(let m=1;m<
u.length;m++){let g=u[m],b=Array(r).fill(void 0),v=t?t[o][m]:Gd,S=[];for(let L=0;L<g.length;L++){let P=g[L],D=i.get(d[L]);
P===null?v!=Ud&&(b[D]=P,v==Id&&S.push(D)):b[D]=P}Bd(b,S,r),s.push(b)}}return s}var Yd=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function Jd(e){let t=e[0],n=t.length,s=Array(n);for(let i=0;i<s.length;i++)s[i]=i;s.sort(
(i,o)=>t[i]-t[o]);let r=[];for(let i=0;i<e.length;i++){let o=e[i],u=Array(n);for(let d=0;d<n;d++)u[d]=o[s[d]];r.push(u)}
return r}function Qd(e){let t=e[0][0],n=t.length;for(let s=1;s<e.length;s++){let r=e[s][0];if(r.length!=n)return!1;if(r!=
t){for(let i=0;i<n;i++)if(r[i]!=t[i])return!1}}return!0}function Zd(e,t=100){let n=e.length;if(n<=1)return!0;let s=0,r=n-
1;for(;s<=r&&e[s]==null;)s++;for(;r>=s&&e[r]==null;)r--;if(r<=s)return!0;let i=it(1,ht((r-s+1)/t));for(let o=e[s],u=s+i;u<=
r;u+=i){let d=e[u];if(d!=null){if(d<=o)return!1;o=d}}return!0}var wa=["January","February","March","April","May","June",
"July","August","September","October","November","December"],va=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function xa(e){return e.slice(0,3)}var Xd=va.map(xa),ep=wa.map(xa),tp={MMMM:wa,MMM:ep,WWWW:va,WWW:Xd};function Hs(e){
return(e<10?"0":"")+e}function np(e){return(e<10?"00":e<100?"0":"")+e}var sp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Hs(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Hs(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Hs(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Hs(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Hs(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>np(e.getMilliseconds())};function Ii(e,t){t=t||tp;let n=[],s=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=s.exec(
e);)n.push(r[0][0]=="{"?sp[r[1]]:r[0]);return i=>{let o="";for(let u=0;u<n.length;u++)o+=typeof n[u]=="string"?n[u]:n[u](
i,t);return o}}var rp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function ip(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==rp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var ya=e=>e%1==0,xr=[1,2,2.5,5],lp=Ws(10,-32,0,xr),ka=Ws(10,0,32,xr),op=ka.filter(ya),Hn=lp.concat(
ka),Bi=`
`,Sa="{YYYY}",jo=Bi+Sa,Ea="{M}/{D}",Fs=Bi+Ea,hr=Fs+"/{YY}",Ma="{aa}",ap="{h}:{mm}",ds=ap+Ma,qo=Bi+ds,Wo=":{ss}",fe=null;
function Ta(e){let t=e*1e3,n=t*60,s=n*60,r=s*24,i=r*30,o=r*365,d=(e==1?Ws(10,0,3,xr).filter(ya):Ws(10,-3,0,xr)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,s,s*2,s*3,s*4,s*6,s*8,s*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,i,i*2,i*
3,i*4,i*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),m=[[o,Sa,fe,fe,fe,fe,fe,fe,1],[r*28,"{MMM}",jo,fe,fe,fe,fe,fe,1],[r,Ea,jo,fe,
fe,fe,fe,fe,1],[s,"{h}"+Ma,hr,fe,Fs,fe,fe,fe,1],[n,ds,hr,fe,Fs,fe,fe,fe,1],[t,Wo,hr+" "+ds,fe,Fs+" "+ds,fe,qo,fe,1],[e,Wo+
".{fff}",hr+" "+ds,fe,Fs+" "+ds,fe,qo,fe,1]];function g(b){return(v,S,L,P,D,q)=>{let M=[],W=D>=o,T=D>=i&&D<o,Z=b(L),N=be(
Z*e,3),X=Ti(Z.getFullYear(),W?0:Z.getMonth(),T||W?1:Z.getDate()),Y=be(X*e,3);if(T||W){let ne=T?D/i:0,K=W?D/o:0,_=N==Y?N:
be(Ti(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(He(_/e)),H=Q.getFullYear(),I=Q.getMonth();for(let j=0;_<=P;j++){
let re=Ti(H+K*j,I+ne*j,1),F=re-b(be(re*e,3));_=be((+re+F)*e,3),_<=P&&M.push(_)}}else{let ne=D>=r?r:D,K=ht(L)-ht(N),_=Y+K+
Sr(N-Y,ne);M.push(_);let Q=b(_),H=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/s,I=D/s,j=v.axes[S]._space,re=q/j;for(;_=
be(_+D,e==1?0:3),!(_>P);)if(I>1){let F=ht(be(H+I,6))%24,le=b(_).getHours()-F;le>1&&(le=-1),_-=le*s,H=(H+I)%24;let me=M[M.
length-1];be((_-me)/D,3)*re>=.7&&M.push(_)}else M.push(_)}return M}}return[d,m,g]}var[cp,up,dp]=Ta(1),[pp,fp,mp]=Ta(.001);
Ws(2,-53,53,[1]);function Uo(e,t){return e.map(n=>n.map((s,r)=>r==0||r==8||s==null?s:t(r==1||n[8]==0?s:n[1]+s)))}function Go(e,t){
return(n,s,r,i,o)=>{let u=t.find(L=>o>=L[0])||t[t.length-1],d,m,g,b,v,S;return s.map(L=>{let P=e(L),D=P.getFullYear(),q=P.
getMonth(),M=P.getDate(),W=P.getHours(),T=P.getMinutes(),Z=P.getSeconds(),N=D!=d&&u[2]||q!=m&&u[3]||M!=g&&u[4]||W!=b&&u[5]||
T!=v&&u[6]||Z!=S&&u[7]||u[1];return d=D,m=q,g=M,b=W,v=T,S=Z,N(P)})}}function hp(e,t){let n=Ii(t);return(s,r,i,o,u)=>r.map(
d=>n(e(d)))}function Ti(e,t,n){return new Date(e,t,n)}function Io(e,t){return t(e)}var gp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Bo(e,t){return(n,s,r,i)=>i==null?Fi:t(e(s))}function bp(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function wp(e,t){return e.series[t].fill(e,t)}var vp={show:!0,live:!0,isolate:!1,mount:zd,
markers:{show:!0,width:2,stroke:bp,fill:wp,dash:"solid"},idx:null,idxs:null,values:[]};function xp(e,t){let n=e.cursor.points,
s=Et(),r=n.size(e,t);Se(s,zs,r),Se(s,Vs,r);let i=r/-2;Se(s,"marginLeft",i),Se(s,"marginTop",i);let o=n.width(e,t,r);return o&&
Se(s,"borderWidth",o),s}function yp(e,t){let n=e.series[t].points;return n._fill||n._stroke}function kp(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function Sp(e,t){return e.series[t].points.size}var _i=[0,0];function Ep(e,t,n){return _i[0]=
t,_i[1]=n,_i}function gr(e,t,n,s=!0){return r=>{r.button==0&&(!s||r.target==t)&&n(r)}}function Li(e,t,n,s=!0){return r=>{
(!s||r.target==t)&&n(r)}}var Mp={show:!0,x:!0,y:!0,lock:!1,move:Ep,points:{one:!1,show:xp,size:Sp,width:0,stroke:kp,fill:yp},
bind:{mousedown:gr,mouseup:gr,click:gr,dblclick:gr,mousemove:Li,mouseleave:Li,mouseenter:Li},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,s,r)=>s-
r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},_a={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ki=De({},_a,{filter:fa}),La=De({},Ki,{size:10}),Pa=De({},_a,{show:!1}),Yi='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ca="bold "+Yi,$a=1.5,Ko={show:!0,scale:"x",stroke:Vi,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ca,side:2,grid:Ki,ticks:La,border:Pa,font:Yi,lineGap:$a,rotate:0},Tp="\
Value",_p="Time",Yo={show:!0,scale:"x",auto:!1,sorted:1,min:ge,max:-ge,idxs:[]};function Lp(e,t,n,s,r){return t.map(i=>i==
null?"":Ui(i))}function Pp(e,t,n,s,r,i,o){let u=[],d=gn.get(r)||0;n=o?n:be(Sr(n,r),d);for(let m=n;m<=s;m=be(m+r,d))u.push(
Object.is(m,-0)?0:m);return u}function Di(e,t,n,s,r,i,o){let u=[],d=e.scales[e.axes[t].scale].log,m=d==10?sn:ua,g=ht(m(n));
r=fs(d,g),d==10&&(r=Hn[Nt(r,Hn)]);let b=n,v=r*d;d==10&&(v=Hn[Nt(v,Hn)]);do u.push(b),b=b+r,d==10&&!gn.has(b)&&(b=be(b,gn.
get(r))),b>=v&&(r=b,v=r*d,d==10&&(v=Hn[Nt(v,Hn)]));while(b<=s);return u}function Cp(e,t,n,s,r,i,o){let d=e.scales[e.axes[t].
scale].asinh,m=s>d?Di(e,t,it(d,n),s,r):[d],g=s>=0&&n<=0?[0]:[];return(n<-d?Di(e,t,it(d,-s),-n,r):[d]).reverse().map(v=>-v).
concat(g,m)}var Aa=/./,$p=/[12357]/,Ap=/[125]/,Jo=/1/,Oi=(e,t,n,s)=>e.map((r,i)=>t==4&&r==0||i%s==0&&n.test(r.toExponential()[r<
0?1:0])?r:null);function Rp(e,t,n,s,r){let i=e.axes[n],o=i.scale,u=e.scales[o],d=e.valToPos,m=i._space,g=d(10,o),b=d(9,o)-
g>=m?Aa:d(7,o)-g>=m?$p:d(5,o)-g>=m?Ap:Jo;if(b==Jo){let v=ze(d(1,o)-g);if(v<m)return Oi(t.slice().reverse(),u.distr,b,Mt(
m/v)).reverse()}return Oi(t,u.distr,b,1)}function Dp(e,t,n,s,r){let i=e.axes[n],o=i.scale,u=i._space,d=e.valToPos,m=ze(d(
1,o)-d(2,o));return m<u?Oi(t.slice().reverse(),3,Aa,Mt(u/m)).reverse():t}function Op(e,t,n,s){return s==null?Fi:t==null?
"":Ui(t)}var Qo={show:!0,scale:"y",stroke:Vi,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ca,side:3,
grid:Ki,ticks:La,border:Pa,font:Yi,lineGap:$a,rotate:0};function Np(e,t){let n=3+(e||1)*2;return be(n*t,3)}function Hp(e,t){
let{scale:n,idxs:s}=e.series[0],r=e._data[0],i=e.valToPos(r[s[0]],n,!0),o=e.valToPos(r[s[1]],n,!0),u=ze(o-i),d=e.series[t],
m=u/(d.points.space*de);return s[1]-s[0]<=m}var Zo={scale:null,auto:!0,sorted:0,min:ge,max:-ge},Ra=(e,t,n,s,r)=>r,Xo={show:!0,
auto:!0,sorted:0,gaps:Ra,alpha:1,facets:[De({},Zo,{scale:"x"}),De({},Zo,{scale:"y"})]},ea={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:Ra,alpha:1,points:{show:Hp,filter:null},values:null,min:ge,max:-ge,idxs:[],path:null,clip:null};function zp(e,t,n,s,r){
return n/10}var Da={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Vp=De({},Da,{time:!1,ori:1}),ta={};
function Oa(e,t){let n=ta[e];return n||(n={key:e,plots:[],sub(s){n.plots.push(s)},unsub(s){n.plots=n.plots.filter(r=>r!=
s)},pub(s,r,i,o,u,d,m){for(let g=0;g<n.plots.length;g++)n.plots[g]!=r&&n.plots[g].pub(s,r,i,o,u,d,m)}},e!=null&&(ta[e]=n)),
n}var gs=1,Ni=2;function jn(e,t,n){let s=e.mode,r=e.series[t],i=s==2?e._data[t]:e._data,o=e.scales,u=e.bbox,d=i[0],m=s==
2?i[1]:i[t],g=s==2?o[r.facets[0].scale]:o[e.series[0].scale],b=s==2?o[r.facets[1].scale]:o[r.scale],v=u.left,S=u.top,L=u.
width,P=u.height,D=e.valToPosH,q=e.valToPosV;return g.ori==0?n(r,d,m,g,b,D,q,v,S,L,P,Tr,ws,Lr,Ha,Va):n(r,d,m,g,b,q,D,S,v,
P,L,_r,vs,Zi,za,Fa)}function Ji(e,t){let n=0,s=0,r=ae(e.bands,Gi);for(let i=0;i<r.length;i++){let o=r[i];o.series[0]==t?
n=o.dir:o.series[1]==t&&(o.dir==1?s|=1:s|=2)}return[n,s==1?-1:s==2?1:s==3?2:0]}function Fp(e,t,n,s,r){let i=e.mode,o=e.series[t],
u=i==2?o.facets[1].scale:o.scale,d=e.scales[u];return r==-1?d.min:r==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function rn(e,t,n,s,r,i){
return jn(e,t,(o,u,d,m,g,b,v,S,L,P,D)=>{let q=o.pxRound,M=m.dir*(m.ori==0?1:-1),W=m.ori==0?ws:vs,T,Z;M==1?(T=n,Z=s):(T=s,
Z=n);let N=q(b(u[T],m,P,S)),X=q(v(d[T],g,D,L)),Y=q(b(u[Z],m,P,S)),ne=q(v(i==1?g.max:g.min,g,D,L)),K=new Path2D(r);return W(
K,Y,ne),W(K,N,ne),W(K,N,X),K})}function Mr(e,t,n,s,r,i){let o=null;if(e.length>0){o=new Path2D;let u=t==0?Lr:Zi,d=n;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let S=v[0]-d;S>0&&u(o,d,s,S,s+i),d=v[1]}}let m=n+r-d,g=10;m>0&&u(o,d,s-g/2,m,s+i+
g)}return o}function jp(e,t,n){let s=e[e.length-1];s&&s[0]==t?s[1]=n:e.push([t,n])}function Qi(e,t,n,s,r,i,o){let u=[],d=e.
length;for(let m=r==1?n:s;m>=n&&m<=s;m+=r)if(t[m]===null){let b=m,v=m;if(r==1)for(;++m<=s&&t[m]===null;)v=m;else for(;--m>=
n&&t[m]===null;)v=m;let S=i(e[b]),L=v==b?S:i(e[v]),P=b-r;S=o<=0&&P>=0&&P<d?i(e[P]):S;let q=v+r;L=o>=0&&q>=0&&q<d?i(e[q]):
L,L>=S&&u.push([S,L])}return u}function na(e){return e==0?pa:e==1?He:t=>Nn(t,e)}function Na(e){let t=e==0?Tr:_r,n=e==0?(r,i,o,u,d,m)=>{
r.arcTo(i,o,u,d,m)}:(r,i,o,u,d,m)=>{r.arcTo(o,i,d,u,m)},s=e==0?(r,i,o,u,d)=>{r.rect(i,o,u,d)}:(r,i,o,u,d)=>{r.rect(o,i,d,
u)};return(r,i,o,u,d,m=0,g=0)=>{m==0&&g==0?s(r,i,o,u,d):(m=Ht(m,u/2,d/2),g=Ht(g,u/2,d/2),t(r,i+m,o),n(r,i+u,o,i+u,o+d,m),
n(r,i+u,o+d,i,o+d,g),n(r,i,o+d,i,o,g),n(r,i,o,i+u,o,m),r.closePath())}}var Tr=(e,t,n)=>{e.moveTo(t,n)},_r=(e,t,n)=>{e.moveTo(
n,t)},ws=(e,t,n)=>{e.lineTo(t,n)},vs=(e,t,n)=>{e.lineTo(n,t)},Lr=Na(0),Zi=Na(1),Ha=(e,t,n,s,r,i)=>{e.arc(t,n,s,r,i)},za=(e,t,n,s,r,i)=>{
e.arc(n,t,s,r,i)},Va=(e,t,n,s,r,i,o)=>{e.bezierCurveTo(t,n,s,r,i,o)},Fa=(e,t,n,s,r,i,o)=>{e.bezierCurveTo(n,t,r,s,o,i)};
function ja(e){return(t,n,s,r,i)=>jn(t,n,(o,u,d,m,g,b,v,S,L,P,D)=>{let{pxRound:q,points:M}=o,W,T;m.ori==0?(W=Tr,T=Ha):(W=
_r,T=za);let Z=be(M.width*de,3),N=(M.size-M.width)/2*de,X=be(N*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:_,width:Q,height:H}=t.
bbox;Lr(ne,K-X,_-X,Q+X*2,H+X*2);let I=j=>{if(d[j]!=null){let re=q(b(u[j],m,P,S)),F=q(v(d[j],g,D,L));W(Y,re+N,F),T(Y,re,F,
N,0,br*2)}};if(i)i.forEach(I);else for(let j=s;j<=r;j++)I(j);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:gs|Ni}})}function qa(e){
return(t,n,s,r,i,o)=>{s!=r&&(i!=s&&o!=s&&e(t,n,s),i!=r&&o!=r&&e(t,n,r),e(t,n,o))}}var qp=qa(ws),Wp=qa(vs);function Wa(e){
let t=ae(e?.alignGaps,0);return(n,s,r,i)=>jn(n,s,(o,u,d,m,g,b,v,S,L,P,D)=>{[r,i]=yr(d,r,i);let q=o.pxRound,M=H=>q(b(H,m,
P,S)),W=H=>q(v(H,g,D,L)),T,Z;m.ori==0?(T=ws,Z=qp):(T=vs,Z=Wp);let N=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:gs},Y=X.stroke,ne=!1;if(i-r>=P*4){let H=z=>n.posToVal(z,m.key,!0),I=null,j=null,re,F,
lt,Ee=M(u[N==1?r:i]),le=M(u[r]),me=M(u[i]),ee=H(N==1?le+1:me-1);for(let z=N==1?r:i;z>=r&&z<=i;z+=N){let Oe=u[z],Me=(N==1?
Oe<ee:Oe>ee)?Ee:M(Oe),pe=d[z];Me==Ee?pe!=null?(F=pe,I==null?(T(Y,Me,W(F)),re=I=j=F):F<I?I=F:F>j&&(j=F)):pe===null&&(ne=!0):
(I!=null&&Z(Y,Ee,W(I),W(j),W(re),W(F)),pe!=null?(F=pe,T(Y,Me,W(F)),I=j=re=F):(I=j=null,pe===null&&(ne=!0)),Ee=Me,ee=H(Ee+
N))}I!=null&&I!=j&&lt!=Ee&&Z(Y,Ee,W(I),W(j),W(re),W(F))}else for(let H=N==1?r:i;H>=r&&H<=i;H+=N){let I=d[H];I===null?ne=
!0:I!=null&&T(Y,M(u[H]),W(I))}let[_,Q]=Ji(n,s);if(o.fill!=null||_!=0){let H=X.fill=new Path2D(Y),I=o.fillTo(n,s,o.min,o.
max,_),j=W(I),re=M(u[r]),F=M(u[i]);N==-1&&([F,re]=[re,F]),T(H,F,j),T(H,re,j)}if(!o.spanGaps){let H=[];ne&&H.push(...Qi(u,
d,r,i,N,M,t)),X.gaps=H=o.gaps(n,s,r,i,H),X.clip=Mr(H,m.ori,S,L,P,D)}return Q!=0&&(X.band=Q==2?[rn(n,s,r,i,Y,-1),rn(n,s,r,
i,Y,1)]:rn(n,s,r,i,Y,Q)),X})}function Up(e){let t=ae(e.align,1),n=ae(e.ascDesc,!1),s=ae(e.alignGaps,0),r=ae(e.extend,!1);
return(i,o,u,d)=>jn(i,o,(m,g,b,v,S,L,P,D,q,M,W)=>{[u,d]=yr(b,u,d);let T=m.pxRound,{left:Z,width:N}=i.bbox,X=le=>T(L(le,v,
M,D)),Y=le=>T(P(le,S,W,q)),ne=v.ori==0?ws:vs,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:gs},_=K.
stroke,Q=v.dir*(v.ori==0?1:-1),H=Y(b[Q==1?u:d]),I=X(g[Q==1?u:d]),j=I,re=I;r&&t==-1&&(re=Z,ne(_,re,H)),ne(_,I,H);for(let le=Q==
1?u:d;le>=u&&le<=d;le+=Q){let me=b[le];if(me==null)continue;let ee=X(g[le]),z=Y(me);t==1?ne(_,ee,H):ne(_,j,z),ne(_,ee,z),
H=z,j=ee}let F=j;r&&t==1&&(F=Z+N,ne(_,F,H));let[lt,Ee]=Ji(i,o);if(m.fill!=null||lt!=0){let le=K.fill=new Path2D(_),me=m.
fillTo(i,o,m.min,m.max,lt),ee=Y(me);ne(le,F,ee),ne(le,re,ee)}if(!m.spanGaps){let le=[];le.push(...Qi(g,b,u,d,Q,X,s));let me=m.
width*de/2,ee=n||t==1?me:-me,z=n||t==-1?-me:me;le.forEach(Oe=>{Oe[0]+=ee,Oe[1]+=z}),K.gaps=le=m.gaps(i,o,u,d,le),K.clip=
Mr(le,v.ori,D,q,M,W)}return Ee!=0&&(K.band=Ee==2?[rn(i,o,u,d,_,-1),rn(i,o,u,d,_,1)]:rn(i,o,u,d,_,Ee)),K})}function sa(e,t,n,s,r,i,o=ge){
if(e.length>1){let u=null;for(let d=0,m=1/0;d<e.length;d++)if(t[d]!==void 0){if(u!=null){let g=ze(e[d]-e[u]);g<m&&(m=g,o=
ze(n(e[d],s,r,i)-n(e[u],s,r,i)))}u=d}}return o}function Gp(e){e=e||qs;let t=ae(e.size,[.6,ge,1]),n=e.align||0,s=e.gap||0,
r=e.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let i=se(r),o=1-t[0],u=ae(t[1],ge),d=ae(t[2],1),m=ae(e.disp,qs),g=ae(
e.each,S=>{}),{fill:b,stroke:v}=m;return(S,L,P,D)=>jn(S,L,(q,M,W,T,Z,N,X,Y,ne,K,_)=>{let Q=q.pxRound,H=n,I=s*de,j=u*de,re=d*
de,F,lt;T.ori==0?[F,lt]=i(S,L):[lt,F]=i(S,L);let Ee=T.dir*(T.ori==0?1:-1),le=T.ori==0?Lr:Zi,me=T.ori==0?g:(R,we,Ne,In,kn,Ft,Sn)=>{
g(R,we,Ne,kn,In,Sn,Ft)},ee=ae(S.bands,Gi).find(R=>R.series[0]==L),z=ee!=null?ee.dir:0,Oe=q.fillTo(S,L,q.min,q.max,z),et=Q(
X(Oe,Z,_,ne)),Me,pe,Lt,ct=K,Le=Q(q.width*de),Vt=!1,Qt=null,bt=null,ln=null,Wn=null;b!=null&&(Le==0||v!=null)&&(Vt=!0,Qt=
b.values(S,L,P,D),bt=new Map,new Set(Qt).forEach(R=>{R!=null&&bt.set(R,new Path2D)}),Le>0&&(ln=v.values(S,L,P,D),Wn=new Map,
new Set(ln).forEach(R=>{R!=null&&Wn.set(R,new Path2D)})));let{x0:Un,size:Ss}=m;if(Un!=null&&Ss!=null){H=1,M=Un.values(S,
L,P,D),Un.unit==2&&(M=M.map(Ne=>S.posToVal(Y+Ne*K,T.key,!0)));let R=Ss.values(S,L,P,D);Ss.unit==2?pe=R[0]*K:pe=N(R[0],T,
K,Y)-N(0,T,K,Y),ct=sa(M,W,N,T,K,Y,ct),Lt=ct-pe+I}else ct=sa(M,W,N,T,K,Y,ct),Lt=ct*o+I,pe=ct-Lt;Lt<1&&(Lt=0),Le>=pe/2&&(Le=
0),Lt<5&&(Q=pa);let Ys=Lt>0,xn=ct-Lt-(Ys?Le:0);pe=Q(Ri(xn,re,j)),Me=(H==0?pe/2:H==Ee?0:pe)-H*Ee*((H==0?I/2:0)+(Ys?Le/2:0));
let tt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Gn=Vt?null:new Path2D,Zt=null;if(ee!=null)Zt=S.data[ee.
series[1]];else{let{y0:R,y1:we}=m;R!=null&&we!=null&&(W=we.values(S,L,P,D),Zt=R.values(S,L,P,D))}let yn=F*pe,J=lt*pe;for(let R=Ee==
1?P:D;R>=P&&R<=D;R+=Ee){let we=W[R];if(we==null)continue;if(Zt!=null){let ot=Zt[R]??0;if(we-ot==0)continue;et=X(ot,Z,_,ne)}
let Ne=T.distr!=2||m!=null?M[R]:R,In=N(Ne,T,K,Y),kn=X(ae(we,Oe),Z,_,ne),Ft=Q(In-Me),Sn=Q(it(kn,et)),ut=Q(Ht(kn,et)),wt=Sn-
ut;if(we!=null){let ot=we<0?J:yn,Pt=we<0?yn:J;Vt?(Le>0&&ln[R]!=null&&le(Wn.get(ln[R]),Ft,ut+ht(Le/2),pe,it(0,wt-Le),ot,Pt),
Qt[R]!=null&&le(bt.get(Qt[R]),Ft,ut+ht(Le/2),pe,it(0,wt-Le),ot,Pt)):le(Gn,Ft,ut+ht(Le/2),pe,it(0,wt-Le),ot,Pt),me(S,L,R,
Ft-Le/2,ut,pe+Le,wt)}}return Le>0?tt.stroke=Vt?Wn:Gn:Vt||(tt._fill=q.width==0?q._fill:q._stroke??q._fill,tt.width=0),tt.
fill=Vt?bt:Gn,tt})}function Ip(e,t){let n=ae(t?.alignGaps,0);return(s,r,i,o)=>jn(s,r,(u,d,m,g,b,v,S,L,P,D,q)=>{[i,o]=yr(
m,i,o);let M=u.pxRound,W=F=>M(v(F,g,D,L)),T=F=>M(S(F,b,q,P)),Z,N,X;g.ori==0?(Z=Tr,X=ws,N=Va):(Z=_r,X=vs,N=Fa);let Y=g.dir*
(g.ori==0?1:-1),ne=W(d[Y==1?i:o]),K=ne,_=[],Q=[];for(let F=Y==1?i:o;F>=i&&F<=o;F+=Y)if(m[F]!=null){let Ee=d[F],le=W(Ee);
_.push(K=le),Q.push(T(m[F]))}let H={stroke:e(_,Q,Z,X,N,M),fill:null,clip:null,band:null,gaps:null,flags:gs},I=H.stroke,[
j,re]=Ji(s,r);if(u.fill!=null||j!=0){let F=H.fill=new Path2D(I),lt=u.fillTo(s,r,u.min,u.max,j),Ee=T(lt);X(F,K,Ee),X(F,ne,
Ee)}if(!u.spanGaps){let F=[];F.push(...Qi(d,m,i,o,Y,W,n)),H.gaps=F=u.gaps(s,r,i,o,F),H.clip=Mr(F,g.ori,L,P,D,q)}return re!=
0&&(H.band=re==2?[rn(s,r,i,o,I,-1),rn(s,r,i,o,I,1)]:rn(s,r,i,o,I,re)),H})}function Bp(e){return Ip(Kp,e)}function Kp(e,t,n,s,r,i){
let o=e.length;if(o<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),o==2)s(u,e[1],t[1]);else{let d=Array(o),m=Array(o-1),
g=Array(o-1),b=Array(o-1);for(let v=0;v<o-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];d[0]=m[0];for(let v=1;v<
o-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?d[v]=0:(d[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(d[v])||(d[v]=0));d[o-1]=m[o-2];for(let v=0;v<o-1;v++)r(u,e[v]+b[v]/3,t[v]+d[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-d[v+
1]*b[v]/3,e[v+1],t[v+1])}return u}var Hi=new Set;function ra(){for(let e of Hi)e.syncRect(!0)}bs&&(Vn(Ld,ps,ra),Vn(Pd,ps,
ra,!0),Vn(wr,ps,()=>{Ke.pxRatio=de}));var Yp=Wa(),Jp=ja();function ia(e,t,n,s){return(s?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((i,o)=>zi(i,o,t,n))}function Qp(e,t){return e.map((n,s)=>s==0?{}:De({},t,n))}function zi(e,t,n,s){
return De({},t==0?n:s,e)}function Ua(e,t,n){return t==null?ms:[t,n]}var Zp=Ua;function Xp(e,t,n){return t==null?ms:vr(t,
n,Wi,!0)}function Ga(e,t,n,s){return t==null?ms:kr(t,n,e.scales[s].log,!1)}var ef=Ga;function Ia(e,t,n,s){return t==null?
ms:qi(t,n,e.scales[s].log,!1)}var tf=Ia;function nf(e,t,n,s,r){let i=it(Ho(e),Ho(t)),o=t-e,u=Nt(r/s*o,n);do{let d=n[u],m=s*
d/o;if(m>=r&&i+(d<5?gn.get(d):0)<=17)return[d,m]}while(++u<n.length);return[0,0]}function la(e){let t,n;return e=e.replace(
/(\d+)px/,(s,r)=>(t=He((n=+r)*de))+"px"),[e,t,n]}function sf(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=be(t[2]*de,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Ke(e,t,n){let s={mode:ae(e.mode,1)},r=s.mode;function i(a,c,p,f){
let h=c.valToPct(a);return f+p*(c.dir==-1?1-h:h)}function o(a,c,p,f){let h=c.valToPct(a);return f+p*(c.dir==-1?h:1-h)}function u(a,c,p,f){
return c.ori==0?i(a,c,p,f):o(a,c,p,f)}s.valToPosH=i,s.valToPosV=o;let d=!1;s.status=0;let m=s.root=Et(ud);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let a=Et(fd,m);a.textContent=e.title}let g=Ot("canvas"),b=s.ctx=g.getContext("2d"),v=Et(
md,m);Vn("click",v,a=>{a.target===L&&(ve!=ss||Te!=rs)&&Je.click(s,a)},!0);let S=s.under=Et(hd,v);v.appendChild(g);let L=s.
over=Et(gd,v);e=hs(e);let P=+ae(e.pxAlign,1),D=na(P);(e.plugins||[]).forEach(a=>{a.opts&&(e=a.opts(s,e)||e)});let q=e.ms||
.001,M=s.series=r==1?ia(e.series||[],Yo,ea,!1):Qp(e.series||[null],Xo),W=s.axes=ia(e.axes||[],Ko,Qo,!0),T=s.scales={},Z=s.
bands=e.bands||[];Z.forEach(a=>{a.fill=se(a.fill||null),a.dir=ae(a.dir,-1)});let N=r==2?M[1].facets[0].scale:M[0].scale,
X={axes:uu,series:iu},Y=(e.drawOrder||["axes","series"]).map(a=>X[a]);function ne(a){let c=a.distr==3?p=>sn(p>0?p:a.clamp(
s,p,a.min,a.max,a.key)):a.distr==4?p=>Mi(p,a.asinh):a.distr==100?p=>a.fwd(p):p=>p;return p=>{let f=c(p),{_min:h,_max:w}=a,
x=w-h;return(f-h)/x}}function K(a){let c=T[a];if(c==null){let p=(e.scales||qs)[a]||qs;if(p.from!=null){K(p.from);let f=De(
{},T[p.from],p,{key:a});f.valToPct=ne(f),T[a]=f}else{c=T[a]=De({},a==N?Da:Vp,p),c.key=a;let f=c.time,h=c.range,w=hn(h);if((a!=
N||r==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?Do:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?Do:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&Er(h))){let x=h;h=(k,E,$)=>E==null?ms:vr(E,$,x)}c.range=se(h||(f?Zp:a==N?c.distr==3?ef:c.
distr==4?tf:Ua:c.distr==3?Ga:c.distr==4?Ia:Xp)),c.auto=se(w?!1:c.auto),c.clamp=se(c.clamp||zp),c._min=c._max=null,c.valToPct=
ne(c)}}}K("x"),K("y"),r==1&&M.forEach(a=>{K(a.scale)}),W.forEach(a=>{K(a.scale)});for(let a in e.scales)K(a);let _=T[N],
Q=_.distr,H,I;_.ori==0?(mt(m,dd),H=i,I=o):(mt(m,pd),H=o,I=i);let j={};for(let a in T){let c=T[a];(c.min!=null||c.max!=null)&&
(j[a]={min:c.min,max:c.max},c.min=c.max=null)}let re=e.tzDate||(a=>new Date(He(a/q))),F=e.fmtDate||Ii,lt=q==1?dp(re):mp(
re),Ee=Go(re,Uo(q==1?up:fp,F)),le=Bo(re,Io(gp,F)),me=[],ee=s.legend=De({},vp,e.legend),z=s.cursor=De({},Mp,{drag:{y:r==2}},
e.cursor),Oe=ee.show,et=z.show,Me=ee.markers;ee.idxs=me,Me.width=se(Me.width),Me.dash=se(Me.dash),Me.stroke=se(Me.stroke),
Me.fill=se(Me.fill);let pe,Lt,ct,Le=[],Vt=[],Qt,bt=!1,ln={};if(ee.live){let a=M[1]?M[1].values:null;bt=a!=null,Qt=bt?a(s,
1,0):{_:0};for(let c in Qt)ln[c]=Fi}if(Oe)if(pe=Ot("table",kd,m),ct=Ot("tbody",null,pe),ee.mount(s,pe),bt){Lt=Ot("thead",
null,pe,ct);let a=Ot("tr",null,Lt);Ot("th",null,a);for(var Wn in Qt)Ot("th",yo,a).textContent=Wn}else mt(pe,Ed),ee.live&&
mt(pe,Sd);let Un={show:!0},Ss={show:!1};function Ys(a,c){if(c==0&&(bt||!ee.live||r==2))return ms;let p=[],f=Ot("tr",Md,ct,
ct.childNodes[c]);mt(f,a.class),a.show||mt(f,zn);let h=Ot("th",null,f);if(Me.show){let k=Et(Td,h);if(c>0){let E=Me.width(
s,c);E&&(k.style.border=E+"px "+Me.dash(s,c)+" "+Me.stroke(s,c)),k.style.background=Me.fill(s,c)}}let w=Et(yo,h);a.label instanceof
HTMLElement?w.appendChild(a.label):w.textContent=a.label,c>0&&(Me.show||(w.style.color=a.width>0?Me.stroke(s,c):Me.fill(
s,c)),tt("click",h,k=>{if(z._lock)return;Mn(k);let E=M.indexOf(a);if((k.ctrlKey||k.metaKey)!=ee.isolate){let $=M.some((A,O)=>O>
0&&O!=E&&A.show);M.forEach((A,O)=>{O>0&&qt(O,$?O==E?Un:Ss:Un,!0,Ae.setSeries)})}else qt(E,{show:!a.show},!0,Ae.setSeries)},
!1),Kn&&tt(Mo,h,k=>{z._lock||(Mn(k),qt(M.indexOf(a),ls,!0,Ae.setSeries))},!1));for(var x in Qt){let k=Ot("td",_d,f);k.textContent=
"--",p.push(k)}return[f,p]}let xn=new Map;function tt(a,c,p,f=!0){let h=xn.get(c)||{},w=z.bind[a](s,c,p,f);w&&(Vn(a,c,h[a]=
w),xn.set(c,h))}function Gn(a,c,p){let f=xn.get(c)||{};for(let h in f)(a==null||h==a)&&(Ai(h,c,f[h]),delete f[h]);a==null&&
xn.delete(c)}let Zt=0,yn=0,J=0,R=0,we=0,Ne=0,In=we,kn=Ne,Ft=J,Sn=R,ut=0,wt=0,ot=0,Pt=0;s.bbox={};let Vr=!1,Js=!1,Bn=!1,En=!1,
Qs=!1,vt=!1;function Fr(a,c,p){(p||a!=s.width||c!=s.height)&&hl(a,c),Xn(!1),Bn=!0,Js=!0,es()}function hl(a,c){s.width=Zt=
J=a,s.height=yn=R=c,we=Ne=0,Zc(),Xc();let p=s.bbox;ut=p.left=Nn(we*de,.5),wt=p.top=Nn(Ne*de,.5),ot=p.width=Nn(J*de,.5),Pt=
p.height=Nn(R*de,.5)}let Yc=3;function Jc(){let a=!1,c=0;for(;!a;){c++;let p=au(c),f=cu(c);a=c==Yc||p&&f,a||(hl(s.width,
s.height),Js=!0)}}function Qc({width:a,height:c}){Fr(a,c)}s.setSize=Qc;function Zc(){let a=!1,c=!1,p=!1,f=!1;W.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:k}=h,E=x%2,$=h.label!=null?h.labelSize:0,A=k+$;A>0&&(E?(J-=A,x==3?(we+=A,f=!0):p=!0):
(R-=A,x==0?(Ne+=A,a=!0):c=!0))}}),Tn[0]=a,Tn[1]=p,Tn[2]=c,Tn[3]=f,J-=on[1]+on[3],we+=on[3],R-=on[2]+on[0],Ne+=on[0]}function Xc(){
let a=we+J,c=Ne+R,p=we,f=Ne;function h(w,x){switch(w){case 1:return a+=x,a-x;case 2:return c+=x,c-x;case 3:return p-=x,p+
x;case 0:return f-=x,f+x}}W.forEach((w,x)=>{if(w.show&&w._show){let k=w.side;w._pos=h(k,w._size),w.label!=null&&(w._lpos=
h(k,w.labelSize))}})}if(z.dataIdx==null){let a=z.hover,c=a.skip=new Set(a.skip??[]);c.add(void 0);let p=a.prox=se(a.prox),
f=a.bias??=0;z.dataIdx=(h,w,x,k)=>{if(w==0)return x;let E=x,$=p(h,w,x,k)??ge,A=$>=0&&$<ge,O=_.ori==0?J:R,B=z.left,ce=t[0],
oe=t[w];if(c.has(oe[x])){E=null;let te=null,G=null,V;if(f==0||f==-1)for(V=x;te==null&&V-- >0;)c.has(oe[V])||(te=V);if(f==
0||f==1)for(V=x;G==null&&V++<oe.length;)c.has(oe[V])||(G=V);if(te!=null||G!=null)if(A){let ye=te==null?-1/0:H(ce[te],_,O,
0),Ce=G==null?1/0:H(ce[G],_,O,0),Ue=B-ye,he=Ce-B;Ue<=he?Ue<=$&&(E=te):he<=$&&(E=G)}else E=G==null?te:te==null?G:x-te<=G-
x?te:G}else A&&ze(B-H(ce[x],_,O,0))>$&&(E=null);return E}}let Mn=a=>{z.event=a};z.idxs=me,z._lock=!1;let Ze=z.points;Ze.
show=se(Ze.show),Ze.size=se(Ze.size),Ze.stroke=se(Ze.stroke),Ze.width=se(Ze.width),Ze.fill=se(Ze.fill);let jt=s.focus=De(
{},e.focus||{alpha:.3},z.focus),Kn=jt.prox>=0,Yn=Kn&&Ze.one,xt=[],Jn=[],Qn=[];function gl(a,c){let p=Ze.show(s,c);if(p instanceof
HTMLElement)return mt(p,yd),mt(p,a.class),Jt(p,-10,-10,J,R),L.insertBefore(p,xt[c]),p}function bl(a,c){if(r==1||c>0){let p=r==
1&&T[a.scale].time,f=a.value;a.value=p?Fo(f)?Bo(re,Io(f,F)):f||le:f||Op,a.label=a.label||(p?_p:Tp)}if(Yn||c>0){a.width=a.
width==null?1:a.width,a.paths=a.paths||Yp||Vd,a.fillTo=se(a.fillTo||Fp),a.pxAlign=+ae(a.pxAlign,P),a.pxRound=na(a.pxAlign),
a.stroke=se(a.stroke||null),a.fill=se(a.fill||null),a._stroke=a._fill=a._paths=a._focus=null;let p=Np(it(1,a.width),1),f=a.
points=De({},{size:p,width:it(1,p*.2),stroke:a.stroke,space:p*2,paths:Jp,_stroke:null,_fill:null},a.points);f.show=se(f.
show),f.filter=se(f.filter),f.fill=se(f.fill),f.stroke=se(f.stroke),f.paths=se(f.paths),f.pxAlign=a.pxAlign}if(Oe){let p=Ys(
a,c);Le.splice(c,0,p[0]),Vt.splice(c,0,p[1]),ee.values.push(null)}if(et){me.splice(c,0,null);let p=null;Yn?c==0&&(p=gl(a,
c)):c>0&&(p=gl(a,c)),xt.splice(c,0,p),Jn.splice(c,0,0),Qn.splice(c,0,0)}We("addSeries",c)}function eu(a,c){c=c??M.length,
a=r==1?zi(a,c,Yo,ea):zi(a,c,{},Xo),M.splice(c,0,a),bl(M[c],c)}s.addSeries=eu;function tu(a){if(M.splice(a,1),Oe){ee.values.
splice(a,1),Vt.splice(a,1);let c=Le.splice(a,1)[0];Gn(null,c.firstChild),c.remove()}et&&(me.splice(a,1),xt.splice(a,1)[0].
remove(),Jn.splice(a,1),Qn.splice(a,1)),We("delSeries",a)}s.delSeries=tu;let Tn=[!1,!1,!1,!1];function nu(a,c){if(a._show=
a.show,a.show){let p=a.side%2,f=T[a.scale];f==null&&(a.scale=p?M[1].scale:N,f=T[a.scale]);let h=f.time;a.size=se(a.size),
a.space=se(a.space),a.rotate=se(a.rotate),hn(a.incrs)&&a.incrs.forEach(x=>{!gn.has(x)&&gn.set(x,ha(x))}),a.incrs=se(a.incrs||
(f.distr==2?op:h?q==1?cp:pp:Hn)),a.splits=se(a.splits||(h&&f.distr==1?lt:f.distr==3?Di:f.distr==4?Cp:Pp)),a.stroke=se(a.
stroke),a.grid.stroke=se(a.grid.stroke),a.ticks.stroke=se(a.ticks.stroke),a.border.stroke=se(a.border.stroke);let w=a.values;
a.values=hn(w)&&!hn(w[0])?se(w):h?hn(w)?Go(re,Uo(w,F)):Fo(w)?hp(re,w):w||Ee:w||Lp,a.filter=se(a.filter||(f.distr>=3&&f.log==
10?Rp:f.distr==3&&f.log==2?Dp:fa)),a.font=la(a.font),a.labelFont=la(a.labelFont),a._size=a.size(s,null,c,0),a._space=a._rotate=
a._incrs=a._found=a._splits=a._values=null,a._size>0&&(Tn[c]=!0,a._el=Et(bd,v))}}function Es(a,c,p,f){let[h,w,x,k]=p,E=c%
2,$=0;return E==0&&(k||w)&&($=c==0&&!h||c==2&&!x?He(Ko.size/3):0),E==1&&(h||x)&&($=c==1&&!w||c==3&&!k?He(Qo.size/2):0),$}
let wl=s.padding=(e.padding||[Es,Es,Es,Es]).map(a=>se(ae(a,Es))),on=s._padding=wl.map((a,c)=>a(s,c,Tn,0)),Ye,Ve=null,Fe=null,
Zs=r==1?M[0].idxs:null,Ct=null,Ms=!1;function vl(a,c){if(t=a??[],s.data=s._data=t,r==2){Ye=0;for(let p=1;p<M.length;p++)
Ye+=t[p][0].length}else{t.length==0&&(s.data=s._data=t=[[]]),Ct=t[0],Ye=Ct.length;let p=t;if(Q==2){p=t.slice();let f=p[0]=
Array(Ye);for(let h=0;h<Ye;h++)f[h]=h}s._data=t=p}if(Xn(!0),We("setData"),Q==2&&(Bn=!0),c!==!1){let p=_;p.auto(s,Ms)?jr():
cn(N,p.min,p.max),En=En||z.left>=0,vt=!0,es()}}s.setData=vl;function jr(){Ms=!0;let a,c;r==1&&(Ye>0?(Ve=Zs[0]=0,Fe=Zs[1]=
Ye-1,a=t[0][Ve],c=t[0][Fe],Q==2?(a=Ve,c=Fe):a==c&&(Q==3?[a,c]=kr(a,a,_.log,!1):Q==4?[a,c]=qi(a,a,_.log,!1):_.time?c=a+He(
86400/q):[a,c]=vr(a,c,Wi,!0))):(Ve=Zs[0]=a=null,Fe=Zs[1]=c=null)),cn(N,a,c)}let Xs,Zn,qr,Wr,Ur,Gr,Ir,Br,Kr,at;function xl(a,c,p,f,h,w){
a??=So,p??=Gi,f??="butt",h??=So,w??="round",a!=Xs&&(b.strokeStyle=Xs=a),h!=Zn&&(b.fillStyle=Zn=h),c!=qr&&(b.lineWidth=qr=
c),w!=Ur&&(b.lineJoin=Ur=w),f!=Gr&&(b.lineCap=Gr=f),p!=Wr&&b.setLineDash(Wr=p)}function yl(a,c,p,f){c!=Zn&&(b.fillStyle=
Zn=c),a!=Ir&&(b.font=Ir=a),p!=Br&&(b.textAlign=Br=p),f!=Kr&&(b.textBaseline=Kr=f)}function Yr(a,c,p,f,h=0){if(f.length>0&&
a.auto(s,Ms)&&(c==null||c.min==null)){let w=ae(Ve,0),x=ae(Fe,f.length-1),k=p.min==null?Rd(f,w,x,h,a.distr==3):[p.min,p.max];
a.min=Ht(a.min,p.min=k[0]),a.max=it(a.max,p.max=k[1])}}let kl={min:null,max:null};function su(){for(let f in T){let h=T[f];
j[f]==null&&(h.min==null||j[N]!=null&&h.auto(s,Ms))&&(j[f]=kl)}for(let f in T){let h=T[f];j[f]==null&&h.from!=null&&j[h.
from]!=null&&(j[f]=kl)}j[N]!=null&&Xn(!0);let a={};for(let f in j){let h=j[f];if(h!=null){let w=a[f]=hs(T[f],qd);if(h.min!=
null)De(w,h);else if(f!=N||r==2)if(Ye==0&&w.from==null){let x=w.range(s,null,null,f);w.min=x[0],w.max=x[1]}else w.min=ge,
w.max=-ge}}if(Ye>0){M.forEach((f,h)=>{if(r==1){let w=f.scale,x=j[w];if(x==null)return;let k=a[w];if(h==0){let E=k.range(
s,k.min,k.max,w);k.min=E[0],k.max=E[1],Ve=Nt(k.min,t[0]),Fe=Nt(k.max,t[0]),Fe-Ve>1&&(t[0][Ve]<k.min&&Ve++,t[0][Fe]>k.max&&
Fe--),f.min=Ct[Ve],f.max=Ct[Fe]}else f.show&&f.auto&&Yr(k,x,f,t[h],f.sorted);f.idxs[0]=Ve,f.idxs[1]=Fe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,k=w.scale,E=x.scale,[$,A]=t[h],O=a[k],B=a[E];O!=null&&Yr(O,j[k],w,$,w.sorted),B!=null&&Yr(B,j[E],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in a){let h=a[f],w=j[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(s,h.min==ge?null:h.min,h.max==-ge?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in a){let h=a[f];if(h.from!=null){
let w=a[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(s,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},p=!1;
for(let f in a){let h=a[f],w=T[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?sn(w.
min):x==4?Mi(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?sn(w.max):x==4?Mi(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=p=!0}}if(p){M.forEach((f,h)=>{r==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)Bn=!0,
We("setScale",f);et&&z.left>=0&&(En=vt=!0)}for(let f in j)j[f]=null}function ru(a){let c=Ri(Ve-1,0,Ye-1),p=Ri(Fe+1,0,Ye-
1);for(;a[c]==null&&c>0;)c--;for(;a[p]==null&&p<Ye-1;)p++;return[c,p]}function iu(){if(Ye>0){let a=M.some(c=>c._focus)&&
at!=jt.alpha;a&&(b.globalAlpha=at=jt.alpha),M.forEach((c,p)=>{if(p>0&&c.show&&(Sl(p,!1),Sl(p,!0),c._paths==null)){let f=at;
at!=c.alpha&&(b.globalAlpha=at=c.alpha);let h=r==2?[0,t[p][0].length-1]:ru(t[p]);c._paths=c.paths(s,p,h[0],h[1]),at!=f&&
(b.globalAlpha=at=f)}}),M.forEach((c,p)=>{if(p>0&&c.show){let f=at;at!=c.alpha&&(b.globalAlpha=at=c.alpha),c._paths!=null&&
El(p,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(s,p,Ve,Fe,h),x=c.points.filter(s,p,w,h);(w||x)&&(c.points.
_paths=c.points.paths(s,p,Ve,Fe,x),El(p,!0))}at!=f&&(b.globalAlpha=at=f),We("drawSeries",p)}}),a&&(b.globalAlpha=at=1)}}
function Sl(a,c){let p=c?M[a].points:M[a];p._stroke=p.stroke(s,a),p._fill=p.fill(s,a)}function El(a,c){let p=c?M[a].points:
M[a],{stroke:f,fill:h,clip:w,flags:x,_stroke:k=p._stroke,_fill:E=p._fill,_width:$=p.width}=p._paths;$=be($*de,3);let A=null,
O=$%2/2;c&&E==null&&(E=$>0?"#fff":k);let B=p.pxAlign==1&&O>0;if(B&&b.translate(O,O),!c){let ce=ut-$/2,oe=wt-$/2,te=ot+$,
G=Pt+$;A=new Path2D,A.rect(ce,oe,te,G)}c?Jr(k,$,p.dash,p.cap,E,f,h,x,w):lu(a,k,$,p.dash,p.cap,E,f,h,x,A,w),B&&b.translate(
-O,-O)}function lu(a,c,p,f,h,w,x,k,E,$,A){let O=!1;E!=0&&Z.forEach((B,ce)=>{if(B.series[0]==a){let oe=M[B.series[1]],te=t[B.
series[1]],G=(oe._paths||qs).band;hn(G)&&(G=B.dir==1?G[0]:G[1]);let V,ye=null;oe.show&&G&&Od(te,Ve,Fe)?(ye=B.fill(s,ce)||
w,V=oe._paths.clip):G=null,Jr(c,p,f,h,ye,x,k,E,$,A,V,G),O=!0}}),O||Jr(c,p,f,h,w,x,k,E,$,A)}let Ml=gs|Ni;function Jr(a,c,p,f,h,w,x,k,E,$,A,O){
xl(a,c,p,f,h),(E||$||O)&&(b.save(),E&&b.clip(E),$&&b.clip($)),O?(k&Ml)==Ml?(b.clip(O),A&&b.clip(A),tr(h,x),er(a,w,c)):k&
Ni?(tr(h,x),b.clip(O),er(a,w,c)):k&gs&&(b.save(),b.clip(O),A&&b.clip(A),tr(h,x),b.restore(),er(a,w,c)):(tr(h,x),er(a,w,c)),
(E||$||O)&&b.restore()}function er(a,c,p){p>0&&(c instanceof Map?c.forEach((f,h)=>{b.strokeStyle=Xs=h,b.stroke(f)}):c!=null&&
a&&b.stroke(c))}function tr(a,c){c instanceof Map?c.forEach((p,f)=>{b.fillStyle=Zn=f,b.fill(p)}):c!=null&&a&&b.fill(c)}function ou(a,c,p,f){
let h=W[a],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(s,a,c,p,f),k=h._incrs=h.incrs(s,a,c,p,f,x);w=nf(c,p,k,f,x)}return h.
_found=w}function Qr(a,c,p,f,h,w,x,k,E,$){let A=x%2/2;P==1&&b.translate(A,A),xl(k,x,E,$,k),b.beginPath();let O,B,ce,oe,te=h+
(f==0||f==3?-w:w);p==0?(B=h,oe=te):(O=h,ce=te);for(let G=0;G<a.length;G++)c[G]!=null&&(p==0?O=ce=a[G]:B=oe=a[G],b.moveTo(
O,B),b.lineTo(ce,oe));b.stroke(),P==1&&b.translate(-A,-A)}function au(a){let c=!0;return W.forEach((p,f)=>{if(!p.show)return;
let h=T[p.scale];if(h.min==null){p._show&&(c=!1,p._show=!1,Xn(!1));return}else p._show||(c=!1,p._show=!0,Xn(!1));let w=p.
side,x=w%2,{min:k,max:E}=h,[$,A]=ou(f,k,E,x==0?J:R);if(A==0)return;let O=h.distr==2,B=p._splits=p.splits(s,f,k,E,$,A,O),
ce=h.distr==2?B.map(V=>Ct[V]):B,oe=h.distr==2?Ct[B[1]]-Ct[B[0]]:$,te=p._values=p.values(s,p.filter(s,ce,f,A,oe),f,A,oe);
p._rotate=w==2?p.rotate(s,te,f,A):0;let G=p._size;p._size=Mt(p.size(s,te,f,a)),G!=null&&p._size!=G&&(c=!1)}),c}function cu(a){
let c=!0;return wl.forEach((p,f)=>{let h=p(s,f,Tn,a);h!=on[f]&&(c=!1),on[f]=h}),c}function uu(){for(let a=0;a<W.length;a++){
let c=W[a];if(!c.show||!c._show)continue;let p=c.side,f=p%2,h,w,x=c.stroke(s,a),k=p==0||p==3?-1:1,[E,$]=c._found;if(c.label!=
null){let st=c.labelGap*k,ft=He((c._lpos+st)*de);yl(c.labelFont[0],x,"center",p==2?"top":ko),b.save(),f==1?(h=w=0,b.translate(
ft,He(wt+Pt/2)),b.rotate((p==3?-br:br)/2)):(h=He(ut+ot/2),w=ft);let Pn=da(c.label)?c.label(s,a,E,$):c.label;b.fillText(Pn,
h,w),b.restore()}if($==0)continue;let A=T[c.scale],O=f==0?ot:Pt,B=f==0?ut:wt,ce=c._splits,oe=A.distr==2?ce.map(st=>Ct[st]):
ce,te=A.distr==2?Ct[ce[1]]-Ct[ce[0]]:E,G=c.ticks,V=c.border,ye=G.show?G.size:0,Ce=He(ye*de),Ue=He((c.alignTo==2?c._size-
ye-c.gap:c.gap)*de),he=c._rotate*-br/180,$e=D(c._pos*de),dt=(Ce+Ue)*k,nt=$e+dt;w=f==0?nt:0,h=f==1?nt:0;let yt=c.font[0],
$t=c.align==1?us:c.align==2?ki:he>0?us:he<0?ki:f==0?"center":p==3?ki:us,Ut=he||f==1?"middle":p==2?"top":ko;yl(yt,x,$t,Ut);
let pt=c.font[1]*c.lineGap,kt=ce.map(st=>D(u(st,A,O,B))),At=c._values;for(let st=0;st<At.length;st++){let ft=At[st];if(ft!=
null){f==0?h=kt[st]:w=kt[st],ft=""+ft;let Pn=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let rt=0;rt<Pn.length;rt++){let Ul=Pn[rt];he?(b.save(),b.translate(h,w+rt*pt),b.rotate(
he),b.fillText(Ul,0,0),b.restore()):b.fillText(Ul,h,w+rt*pt)}}}G.show&&Qr(kt,G.filter(s,oe,a,$,te),f,p,$e,Ce,be(G.width*
de,3),G.stroke(s,a),G.dash,G.cap);let Gt=c.grid;Gt.show&&Qr(kt,Gt.filter(s,oe,a,$,te),f,f==0?2:1,f==0?wt:ut,f==0?Pt:ot,be(
Gt.width*de,3),Gt.stroke(s,a),Gt.dash,Gt.cap),V.show&&Qr([$e],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Pt:ot,be(V.width*de,
3),V.stroke(s,a),V.dash,V.cap)}We("drawAxes")}function Xn(a){M.forEach((c,p)=>{p>0&&(c._paths=null,a&&(r==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let nr=!1,Zr=!1,Ts=[];function du(){Zr=!1;for(let a=0;a<Ts.
length;a++)We(...Ts[a]);Ts.length=0}function es(){nr||(Yd(Tl),nr=!0)}function pu(a,c=!1){nr=!0,Zr=c,a(s),Tl(),c&&Ts.length>
0&&queueMicrotask(du)}s.batch=pu;function Tl(){if(Vr&&(su(),Vr=!1),Bn&&(Jc(),Bn=!1),Js){if(Se(S,us,we),Se(S,"top",Ne),Se(
S,zs,J),Se(S,Vs,R),Se(L,us,we),Se(L,"top",Ne),Se(L,zs,J),Se(L,Vs,R),Se(v,zs,Zt),Se(v,Vs,yn),g.width=He(Zt*de),g.height=He(
yn*de),W.forEach(({_el:a,_show:c,_size:p,_pos:f,side:h})=>{if(a!=null)if(c){let w=h===3||h===0?p:0,x=h%2==1;Se(a,x?"left":
"top",f-w),Se(a,x?"width":"height",p),Se(a,x?"top":"left",x?Ne:we),Se(a,x?"height":"width",x?R:J),$i(a,zn)}else mt(a,zn)}),
Xs=Zn=qr=Ur=Gr=Ir=Br=Kr=Wr=null,at=1,Ps(!0),we!=In||Ne!=kn||J!=Ft||R!=Sn){Xn(!1);let a=J/Ft,c=R/Sn;if(et&&!En&&z.left>=0){
z.left*=a,z.top*=c,ts&&Jt(ts,He(z.left),0,J,R),ns&&Jt(ns,0,He(z.top),J,R);for(let p=0;p<xt.length;p++){let f=xt[p];f!=null&&
(Jn[p]*=a,Qn[p]*=c,Jt(f,Mt(Jn[p]),Mt(Qn[p]),J,R))}}if(xe.show&&!Qs&&xe.left>=0&&xe.width>0){xe.left*=a,xe.width*=a,xe.top*=
c,xe.height*=c;for(let p in ri)Se(is,p,xe[p])}In=we,kn=Ne,Ft=J,Sn=R}We("setSize"),Js=!1}Zt>0&&yn>0&&(b.clearRect(0,0,g.width,
g.height),We("drawClear"),Y.forEach(a=>a()),We("draw")),xe.show&&Qs&&(sr(xe),Qs=!1),et&&En&&(Ln(null,!0,!1),En=!1),ee.show&&
ee.live&&vt&&(ni(),vt=!1),d||(d=!0,s.status=1,We("ready")),Ms=!1,nr=!1}s.redraw=(a,c)=>{Bn=c||!1,a!==!1?cn(N,_.min,_.max):
es()};function Xr(a,c){let p=T[a];if(p.from==null){if(Ye==0){let f=p.range(s,c.min,c.max,a);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Ye>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;a==N&&p.distr==2&&Ye>
0&&(c.min=Nt(c.min,t[0]),c.max=Nt(c.max,t[0]),c.min==c.max&&c.max++),j[a]=c,Vr=!0,es()}}s.setScale=Xr;let ei,ti,ts,ns,_l,
Ll,ss,rs,Pl,Cl,ve,Te,an=!1,Je=z.drag,je=Je.x,qe=Je.y;et&&(z.x&&(ei=Et(vd,L)),z.y&&(ti=Et(xd,L)),_.ori==0?(ts=ei,ns=ti):(ts=
ti,ns=ei),ve=z.left,Te=z.top);let xe=s.select=De({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),is=xe.show?Et(
wd,xe.over?L:S):null;function sr(a,c){if(xe.show){for(let p in a)xe[p]=a[p],p in ri&&Se(is,p,a[p]);c!==!1&&We("setSelect")}}
s.setSelect=sr;function fu(a){if(M[a].show)Oe&&$i(Le[a],zn);else if(Oe&&mt(Le[a],zn),et){let p=Yn?xt[0]:xt[a];p!=null&&Jt(
p,-10,-10,J,R)}}function cn(a,c,p){Xr(a,{min:c,max:p})}function qt(a,c,p,f){c.focus!=null&&wu(a),c.show!=null&&M.forEach(
(h,w)=>{w>0&&(a==w||a==null)&&(h.show=c.show,fu(w),r==2?(cn(h.facets[0].scale,null,null),cn(h.facets[1].scale,null,null)):
cn(h.scale,null,null),es())}),p!==!1&&We("setSeries",a,c),f&&Cs("setSeries",s,a,c)}s.setSeries=qt;function mu(a,c){De(Z[a],
c)}function hu(a,c){a.fill=se(a.fill||null),a.dir=ae(a.dir,-1),c=c??Z.length,Z.splice(c,0,a)}function gu(a){a==null?Z.length=
0:Z.splice(a,1)}s.addBand=hu,s.setBand=mu,s.delBand=gu;function bu(a,c){M[a].alpha=c,et&&xt[a]!=null&&(xt[a].style.opacity=
c),Oe&&Le[a]&&(Le[a].style.opacity=c)}let Xt,un,_n,ls={focus:!0};function wu(a){if(a!=_n){let c=a==null,p=jt.alpha!=1;M.
forEach((f,h)=>{if(r==1||h>0){let w=c||h==0||h==a;f._focus=c?null:w,p&&bu(h,w?1:jt.alpha)}}),_n=a,p&&es()}}Oe&&Kn&&tt(To,
pe,a=>{z._lock||(Mn(a),_n!=null&&qt(null,ls,!0,Ae.setSeries))});function Wt(a,c,p){let f=T[c];p&&(a=a/de-(f.ori==1?Ne:we));
let h=J;f.ori==1&&(h=R,a=h-a),f.dir==-1&&(a=h-a);let w=f._min,x=f._max,k=a/h,E=w+(x-w)*k,$=f.distr;return $==3?fs(10,E):
$==4?Hd(E,f.asinh):$==100?f.bwd(E):E}function vu(a,c){let p=Wt(a,N,c);return Nt(p,t[0],Ve,Fe)}s.valToIdx=a=>Nt(a,t[0]),s.
posToIdx=vu,s.posToVal=Wt,s.valToPos=(a,c,p)=>T[c].ori==0?i(a,T[c],p?ot:J,p?ut:0):o(a,T[c],p?Pt:R,p?wt:0),s.setCursor=(a,c,p)=>{
ve=a.left,Te=a.top,Ln(null,c,p)};function $l(a,c){Se(is,us,xe.left=a),Se(is,zs,xe.width=c)}function Al(a,c){Se(is,"top",
xe.top=a),Se(is,Vs,xe.height=c)}let _s=_.ori==0?$l:Al,Ls=_.ori==1?$l:Al;function xu(){if(Oe&&ee.live)for(let a=r==2?1:0;a<
M.length;a++){if(a==0&&bt)continue;let c=ee.values[a],p=0;for(let f in c)Vt[a][p++].firstChild.nodeValue=c[f]}}function ni(a,c){
if(a!=null&&(a.idxs?a.idxs.forEach((p,f)=>{me[f]=p}):jd(a.idx)||me.fill(a.idx),ee.idx=me[0]),Oe&&ee.live){for(let p=0;p<
M.length;p++)(p>0||r==1&&!bt)&&yu(p,me[p]);xu()}vt=!1,c!==!1&&We("setLegend")}s.setLegend=ni;function yu(a,c){let p=M[a],
f=a==0&&Q==2?Ct:t[a],h;bt?h=p.values(s,a,c)??ln:(h=p.value(s,c==null?null:f[c],a,c),h=h==null?ln:{_:h}),ee.values[a]=h}function Ln(a,c,p){
Pl=ve,Cl=Te,[ve,Te]=z.move(s,ve,Te),z.left=ve,z.top=Te,et&&(ts&&Jt(ts,He(ve),0,J,R),ns&&Jt(ns,0,He(Te),J,R));let f,h=Ve>
Fe;Xt=ge,un=null;let w=_.ori==0?J:R,x=_.ori==1?J:R;if(ve<0||Ye==0||h){f=z.idx=null;for(let k=0;k<M.length;k++){let E=xt[k];
E!=null&&Jt(E,-10,-10,J,R)}Kn&&qt(null,ls,!0,a==null&&Ae.setSeries),ee.live&&(me.fill(f),vt=!0)}else{let k,E,$;r==1&&(k=
_.ori==0?ve:Te,E=Wt(k,N),f=z.idx=Nt(E,t[0],Ve,Fe),$=H(t[0][f],_,w,0));let A=-10,O=-10,B=0,ce=0,oe=!0,te="",G="";for(let V=r==
2?1:0;V<M.length;V++){let ye=M[V],Ce=me[V],Ue=Ce==null?null:r==1?t[V][Ce]:t[V][1][Ce],he=z.dataIdx(s,V,f,E),$e=he==null?
null:r==1?t[V][he]:t[V][1][he];if(vt=vt||$e!=Ue||he!=Ce,me[V]=he,V>0&&ye.show){let dt=he==null?-10:he==f?$:H(r==1?t[0][he]:
t[V][0][he],_,w,0),nt=$e==null?-10:I($e,r==1?T[ye.scale]:T[ye.facets[1].scale],x,0);if(Kn&&$e!=null){let yt=_.ori==1?ve:
Te,$t=ze(jt.dist(s,V,he,nt,yt));if($t<Xt){let Ut=jt.bias;if(Ut!=0){let pt=Wt(yt,ye.scale),kt=$e>=0?1:-1,At=pt>=0?1:-1;At==
kt&&(At==1?Ut==1?$e>=pt:$e<=pt:Ut==1?$e<=pt:$e>=pt)&&(Xt=$t,un=V)}else Xt=$t,un=V}}if(vt||Yn){let yt,$t;_.ori==0?(yt=dt,
$t=nt):(yt=nt,$t=dt);let Ut,pt,kt,At,Gt,st,ft=!0,Pn=Ze.bbox;if(Pn!=null){ft=!1;let rt=Pn(s,V);kt=rt.left,At=rt.top,Ut=rt.
width,pt=rt.height}else kt=yt,At=$t,Ut=pt=Ze.size(s,V);if(st=Ze.fill(s,V),Gt=Ze.stroke(s,V),Yn)V==un&&Xt<=jt.prox&&(A=kt,
O=At,B=Ut,ce=pt,oe=ft,te=st,G=Gt);else{let rt=xt[V];rt!=null&&(Jn[V]=kt,Qn[V]=At,Ro(rt,Ut,pt,ft),$o(rt,st,Gt),Jt(rt,Mt(kt),
Mt(At),J,R))}}}}if(Yn){let V=jt.prox,ye=_n==null?Xt<=V:Xt>V||un!=_n;if(vt||ye){let Ce=xt[0];Ce!=null&&(Jn[0]=A,Qn[0]=O,Ro(
Ce,B,ce,oe),$o(Ce,te,G),Jt(Ce,Mt(A),Mt(O),J,R))}}}if(xe.show&&an)if(a!=null){let[k,E]=Ae.scales,[$,A]=Ae.match,[O,B]=a.cursor.
sync.scales,ce=a.cursor.drag;if(je=ce._x,qe=ce._y,je||qe){let{left:oe,top:te,width:G,height:V}=a.select,ye=a.scales[O].ori,
Ce=a.posToVal,Ue,he,$e,dt,nt,yt=k!=null&&$(k,O),$t=E!=null&&A(E,B);yt&&je?(ye==0?(Ue=oe,he=G):(Ue=te,he=V),$e=T[k],dt=H(
Ce(Ue,O),$e,w,0),nt=H(Ce(Ue+he,O),$e,w,0),_s(Ht(dt,nt),ze(nt-dt))):_s(0,w),$t&&qe?(ye==1?(Ue=oe,he=G):(Ue=te,he=V),$e=T[E],
dt=I(Ce(Ue,B),$e,x,0),nt=I(Ce(Ue+he,B),$e,x,0),Ls(Ht(dt,nt),ze(nt-dt))):Ls(0,x)}else ii()}else{let k=ze(Pl-_l),E=ze(Cl-Ll);
if(_.ori==1){let B=k;k=E,E=B}je=Je.x&&k>=Je.dist,qe=Je.y&&E>=Je.dist;let $=Je.uni;$!=null?je&&qe&&(je=k>=$,qe=E>=$,!je&&
!qe&&(E>k?qe=!0:je=!0)):Je.x&&Je.y&&(je||qe)&&(je=qe=!0);let A,O;je&&(_.ori==0?(A=ss,O=ve):(A=rs,O=Te),_s(Ht(A,O),ze(O-A)),
qe||Ls(0,x)),qe&&(_.ori==1?(A=ss,O=ve):(A=rs,O=Te),Ls(Ht(A,O),ze(O-A)),je||_s(0,w)),!je&&!qe&&(_s(0,0),Ls(0,0))}if(Je._x=
je,Je._y=qe,a==null){if(p){if(Wl!=null){let[k,E]=Ae.scales;Ae.values[0]=k!=null?Wt(_.ori==0?ve:Te,k):null,Ae.values[1]=E!=
null?Wt(_.ori==1?ve:Te,E):null}Cs(Si,s,ve,Te,J,R,f)}if(Kn){let k=p&&Ae.setSeries,E=jt.prox;_n==null?Xt<=E&&qt(un,ls,!0,k):
Xt>E?qt(null,ls,!0,k):un!=_n&&qt(un,ls,!0,k)}}vt&&(ee.idx=f,ni()),c!==!1&&We("setCursor")}let dn=null;Object.defineProperty(
s,"rect",{get(){return dn==null&&Ps(!1),dn}});function Ps(a=!1){a?dn=null:(dn=L.getBoundingClientRect(),We("syncRect",dn))}
function Rl(a,c,p,f,h,w,x){z._lock||an&&a!=null&&a.movementX==0&&a.movementY==0||(si(a,c,p,f,h,w,x,!1,a!=null),a!=null?Ln(
null,!0,!0):Ln(c,!0,!1))}function si(a,c,p,f,h,w,x,k,E){if(dn==null&&Ps(!1),Mn(a),a!=null)p=a.clientX-dn.left,f=a.clientY-
dn.top;else{if(p<0||f<0){ve=-10,Te=-10;return}let[$,A]=Ae.scales,O=c.cursor.sync,[B,ce]=O.values,[oe,te]=O.scales,[G,V]=Ae.
match,ye=c.axes[0].side%2==1,Ce=_.ori==0?J:R,Ue=_.ori==1?J:R,he=ye?w:h,$e=ye?h:w,dt=ye?f:p,nt=ye?p:f;if(oe!=null?p=G($,oe)?
u(B,T[$],Ce,0):-10:p=Ce*(dt/he),te!=null?f=V(A,te)?u(ce,T[A],Ue,0):-10:f=Ue*(nt/$e),_.ori==1){let yt=p;p=f,f=yt}}E&&(c==
null||c.cursor.event.type==Si)&&((p<=1||p>=J-1)&&(p=Nn(p,J)),(f<=1||f>=R-1)&&(f=Nn(f,R))),k?(_l=p,Ll=f,[ss,rs]=z.move(s,
p,f)):(ve=p,Te=f)}let ri={width:0,height:0,left:0,top:0};function ii(){sr(ri,!1)}let Dl,Ol,Nl,Hl;function zl(a,c,p,f,h,w,x){
an=!0,je=qe=Je._x=Je._y=!1,si(a,c,p,f,h,w,x,!0,!1),a!=null&&(tt(Ei,Pi,Vl,!1),Cs(Eo,s,ss,rs,J,R,null));let{left:k,top:E,width:$,
height:A}=xe;Dl=k,Ol=E,Nl=$,Hl=A}function Vl(a,c,p,f,h,w,x){an=Je._x=Je._y=!1,si(a,c,p,f,h,w,x,!1,!0);let{left:k,top:E,width:$,
height:A}=xe,O=$>0||A>0,B=Dl!=k||Ol!=E||Nl!=$||Hl!=A;if(O&&B&&sr(xe),Je.setScale&&O&&B){let ce=k,oe=$,te=E,G=A;if(_.ori==
1&&(ce=E,oe=A,te=k,G=$),je&&cn(N,Wt(ce,N),Wt(ce+oe,N)),qe)for(let V in T){let ye=T[V];V!=N&&ye.from==null&&ye.min!=ge&&cn(
V,Wt(te+G,V),Wt(te,V))}ii()}else z.lock&&(z._lock=!z._lock,Ln(c,!0,a!=null));a!=null&&(Gn(Ei,Pi),Cs(Ei,s,ve,Te,J,R,null))}
function ku(a,c,p,f,h,w,x){if(z._lock)return;Mn(a);let k=an;if(an){let E=!0,$=!0,A=10,O,B;_.ori==0?(O=je,B=qe):(O=qe,B=je),
O&&B&&(E=ve<=A||ve>=J-A,$=Te<=A||Te>=R-A),O&&E&&(ve=ve<ss?0:J),B&&$&&(Te=Te<rs?0:R),Ln(null,!0,!0),an=!1}ve=-10,Te=-10,me.
fill(null),Ln(null,!0,!0),k&&(an=k)}function Fl(a,c,p,f,h,w,x){z._lock||(Mn(a),jr(),ii(),a!=null&&Cs(_o,s,ve,Te,J,R,null))}
function jl(){W.forEach(sf),Fr(s.width,s.height,!0)}Vn(wr,ps,jl);let os={};os.mousedown=zl,os.mousemove=Rl,os.mouseup=Vl,
os.dblclick=Fl,os.setSeries=(a,c,p,f)=>{let h=Ae.match[2];p=h(s,c,p),p!=-1&&qt(p,f,!0,!1)},et&&(tt(Eo,L,zl),tt(Si,L,Rl),
tt(Mo,L,a=>{Mn(a),Ps(!1)}),tt(To,L,ku),tt(_o,L,Fl),Hi.add(s),s.syncRect=Ps);let rr=s.hooks=e.hooks||{};function We(a,c,p){
Zr?Ts.push([a,c,p]):a in rr&&rr[a].forEach(f=>{f.call(null,s,c,p)})}(e.plugins||[]).forEach(a=>{for(let c in a.hooks)rr[c]=
(rr[c]||[]).concat(a.hooks[c])});let ql=(a,c,p)=>p,Ae=De({key:null,setSeries:!1,filters:{pub:zo,sub:zo},scales:[N,M[1]?M[1].
scale:null],match:[Vo,Vo,ql],values:[null,null]},z.sync);Ae.match.length==2&&Ae.match.push(ql),z.sync=Ae;let Wl=Ae.key,li=Oa(
Wl);function Cs(a,c,p,f,h,w,x){Ae.filters.pub(a,c,p,f,h,w,x)&&li.pub(a,c,p,f,h,w,x)}li.sub(s);function Su(a,c,p,f,h,w,x){
Ae.filters.sub(a,c,p,f,h,w,x)&&os[a](null,c,p,f,h,w,x)}s.pub=Su;function Eu(){li.unsub(s),Hi.delete(s),xn.clear(),Ai(wr,
ps,jl),m.remove(),pe?.remove(),We("destroy")}s.destroy=Eu;function oi(){We("init",e,t),vl(t||e.data,!1),j[N]?Xr(N,j[N]):
jr(),Qs=xe.show&&(xe.width>0||xe.height>0),En=vt=!0,Fr(e.width,e.height)}return M.forEach(bl),W.forEach(nu),n?n instanceof
HTMLElement?(n.appendChild(m),oi()):n(s,oi):oi(),s}Ke.assign=De;Ke.fmtNum=Ui;Ke.rangeNum=vr;Ke.rangeLog=kr;Ke.rangeAsinh=
qi;Ke.orient=jn;Ke.pxRatio=de;Ke.join=Kd;Ke.fmtDate=Ii,Ke.tzDate=ip;Ke.sync=Oa;{Ke.addGap=jp,Ke.clipGaps=Mr;let e=Ke.paths=
{points:ja};e.linear=Wa,e.stepped=Up,e.bars=Gp,e.spline=Bp}var Ba=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"response length",names:["train/response_tokens"],unit:"tokens per episode"},{title:"\
tool errors",names:["agent/tool_error_rate"],unit:"of the calls",share:!0},{title:"loss",names:["train/loss"]},{title:"l\
earning rate",names:["train/learning_rate"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"nats per token"},{title:"\
entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_tokens","train/prompt_tokens"],
unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed, truncated, masked",names:[
"train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"s",names:["train/rollout_s\
econds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"speed",names:["train/tokens_pe\
r_second"],unit:"trained tokens/s"},{title:"log-probability gap",names:["train/logprob_gap"],unit:"nats, maximum"},{title:"\
groups with equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Pr(e){let t=new Set(e);return Ba.
map(s=>({...s,names:s.names.filter(r=>t.has(r))})).filter(s=>s.names.length>0)}function Ka(e){let t=new Set(Ba.flatMap(s=>s.
names)),n=new Map;for(let s of e.filter(r=>!t.has(r)).sort()){let r=rf(s);n.set(r,[...n.get(r)??[],s])}return n}function rf(e){
let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}/${t[1]}`:t.length>1?t[0]:"other"}
function Xi(e,t,n){if(t.names.some(i=>i.startsWith("validation/"))&&t.names.length>1)return e.startsWith("validation/")?
"held-out":"training";let r=n.get(e)?.label??(t.names.length===1?e:e.replace(/^[^/]*\//,"").replaceAll("_"," "));return t.
names.length===1?r:r.replace(/ seconds$/,"")}function Ya(e,t){let n=e.names.flatMap(r=>t.get(r)??[]);return n.length===0?
"":e.names.some(r=>r.startsWith("validation/"))||n.length===1?n[0].meaning:n.map(r=>`${Xi(r.name,e,t)}: ${r.meaning}`).join(
"; ")}function Ja(e,t){let[n,s]=[0,0];return e.map(r=>r==null?r:(n=t*n+(1-t)*r,s=t*s+(1-t),n/s))}function Qa(e){let t=Object.
keys(e).sort(),n=new Map;for(let o of t)for(let[u,d]of e[o])n.has(u)||n.set(u,new Map),d!==null&&n.get(u).set(o,d);let s=o=>`\
"${o.replace(/^(?=[=+\-@\t\r])/,"'").replaceAll('"','""')}"`,r=[...n].sort((o,u)=>o[0]-u[0]),i=([o,u])=>[o,...t.map(d=>u.
get(d)??"")];return[["step",...t.map(s)],...r.map(i)].map(o=>o.join(",")+`\r
`).join("")}function Za(e,t){let n=e.filter(i=>i[1]!==null).map(i=>i[0]),s=n.at(-1);if(s===void 0||t===void 0)return;let r=Math.
max(1,...n.slice(1).map((i,o)=>i-n[o]));return t-s>=r?s:void 0}var tc={stages:[],checkpoints:[],marks:[]},Xa=170,xs=["--s1","--s2","--s3","--s4","--s5","--s6"],ys=class{constructor(t,n,s,r,i={
smoothing:0,log:!1}){this.options=t;this.lines=n;this.ground=s;this.signal=r;this.drawing=i;C(this.element,l("h3",null,t.
title,t.unit?l("span",{class:"dim"}," "+t.unit):null),t.about?l("p",{class:"about dim",title:t.about},t.about):null,this.
place,this.legend),this.data=ec(n),this.values(null);let o=new ResizeObserver(()=>this.fit());o.observe(this.place),r.addEventListener(
"abort",()=>{o.disconnect(),this.plot?.destroy()},{once:!0}),wo(()=>this.make(),r)}options;lines;ground;signal;drawing;element=l(
"figure",{class:"chart"});plot;place=l("div",{class:"plot"});legend=l("figcaption",null);data=[[]];zoomed=!1;update(t,n){
let s=t.length===this.lines.length&&t.every((r,i)=>r.label===this.lines[i].label);this.lines=t,this.ground=n,this.data=ec(
t),s&&this.plot?this.plot.setData(this.drawn(),!this.zoomed):this.make(),this.values(null)}redraw(){this.make(),this.values(
null)}drawn(){let[t,...n]=this.data,s=this.drawing.log?n.map(r=>[...r].map(i=>i&&i>0?i:null)):n;return this.drawing.smoothing===
0?[t,...s]:[t,...s.map(r=>Ja([...r],this.drawing.smoothing)),...s]}fit(){let t=this.place.clientWidth;t===0||this.signal.
aborted||(this.plot?this.plot.setSize({width:t,height:Xa}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.
signal.aborted)return;this.plot?.destroy(),this.place.replaceChildren(),this.zoomed=!1;let n=this.data[0].length<40,s={stroke:Yt(
"--dim"),grid:{stroke:Yt("--grid"),width:1},ticks:{stroke:Yt("--grid"),width:1},font:"11px system-ui, sans-serif"};this.
plot=new Ke({width:t,height:Xa,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},
drag:{x:!0,y:!1},...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1,range:(r,i,o)=>this.
reach(r,i,o)},y:{distr:this.drawing.log?3:1,range:(r,i,o)=>this.range(i,o)}},axes:[{...s,size:26,incrs:[1,2,5,10,20,50,100,
200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},{...s,size:52,values:(r,i)=>i.map(o=>this.text(o))}],series:[{},...this.lines.map(
(r,i)=>({label:r.label,stroke:Yt(xs[i%xs.length]),width:1.5,spanGaps:!0,points:{show:n,size:4}})),...(this.drawing.smoothing===
0?[]:this.lines).map((r,i)=>({label:r.label,stroke:Yt(xs[i%xs.length])+"55",width:1,spanGaps:!0,points:{show:!1}}))],hooks:{
drawClear:[r=>lf(r,this.ground)],draw:[r=>af(r,this.ground)],setScale:[(r,i)=>{i==="x"&&(r.over.dataset.steps=`${r.scales.
x.min} ${r.scales.x.max}`)}],setSelect:[r=>{this.zoomed||=r.select.width>0}],setCursor:[r=>this.values(r.cursor.idx??null)]}},
this.drawn(),this.place),this.plot.over.addEventListener("dblclick",()=>{this.zoomed=!1}),this.plot.over.addEventListener(
"click",()=>this.click())}reach(t,n,s){let r=t.data[0],i=n===r[0]&&s===r.at(-1),o=this.ground.last;return i&&o!==void 0&&
o>0?[Math.min(0,n),Math.max(o,s)]:[n,s]}range(t,n){if(this.drawing.log)return t===null||n===null?[.1,1]:Ke.rangeLog(t,n,
10,!1);if(this.options.share&&(n??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)return[0,1];let s=(n-t)*.06||Math.
abs(n)*.1||1;return[t>=0&&t-s<0?0:t-s,n+s]}text(t){return this.options.share?Qe(t).replace(/\.0 %$/," %"):y(t,3)}click(){
let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;let n=this.data[0][t];n!==void 0&&this.options.open(n)}values(t){
let n=this.data[0],s=t!==null&&t<n.length?t:null;C(this.legend,l("span",{class:"dim"},s!==null?`step ${y(n[s])}`:"last"),
this.lines.map((r,i)=>{let o=[...this.data[i+1]??[]],u=s!==null?o[s]:o.findLast(m=>m!=null),d=s===null?Za(r.points,this.
ground.last):void 0;return l("span",{class:"key"},l("i",{class:"swatch",vars:{"--swatch":`var(${xs[i%xs.length]})`}}),r.
label===this.options.title?null:r.label+" ",l("b",null,this.exactly(u)),this.drawing.log&&o.some(m=>typeof m=="number"&&
m<=0)?l("span",{class:"dim"}," (log: only values above 0)"):null,d===void 0?null:l("span",{class:"dim"},` at step ${y(d)}`))}))}exactly(t){
return this.options.share?Qe(t):y(t)}};function lf(e,t){let{ctx:n,bbox:s}=e;n.save(),n.font=`${11*devicePixelRatio}px sy\
stem-ui, sans-serif`,t.stages.forEach((r,i)=>{let o=Math.max(s.left,e.valToPos(r.first_step-.5,"x",!0)),u=r.last_step??1/0,
d=Number.isFinite(u)?e.valToPos(u+.5,"x",!0):s.left+s.width,m=Math.min(s.left+s.width,d);m<=o||(i%2===1&&(n.fillStyle=Yt(
"--band"),n.fillRect(o,s.top,m-o,s.height)),t.stages.length>1&&m-o>40*devicePixelRatio&&(n.fillStyle=Yt("--dim"),n.beginPath(),
n.save(),n.rect(o,0,m-o-6*devicePixelRatio,s.top),n.clip(),n.fillText(Rt(r.name.slice(0,40)),o,s.top-4*devicePixelRatio),
n.restore()))}),n.restore()}var of={kill:"--bad",resume:"--s1",take_up:"--s1",plugin_restart:"--warn"};function af(e,t){
let{ctx:n,bbox:s}=e,r=o=>o>=s.left&&o<=s.left+s.width;n.save();for(let o of t.marks){let u=of[o.kind];if(o.step===void 0||
!u)continue;let d=e.valToPos(o.step+.5,"x",!0);r(d)&&(n.strokeStyle=Yt(u),n.lineWidth=devicePixelRatio,n.setLineDash([3*
devicePixelRatio,3*devicePixelRatio]),n.beginPath(),n.moveTo(d,s.top),n.lineTo(d,s.top+s.height),n.stroke())}n.setLineDash(
[]);let i=s.top+s.height;for(let o of t.checkpoints){let u=e.valToPos(o.step,"x",!0);r(u)&&(n.fillStyle=Yt(o.best?"--s2":
"--dim"),n.beginPath(),n.moveTo(u,i-(o.best?9:6)*devicePixelRatio),n.lineTo(u-3.5*devicePixelRatio,i),n.lineTo(u+3.5*devicePixelRatio,
i),n.fill())}n.restore()}function ec(e){let t=[...new Set(e.flatMap(r=>r.points.map(i=>i[0])))].sort((r,i)=>r-i),n=new Map(
t.map((r,i)=>[r,i])),s=e.map(r=>{let i=new Array(t.length).fill(void 0);for(let[o,u]of r.points)i[n.get(o)]=u;return i});
return[t,...s]}var sc=6;async function rc(e){let t=[...new Set(e.query.getAll("run"))].slice(0,sc);e.title({text:"compare "+t.join(", ")});
let n=(await ar(e.signal)).runs,s=l("div",null),r=l("div",null);if(C(e.root,l("div",{class:"bar"},l("h1",null,"Compare"),
cf(t,n)),uf(t,n),s,r),t.length<2){C(s,l("p",{class:"empty"},"Select a second run."));return}await Promise.all([ke(e,r,async()=>{
let[i,...o]=t,u=[];for(let d of o)u.push(ff(await no(i,d,e.signal),i,d));return u}),ke(e,s,()=>df(e,t))])}function cf(e,t){
let n=t.filter(r=>!e.includes(r.name)),s=l("select",{"aria-label":"add a run","data-filter":!0},l("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(r=>l("option",{value:r.name},r.name)));return s.disabled=e.length>=sc||n.length===0,
s.addEventListener("change",()=>{s.value!==""&&(location.hash=U(["compare"],{run:[...e,s.value]}))}),s}function uf(e,t){
return l("div",{class:"sides"},e.map((n,s)=>{let r=t.find(i=>i.name===n);return l("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${s+1})`}},l("h2",null,l("i",{class:"swatch"}),l("a",{href:Rn(n)},n)," ",r?Os(r):null,l("a",{class:"qui\
et",title:"remove this run",href:U(["compare"],{run:e.filter(i=>i!==n)})},"\xD7")),r?fn([["step",y(r.step)],["held-out s\
uccess",Ns(r)],["adapter",r.adapter],["spec",r.spec]]):l("p",null,"No run with this name in this directory."))}))}async function df(e,t){
let n=await Promise.all(t.map(g=>An(g,e.signal))),s=n.map(g=>new Set(g.metrics??[])),r=[...new Set(n.flatMap(g=>g.metrics??
[]))],i=r.filter(g=>s.every(b=>b.has(g))),o=r.filter(g=>!s.every(b=>b.has(g))),u=Pr(r).flatMap(g=>g.names),d=g=>{let b=l(
"div",null);return ke(e,b,async()=>l("div",{class:"grid"},await pf(e,t,g))),b},m=i.filter(g=>!u.includes(g)).sort().slice(
0,60);return[d(u),m.length>0?Pe(`${ie(m.length,"other metric")} of all runs`,()=>d(m)):null,o.filter(g=>!u.includes(g)).
length>0?Pe("metrics of some runs only",()=>d(o.filter(g=>!u.includes(g)).sort().slice(0,60))):null]}async function pf(e,t,n){
if(n.length===0)return[];let s=await Promise.all(t.map(r=>$s(r,n,void 0,e.signal)));return n.map(r=>new ys({title:r,sync:"\
compare",share:r.endsWith("success_rate")},t.map((i,o)=>({label:i,points:s[o].series[r]??[]})),tc,e.signal).element)}function ff(e,t,n){
let s=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],r=new Set(
e.unrecorded??[]),i=s.filter(([o,u])=>(u??[]).length===0&&!r.has(o)).map(([o])=>o);return ue(`Differences between ${t} a\
nd ${n}`,e.same_digest?l("p",null,"Their newest checkpoints are identical."):null,i.length>0?l("p",null,`Equal in both: ${i.
join(", ")}.`):null,r.size>0?l("p",{class:"dim"},`Not compared, because a run of an earlier version does not record it: ${[
...r].join(", ")}.`):null,s.filter(([,o])=>(o??[]).length>0).map(([o,u])=>[l("h3",null,o),_e([{title:"",half:!0,cell:d=>l(
"code",null,d.path)},{title:t,half:!0,cell:d=>nc(d.a)},{title:n,half:!0,cell:d=>nc(d.b)}],u.slice(0,300))]))}function nc(e){
if(e===void 0)return l("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return l("span",{class:"\
value"},t.length>300?t.slice(0,300)+" \u2026":t)}async function ic(e,t,n){let s=[];for(let r of t){let i=await cs(e,r,n).catch(()=>null);i&&s.push(i)}return mf(s)}function mf(e){
let t=[Cr(e,s=>s.failure?.detail&&`\u201C${oc(s.failure.detail)}\u201D`),Cr(e,s=>s.limit?.words),Cr(e,s=>hf(s)),Cr(e,s=>gf(
s))].filter(s=>s!==null);if(t.length===0)return null;let n=t.map(s=>s.of===e.length?s.words:`${s.words} (${y(s.of)} of t\
hem)`);return`In a sample of ${y(e.length)}: ${n.join("; ")}.`}function Cr(e,t){let n=new Map;for(let i of e){let o=t(i);
o&&n.set(o,(n.get(o)??0)+1)}let[s,r]=[...n].sort((i,o)=>o[1]-i[1])[0]??["",0];return 2*r>e.length?{words:s,of:r}:null}function lc(e){
return(e.transcripts??[]).flatMap(t=>t.messages)}function hf(e){let[t]=lc(e).flatMap(n=>n.malformed??[]);return t&&`\u201C${oc(
t.reason)}\u201D`}function gf(e){let t=lc(e),n=new Set(t.map(r=>r.tool_call_id)),s=t.flatMap(r=>r.tool_calls??[]).find(r=>!n.
has(r.id));return s&&`the call of ${s.name} has no result`}function oc(e){return e.length>160?e.slice(0,160)+"\u2026":e}var bf=.7,wf=1;function cc(e,t,n){let s=t.findings??[],r=el(n),i=t.not_checked??[];return s.length+r.length+i.length===0?
null:ue("Findings",s.length===0?l("p",{class:"dim"},"No rule has found anything wrong."):null,s.map(o=>xf(e,t,o)),r.length===
0?null:l("ul",{class:"findings"},r.map(o=>Sf(e,t,o))),i.length===0?null:Pe(`Not checked: ${ie(i.length,"rule")}`,()=>vf(
i)))}function vf(e){let t=n=>[...n.needs??[],...n.any?[n.any.join(" or ")]:[]].join(", ");return[l("p",{class:"dim"},"Th\
e trainer or the spec does not provide the metrics that these rules need."),_e([{title:"rule",cell:n=>l("code",null,n.id)},
{title:"what it finds",cell:n=>n.title},{title:"needs",wide:!0,cell:n=>l("code",null,t(n))}],e)]}function xf(e,t,n){let s=n.
severity==="error",r=u=>l("a",{href:Ge(t.name,u)},y(u)),i=yf(n),o=(n.episodes??[]).map((u,d)=>[" ",l("a",{href:Ie(t.name,
u),title:u},`example ${d+1}`)]);return l("article",{class:"finding item"+(s?" severe":"")},l("header",null,l("span",{class:"\
badge "+(s?"bad":"warn")},n.severity),l("b",null,n.summary),l("span",{class:"dim"},n.first_step===n.last_step?["step ",r(
n.first_step)]:["steps ",r(n.first_step)," to ",r(n.last_step)],(t.stages??[]).length>1?`, ${n.stage}`:"")),(n.causes??[]).
length===0?null:[l("p",{class:"dim"},"Likely causes:"),l("ul",null,n.causes.map(u=>l("li",null,u)))],l("p",null,l("b",null,
"Remedy: "),n.remedy),o.length===0?null:kf(e,t,n),l("p",{class:"more"},o.length===0?null:["Episodes:",o],i?[" ",l("a",{href:U(
["run",t.name,"episodes"],i)},"all such episodes")]:null," ",nn(`awhost docs ${n.docs}`)))}function yf(e){let t="train";
switch(e.id){case"failures":return e.subject?{split:t,class:e.subject}:{split:t,outcome:"FAILED"};case"cut":return{split:t,
outcome:"TRUNCATED"};case"malformed_calls":return{split:t,malformed_min:"1"}}return null}function kf(e,t,n){let s=l("div",
{class:"dim","aria-live":"polite"});return ic(t.name,n.episodes,e.signal).then(r=>{r&&!e.signal.aborted&&C(s,r)}),s}function Sf(e,t,n){
let s=l("div",{class:"dim","aria-live":"polite"});n.look&&ur(t.name,e.signal).then(i=>{let o=Ef(i.settings);o&&!e.signal.
aborted&&C(s,o)},()=>{});let r=U(["run",t.name,"episodes"],n.query);return l("li",{class:"item",data:{href:r}},l("b",null,
n.words)," ",n.advice," ",l("a",{href:r},"Show episodes"),s)}function Ef(e){let t=e.filter(s=>s.path.startsWith("environ\
ment.")&&(s.path.endsWith(".ground_truth")&&s.value===!0||JSON.stringify(s.value).includes("task.private")));return t.length===
0?null:`The spec gives the private part of tasks to the environment: ${t.slice(0,5).map(s=>`${s.path} = ${JSON.stringify(
s.value)}`).join("; ")}.`}function el(e){return[...Mf(e),..._f(e)]}function Mf(e){let t=e.map(n=>n.success).filter(n=>typeof n==
"number");return t.length<2||t.some(n=>n!==1)?[]:[{words:"All tasks are solved from the first step on.",advice:"Check wh\
ether a tool or the prompt contains the answer.",query:{split:"train"},look:!0}]}var Tf={model:"messages of the policy",
tool:"the environment",reward:"rewards",siblings:"waiting for other samples of the group",host:"awhost"};function _f(e){
let t=new Map;for(let o of e)for(let[u,d]of Object.entries(o.parts??{}))u!=="queue"&&t.set(u,(t.get(u)??0)+d);let n=ac([
...t.values()]),[s,r]=[...t].sort((o,u)=>u[1]-o[1])[0]??["",0],i=r/Math.max(1,ac(e.map(o=>o.episodes)));return n===0||r<
bf*n||s==="model"||i<wf?[]:[{words:`${Qe(r/n)} of the episodes' time went into ${Tf[s]??s}`,advice:`(${Be(i)} per episod\
e).`,query:{split:"train",sort:"-seconds"}}]}function ac(e){return e.reduce((t,n)=>t+(n??0),0)}var uc=25;async function fc(e,t){e.title({text:t});let n=await An(t,e.signal),s=l("div",null),r=l("div",null),i=new tl(e,
n),o=new nl(e,n),u=l("div",null),d=l("div",null),m=l("div",null),g=S=>{C(s,Cf(S)),C(m,$f(S)),C(u,zf(S),Hf(S),Vf(S),qf(S),
Wf(S)),document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",S.status)};g(n);let b=n.played?l("p",
{class:"dim"},Lf):[i.element,o.element];if(C(e.root,s,d,m,r,b,u,Af(e,t)),e.key("e","all episodes",()=>{location.hash=U([
"run",t,"episodes"])}),e.key("a","all tasks",()=>{location.hash=U(["run",t,"tasks"])}),e.key("v","validations",()=>{location.
hash=U(["run",t,"validations"])}),e.key("s","the newest step",()=>{location.hash=Ge(t,Math.max(0,n.step))}),n.played||(i.
load(),o.load(),dc(e,n,d)),!n.live)return;pc(e,t,r),e.onLive(t,S=>{v(S)});let v=async S=>{let L=new Set(S.map(D=>D.kind)),
P=await An(t,e.signal).catch(()=>null);!P||e.signal.aborted||(Object.assign(n,P),g(P),!n.played&&(L.has("step")||L.has("\
state"))&&(i.refresh(P,L.has("state")),o.refresh(P),dc(e,P,d)),pc(e,t,r))}}var Lf="Tasks of awhost debug. Nothing is tra\
ined, so the run has no curves, steps, or checkpoints.",Pf=50;async function dc(e,t,n){let s=await As(t.name,Math.max(0,
t.step-Pf+1),Math.max(0,t.step),e.signal).catch(()=>null);if(e.signal.aborted)return;let r=s?.steps??[],i=JSON.stringify(
[t.findings,t.not_checked,el(r)]);n.dataset.drawn!==i&&(n.dataset.drawn=i,C(n,cc(e,t,r)))}function Cf(e){let t=[e.step>=
0?`${y(e.step)}${e.steps?` of ${y(e.steps)}`:""}`:"none"];return[l("div",{class:"bar"},l("h1",null,e.name),Os(e),l("span",
{class:"grow"}),l("a",{class:"button",href:U(["run",e.name,"episodes"])},"Episodes"),l("a",{class:"button",href:U(["run",
e.name,"tasks"])},"Tasks"),l("a",{class:"button",href:U(["run",e.name,"validations"])},"Validations"),l("a",{class:"butt\
on",href:U(["compare"],{run:[e.name]})},"Compare")),fn([["step",e.played?null:t],["stage",e.stage],["held-out success",e.
played?null:Ns(e)],["episodes",e.episodes===void 0?null:y(e.episodes)],["adapter",e.adapter],["train",e.train],["dataset",
e.played?.dataset],["policy",e.played?.policy],["spec",e.spec],["machine",e.machine],["started",Dn(e.started)],["duratio\
n",e.live||e.ended?fr(e.started,e.live?void 0:e.ended):null],["disk",Dt(e.disk_bytes)],["digest",e.digest?l("code",null,
e.digest.slice(0,19)):null]]),Rf(e)]}function $f(e){return[e.problem||e.reason?l("p",{class:"warning"},e.problem??e.reason):
null,(e.warnings??[]).map(t=>l("p",{class:"warning",role:"status"},t))]}function Af(e,t){return Pe(l("b",null,"Spec"),()=>{
let n=l("div",null);return ke(e,n,async()=>{let s=(await ur(t,e.signal)).settings.map(u=>[u.path,JSON.stringify(u.value)]),
r=l("div",null),i=l("input",{type:"search",placeholder:"setting or value","aria-label":"filter settings"}),o=()=>{let u=i.
value.trim().toLowerCase(),d=s.filter(([m,g])=>`${m} = ${g}`.toLowerCase().includes(u));C(r,_e([{title:"setting",cell:([
m])=>l("code",null,m)},{title:"value, including defaults",wide:!0,cell:([,m])=>Re(m,400)}],d.slice(0,500)),d.length>500?
l("p",{class:"dim"},`${ie(d.length-500,"more setting")}: refine the filter`):null)};return i.addEventListener("input",o),
o(),[i,r]}),n})}function Rf(e){let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,s)=>s[1]-n[1]);return t.
length===0?null:l("p",{class:"chips"},l("span",{class:"dim"},"Failed: "),t.map(([n,s])=>l("a",{class:"chip bad",href:U([
"run",e.name,"episodes"],{class:n})},`${n.toLowerCase()} `,l("b",null,y(s)))))}var tl=class{constructor(t,n){this.view=t;
this.run=n}view;run;element=l("section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";drawing={
smoothing:0,log:!1};about=new Map;async load(){this.drawn=(this.run.metrics??[]).join(`
`),this.about=new Map((this.run.about??[]).map(s=>[s.name,s]));let t=Pr(this.run.metrics??[]),n=l("div",{class:"grid"});
await ke(this.view,this.element,async()=>(await this.fetch(t.flatMap(s=>s.names)),C(n,t.map(s=>this.chart(s))),t.length===
0?l("p",{class:"empty"},"No curves: no step has ended."):[this.controls(),n,[...Ka(this.run.metrics??[])].map(([s,r])=>this.
part(s,r))]))}controls(){let t=()=>this.charts.forEach(({chart:o})=>o.redraw()),n=l("select",{"aria-label":"smoothing"},
[0,.6,.9,.97].map(o=>l("option",{value:o},o===0?"no smoothing":`smoothing ${o}`)));n.value=String(this.drawing.smoothing),
n.addEventListener("change",()=>{this.drawing.smoothing=Number(n.value),t()});let s=l("input",{type:"checkbox",checked:this.
drawing.log});s.addEventListener("change",()=>{this.drawing.log=s.checked,t()});let r=l("span",{class:"bad",role:"status"}),
i=()=>$s(this.run.name,[],void 0,this.view.signal).then(({series:o})=>Df(`${this.run.name}.csv`,Qa(o)),o=>C(r,o instanceof
Error?o.message:String(o)));return l("div",{class:"bar controls"},n,l("label",null,s," log scale"),l("button",{onclick:t,
title:"drag over steps of a curve to zoom"},"Reset zoom"),l("button",{onclick:()=>{i()}},"Download CSV"),r)}part(t,n){let s=[
l("b",null,t),l("span",{class:"dim"},` ${ie(n.length,"metric")}`)];return Pe(s,()=>{let r=l("div",null),i=24,o=u=>ke(this.
view,r,async()=>{let d=n.slice(u,u+i);return await this.fetch(d),[l("div",{class:"grid"},d.map(m=>this.chart(this.alone(
m)))),n.length>i?l("div",{class:"pager"},l("button",{disabled:u===0,onclick:()=>{o(u-i)}},"\u2190"),l("span",null,`${u+1}\
 to ${u+d.length} of ${n.length}`),l("button",{disabled:u+i>=n.length,onclick:()=>{o(u+i)}},"\u2192")):null]});return o(
0),r})}alone(t){let n=this.about.get(t);return{title:n?.label??t,names:[t],unit:n?.unit,share:n?.unit==="fraction"}}chart(t){
let n=new ys({title:t.title,about:Ya(t,this.about),unit:t.unit,share:t.share,sync:"run",open:s=>{location.hash=Ge(this.run.
name,s)}},this.lines(t),this.ground(),this.view.signal,this.drawing);return this.charts.push({of:t,chart:n}),n.element}lines(t){
return t.names.map(n=>({label:Xi(n,t,this.about),points:this.points.get(n)??[]}))}ground(){return{stages:this.run.stages??
[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??[],last:this.run.step}}async fetch(t,n){if(t.length===0)return;
let{series:s}=await $s(this.run.name,t,n,this.view.signal);for(let[r,i]of Object.entries(s)){let o=n===void 0?[]:(this.points.
get(r)??[]).filter(u=>u[0]<=n);this.points.set(r,[...o,...i])}}async refresh(t,n){if(this.run=t,this.drawn===""||this.charts.
length===0&&(t.metrics??[]).length>0)return this.load();let s=[...new Set(this.charts.flatMap(i=>i.of.names))],r=Math.max(
-1,...s.flatMap(i=>(this.points.get(i)??[]).slice(-1).map(o=>o[0])));try{await this.fetch(s,n||r<1?void 0:r-1)}catch{return}
for(let{of:i,chart:o}of this.charts)o.update(this.lines(i),this.ground())}};function Df(e,t){let n=document.createElement(
"a");n.href=URL.createObjectURL(new Blob([t],{type:"text/csv"})),n.download=e,n.click(),setTimeout(()=>URL.revokeObjectURL(
n.href),6e4)}var nl=class{constructor(t,n){this.view=t;this.run=n;this.element.append(this.place)}view;run;element=ue("S\
teps");place=l("div",null);top;load(){return ke(this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.
top===void 0&&!this.place.contains(document.activeElement)){let n=await this.draw().catch(()=>null);n&&!this.view.signal.
aborted&&C(this.place,n)}}async draw(){let t=this.top??this.run.step,n=Math.max(0,t-uc+1),{steps:s}=await As(this.run.name,
n,Math.max(0,t),this.view.signal);if(s.length===0)return l("p",{class:"empty"},"No steps: none has ended.");let r=i=>{let o=t+
i*uc;this.top=o>=this.run.step?void 0:o,this.load()};return[Of(this.run.name,[...s].sort((i,o)=>o.step-i.step)),n>0||this.
top!==void 0?l("div",{class:"pager"},l("button",{disabled:this.top===void 0,onclick:()=>r(1)},"\u2190 Newer"),l("span",null,
`steps ${n} to ${t}`),l("button",{disabled:n===0,onclick:()=>r(-1)},"Older \u2192")):null]}};function Of(e,t){let n=[...new Set(
t.flatMap(s=>Object.keys(s.seconds??{})))];return _e([{title:"step",right:!0,cell:s=>l("a",{href:Ge(e,s.step)},y(s.step))},
{title:"stage",cell:s=>s.stage??"\u2013"},{title:"episodes",right:!0,cell:s=>y(s.episodes)},{title:"reward",right:!0,cell:s=>y(
s.reward)},{title:"success",right:!0,cell:s=>Qe(s.success)},{title:"failed",right:!0,cell:s=>$r(s.failed)},{title:"trunc\
ated",right:!0,cell:s=>$r(s.truncated)},...n.map(s=>({title:s.replaceAll("_"," "),right:!0,cell:r=>Be(r.seconds?.[s])})),
{title:"",wide:!0,cell:()=>""}],t,s=>Ge(e,s.step))}function $r(e){return e?l("span",{class:"bad"},y(e)):y(e)}var Nf={start:"\
started",resume:"resumed",kill:"killed",end:"ended",take_up:"trainer reattached",stage:"stage",plugin_restart:"plugin re\
started"};function Hf(e){let t=[...e.marks??[]].sort((r,i)=>i.time.localeCompare(r.time));if(t.length===0)return null;let n=r=>_e(
[{title:"time",cell:i=>Dn(i.time)},{title:"step",right:!0,cell:i=>y(i.step)},{title:"what",cell:i=>l("span",{class:"badg\
e "+(i.kind==="kill"?"bad":"")},Nf[i.kind]??i.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:i=>i.text}],r),s=10;return ue(
"Events",n(t.slice(0,s)),t.length>s?Pe(`${ie(Math.min(t.length,500)-s,"earlier entry").replace("entrys","entries")}`,()=>n(
t.slice(s,500))):null)}function zf(e){let t=[...e.tools??[]].sort((n,s)=>s.errors-n.errors||s.calls-n.calls);return t.length===
0&&!e.malformed?null:ue("Tools",t.length===0?null:_e([{title:"tool",cell:n=>l("code",{class:"short",title:n.name},n.name)},
{title:"calls",right:!0,cell:n=>y(n.calls)},{title:"errors",right:!0,cell:n=>$r(n.errors)},{title:"error share",right:!0,
cell:n=>n.calls>0?Qe(n.errors/n.calls):"\u2013"},{title:"",wide:!0,cell:()=>""}],t),e.malformed?l("p",null,l("b",null,ie(
e.malformed,"malformed call"))," could not be parsed, so that their tools are unknown. ",l("a",{href:U(["run",e.name,"ep\
isodes"],{split:"train",malformed_min:"1"})},"Show episodes")):null)}function Vf(e){return(e.plugins??[]).length===0?null:
ue("Plugins",_e([{title:"address",cell:t=>l("code",null,t.address)},{title:"plugin",cell:t=>`${t.name??""} ${t.version??
""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>$r(t.restarts)},{title:"\
CPU",right:!0,cell:Ff},{title:"memory",right:!0,cell:t=>Dt(t.rss_bytes)},...e.plugins.some(t=>t.gpus)?[{title:"GPU memor\
y",right:!0,cell:t=>jf(t)}]:[],{title:"last output",wide:!0,cell:t=>t.last_words?l("div",{class:"words"},Re(t.last_words,
400)):""}],e.plugins),e.played?null:l("p",{class:"dim"},"Output of all plugins: ",nn(`awhost logs ${e.name}`)))}function Ff(e){
return e.cpu_percent===void 0?Be(e.cpu_seconds):[Be(e.cpu_seconds),l("span",{class:"dim"},` ${Math.round(e.cpu_percent)}\
 %`)]}function jf(e){return(e.gpus??[]).map(t=>l("div",null,l("span",{class:"dim"},`${t.index}: `),Dt(t.bytes)))}function qf(e){
return(e.gpus??[]).length===0?null:ue("GPUs",_e([{title:"",right:!0,cell:t=>String(t.index)},{title:"name",cell:t=>t.name??
"\u2013"},{title:"memory",cell:t=>[`${Dt(t.used_bytes)} of ${Dt(t.total_bytes)}`,t.total_bytes?l("progress",{value:t.used_bytes??
0,max:t.total_bytes,"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],e.gpus))}function Wf(e){let t=[...e.checkpoints??
[]].sort((n,s)=>s.step-n.step).slice(0,200);return t.length===0?null:ue("Checkpoints",_e([{title:"step",right:!0,cell:n=>l(
"a",{href:Ge(e.name,n.step)},y(n.step))},{title:"",cell:n=>n.best?l("span",{class:"badge good"},"best"):""},{title:"path",
wide:!0,cell:n=>n.path?nn(n.path):""}],t))}async function pc(e,t,n){let s=await eo(t,e.signal).catch(()=>null);if(!s||!s.
live||e.signal.aborted)return C(n);if(s.waits.length===0)return C(n);let r=s.waits[0];C(n,Pe([l("b",null,"Waits: "),Uf(r),
s.waits.length>1?`, and ${s.waits.length-1} more`:""],()=>_e([{title:"who",cell:i=>i.episodes?ie(i.episodes,"episode"):"\
the "+i.who},{title:"waits for",cell:i=>[i.for," ",i.address??"",i.call?`, ${i.call}`:""]},{title:"since",right:!0,cell:i=>Be(
i.seconds)},{title:"longest",cell:i=>i.episode?l("a",{href:Ie(t,i.episode)},i.episode):""},{title:"",wide:!0,cell:i=>i.detail??
""}],s.waits),n.querySelector("details")?.open??!1))}function Uf(e){return`${e.episodes?`${ie(e.episodes,"episode")} wai\
t`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${Be(e.seconds)}`}var zt=e=>({text:e,href:Rn(e)});function Tt(e){let t=e.filter(r=>typeof r=="number"&&Number.isFinite(r)),n=Math.min(0,...t),s=Math.max(1,...t);if(n<0){let r=Math.
max(-n,Math.max(0,...t));return{low:-r,high:r}}return{low:0,high:s}}function Ar(e){return{low:-e,high:e}}function _t(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let s=n.high-
n.low,r=s===0?.5:Math.min(1,Math.max(0,(t-n.low)/s));return e.classList.add(r<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(r-.5)*200)}%`),e}function bn(e,t,n,s=!1){let r=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",i=l("a",
{class:"cell"+(s?" here":""),href:Ie(e,t.id),title:Gf(t),"aria-current":s?"true":void 0},r?Xe(t.outcome):t.reward===null||
t.reward===void 0?"none":y(t.reward,3),t.success===!0?l("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?l("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?l("span",{class:"cut","aria-label":"\
malformed calls"},"\u2260"):null);return _t(i,t.outcome==="FAILED"?null:t.reward,n)}function Gf(e){let t=e.success===!0?
", solved":e.success===!1?", not solved":"",n=e.class?` (${Xe(e.class)})`:"",s=e.malformed?`, ${ie(e.malformed,"malforme\
d call")}`:"";return`${e.id}: ${Xe(e.outcome)}${n}, reward ${y(e.reward)}${t}${s}`}function qn(e){let t=e.outcome==="SCO\
RED"&&!e.malformed,n=e.outcome==="FAILED"?"bad":t?"good":"warn";return l("span",{class:"badge "+n},e.outcome?Xe(e.outcome):
"given up",e.class?`: ${Xe(e.class)}`:"",e.malformed?`, ${ie(e.malformed,"malformed call")}`:"")}function mc(e,t){return _t(
l("span",{class:"cell small"},y(e.reward,3)),e.reward,t)}var bc=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],If=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function wc(e){let t={};for(let n of bc){
let s=e.get(n);s&&(t[n]=s)}return t}function Us(e){return bc.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function vc(e,t,n){
let s=d=>t.get(d)??"",r=(d,m={})=>[...new Set([...Object.keys(m),s(d)])].filter(g=>g!=="").map(g=>[g,`${Xe(g)} (${y(m[g]??
0)})`]),i=["member","task","group","turns_min","turns_max","malformed_min"].some(d=>s(d)!==""),o=l("form",{class:"filter",
role:"search"},Rr("q","text",s("q"),{"data-filter":!0,placeholder:"text in the conversation",type:"search"}),sl("outcome",
s("outcome"),[["","any outcome"],...r("outcome",n.outcomes)]),sl("class",s("class"),[["","any failure"],...r("class",n.failures)]),
sl("sort",s("sort"),If),gc("reward",s),l("details",{class:"more",open:i},l("summary",null,"more"),l("div",{class:"filter"},
gc("turns",s),Bf("malformed","malformed calls",s),Rr("task","task",s("task")),Rr("group","group",s("group")),Rr("member",
"member",s("member")))),l("button",null,"Filter"),Us(t)?l("a",{class:"button quiet",href:U(e,hc(t))},"Clear"):null),u=()=>{
let d=hc(t);for(let[m,g]of new FormData(o))typeof g=="string"&&g.trim()!==""&&(d[m]=g.trim());location.hash=U(e,d)};return o.
addEventListener("submit",d=>{d.preventDefault(),u()}),o.addEventListener("change",d=>{d.target instanceof HTMLSelectElement&&
u()}),o}function hc(e){let t={};for(let n of["split","layout","expected"]){let s=e.get(n);s&&(t[n]=s)}return t}function Rr(e,t,n,s={}){
return l("label",null,l("span",null,t),l("input",{name:e,value:n,type:"text",autocomplete:"off",...s}))}function Bf(e,t,n){
let s={name:`${e}_min`,value:n(`${e}_min`),type:"number",min:0,placeholder:"from"};return l("label",{class:"range"},l("s\
pan",null,t),l("input",s))}function gc(e,t){let n=(s,r)=>l("input",{name:`${e}_${s}`,value:t(`${e}_${s}`),type:"number",
step:"any",placeholder:r,"aria-label":`${e} ${r}`});return l("label",{class:"range"},l("span",null,e),n("min","from"),n(
"max","to"))}function sl(e,t,n){let s=l("select",{name:e,"aria-label":e},n.map(([r,i])=>l("option",{value:r},i)));return s.
value=t,s}function Gs(e,t){let n=new Map;for(let s of e){let r=t(s),i=n.get(r);i?i.push(s):n.set(r,[s])}return n}var Dr=20;function Kf(e){let t=[...new Set(e)].sort((o,u)=>o-u);if(t.length===0)return[];if(t.length<=Dr/2)return t.map(
o=>({from:o,to:o,count:e.filter(u=>u===o).length}));let[n,s]=[t[0],t.at(-1)],r=(s-n)/Dr,i=Array.from({length:Dr},(o,u)=>({
from:n+u*r,to:n+(u+1)*r,count:0}));for(let o of e)i[Math.min(Dr-1,Math.floor((o-n)/r))].count++;return i}function yc(e,t,n){
let s=t.filter(r=>typeof r.reward=="number");return s.length<2?null:ue("Distribution",l("p",{class:"dim"},`${ie(s.length,
"episode")} with a reward`,n>t.length?`, among the first ${y(t.length)} of ${y(n)}`:""),l("div",{class:"grid"},xc("rewar\
d",s.map(r=>r.reward)),xc("length, in sampled tokens",s.map(r=>r.tokens??0)),Yf(e,s)))}function xc(e,t){let n=Kf(t),s=Math.
max(...n.map(u=>u.count)),r=u=>u.from===u.to?y(u.from,3):`${y(u.from,3)} to ${y(u.to,3)}`,i=l("figcaption",null),o=u=>C(
i,u?[l("b",null,r(u)),ie(u.count,"episode")]:kc(n[0].from,n.at(-1).to));return o(void 0),l("figure",{class:"chart"},l("h\
3",null,e),l("div",{class:"histogram",role:"img","aria-label":n.map(u=>`${r(u)}: ${u.count}`).join("; ")},n.map(u=>{let d=l(
"span",{title:`${r(u)}: ${ie(u.count,"episode")}`});return d.append(l("i",{vars:{"--share":String(u.count/s)}})),d.addEventListener(
"mouseenter",()=>o(u)),d.addEventListener("mouseleave",()=>o(void 0)),d})),i)}function kc(e,t){return[l("span",null,y(e,
3)),l("span",{class:"grow"}),l("span",null,y(t,3))]}function Yf(e,t){let n=t.map(u=>u.tokens??0),s=t.map(u=>u.reward),r=u=>{
let[d,m]=[Math.min(...u),Math.max(...u)];return g=>m>d?(g-d)/(m-d):.5},[i,o]=[r(n),r(s)];return l("figure",{class:"chart"},
l("h3",null,"reward against length"),l("div",{class:"scatter"},t.map(u=>l("a",{href:Ie(e,u.id),title:`reward ${y(u.reward)}\
, ${ie(u.tokens??0,"token")}`,vars:{"--x":String(i(u.tokens??0)),"--y":String(o(u.reward))}}))),l("figcaption",null,kc(Math.
min(...n),Math.max(...n)),l("span",{class:"dim"},`tokens; reward ${y(Math.min(...s),3)} to ${y(Math.max(...s),3)}`)))}var Jf=100;async function il(e,t,n){let s=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(zt(t),{text:n===void 0?
"episodes":`step ${n}`});let r=await An(t,e.signal),i=new rl(e,r,n,s);C(e.root,Qf(e,r,n,s),n===void 0?null:Zf(e,t,n),tn===
void 0?vc(s,e.query,r):null,n===void 0||Us(e.query)?null:tm(e,t,n),i.element,n===void 0||Us(e.query)?null:em(e,t,n)),await i.
load(),r.live&&e.onLive(t,o=>i.hear(o.some(u=>n===void 0||u.step===n)))}function Qf(e,t,n,s){let r=e.query.get("split")??
"",i=Object.fromEntries([...e.query].filter(([m])=>m!=="cursor")),o=(m,g)=>l("a",{class:"tab"+(r===m?" here":""),"aria-c\
urrent":r===m?"true":void 0,href:U(s,{...i,split:m})},g),u=e.query.get("layout")??"",d=m=>{location.hash=Ge(t.name,Math.
max(0,(n??0)+m),{split:r})};return n!==void 0&&(e.key("ArrowLeft","previous step",()=>d(-1)),e.key("ArrowRight","next st\
ep",()=>d(1))),l("div",{class:"bar"},l("h1",null,n===void 0?"Episodes":`Step ${y(n)}`),n===void 0?null:l("span",{class:"\
turn"},l("button",{disabled:n===0,title:"previous step (\u2190)","aria-label":"previous step",onclick:()=>d(-1)},"\u2190"),
l("button",{title:"next step (\u2192)","aria-label":"next step",onclick:()=>d(1)},"\u2192")),t.played?null:l("span",{class:"\
tabs"},o("","All"),o("train","Training"),o("validation","Held-out")),n===void 0?null:l("span",{class:"tabs"},l("a",{class:"\
tab"+(u===""?" here":""),href:U(s,{...i,layout:""})},"Groups"),l("a",{class:"tab"+(u==="list"?" here":""),href:U(s,{...i,
layout:"list"})},"List")))}function Zf(e,t,n){let s=l("div",null);return ke(e,s,async()=>{let r=(await As(t,n,n,e.signal)).
steps.find(i=>i.step===n);return r?fn([["stage",r.stage],["episodes",y(r.episodes)],["reward",y(r.reward)],["success",Qe(
r.success)],["failed",y(r.failed)],["truncated",y(r.truncated)],...Xf(r)]):l("p",{class:"dim"},"The step has not ended, \
or belongs to another run.")}),s}function Xf(e){return Object.entries(e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),
Be(n)])}function em(e,t,n){let s=l("div",null),r=e.query.get("split")||"train";return ke(e,s,async()=>{let i=await as(t,
{step:n,split:r,limit:1e3},e.signal);return yc(t,i.episodes,i.total??i.episodes.length)}),s}function tm(e,t,n){let s=l("\
div",null),r=e.query.get("split")??void 0,i=u=>as(t,{step:n,split:r,sort:u,limit:3},e.signal);ke(e,s,async()=>{let[u,d]=await Promise.
all([i("-reward"),i("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(u).length===0||m(u)[0].reward===
m(d)[0].reward)return null;let g=Tt([...m(u),...m(d)].map(b=>b.reward));return l("div",{class:"extremes"},o("Best",m(u),
g),o("Worst",m(d),g))});let o=(u,d,m)=>ue(u,d.map(g=>l("p",{class:"answer"},bn(t,g,m)," ",l("a",{href:Ie(t,g.id),class:"\
quiet"},wn(g.answer)||"no answer"))));return s}var rl=class{constructor(t,n,s,r){this.view=t;this.run=n;this.step=s;this.
path=r;this.element.append(this.news,this.place)}view;run;step;path;element=l("div",null);place=l("div",null);news=l("di\
v",null);load(){return C(this.news),ke(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?C(this.news,
l("p",{class:"news"},l("button",{onclick:()=>{this.load()}},"Show new episodes"))):this.load()}async draw(){let t=this.view.
query.get("cursor")??void 0,n=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),s=n?
{sort:"group"}:{},r=await as(this.run.name,{...wc(this.view.query),...s,step:this.step,limit:Jf,cursor:t},this.view.signal);
if(r.episodes.length===0)return l("p",{class:"empty"},this.emptiness());let i=Tt(r.episodes.map(u=>u.reward)),o=r.total===
void 0?"":`${ie(r.total,"episode")}`;return[l("p",{class:"legend"},l("b",null,o),im(i),this.asks(n)),this.strip(r.episodes,
i),n?this.groups(r.episodes,i):this.list(r.episodes,i),this.pager(r,t)]}emptiness(){return Us(this.view.query)?"No match\
ing episodes.":this.run.live?"No episodes yet. The list updates automatically.":"No episodes."}strip(t,n){if(this.step!==
void 0||!this.view.query.get("task"))return null;let s=Gs([...t].sort((r,i)=>r.step-i.step),r=>r.step);return ue("All ep\
isodes of this task",l("div",{class:"strip"},[...s].map(([r,i])=>l("div",null,l("a",{class:"dim",href:Ge(this.run.name,r)},
`step ${r}`),i.map(o=>bn(this.run.name,o,n))))))}groups(t,n){let s=[...Gs(t,r=>JSON.stringify([r.split,r.group])).values()].
sort(rm);return l("div",{class:"groups"},s.map(r=>{let i=r.toSorted((d,m)=>d.sample-m.sample),o=i[0],u=Ds(this.run.name,
o.group,o.step,o.split);return l("section",{class:"group item",data:{href:u}},l("div",{class:"of"},l("a",{href:u,title:"\
side by side"},o.split==="validation"?"held-out ":"",`group ${o.group}`),l("a",{class:"task",title:"all episodes of this\
 task",href:U(["run",this.run.name,"episodes"],{task:o.task})},o.task),l("span",{class:"dim"},lm(i))),l("div",{class:"ce\
lls"},i.map(d=>bn(this.run.name,d,n))))}))}list(t,n){let s=this.run.name;return _e([...this.step===void 0&&!this.run.played?
[{title:"step",right:!0,cell:r=>l("a",{href:Ge(s,r.step)},y(r.step))}]:[],{title:"episode",cell:r=>l("a",{href:Ie(s,r.id),
title:r.id},Is(r))},{title:"reward",right:!0,cell:r=>mc(r,n)},{title:"success",cell:r=>r.success===!0?"solved":r.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:qn},{title:"task",cell:r=>l("a",{class:"short",href:U(["run",s,"episodes"],
{task:r.task})},r.task)},{title:"answer",wide:!0,cell:r=>l("div",{class:"short",title:r.answer},sm(r))},...this.expected(),
{title:"turns",right:!0,cell:r=>y(r.turns)},{title:"tokens",right:!0,cell:r=>y(r.tokens)},{title:"duration",right:!0,cell:r=>Be(
r.seconds)},{title:"attempt",right:!0,cell:r=>y(r.attempt)}],t,r=>Ie(s,r.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,n=Promise.resolve();return[{title:"private part",cell:r=>{let i=JSON.stringify([r.split,r.task]),
o=t.get(i)??n.then(()=>cr(this.run.name,r.id,this.view.signal).then(nm),()=>"");t.set(i,o),n=o.catch(()=>{});let u=l("di\
v",{class:"private"},"\u2026");return o.then(d=>{u.title=Rt(d),C(u,wn(d))},d=>C(u,l("span",{class:"bad"},d instanceof Error?
d.message:""))),u}}]}asks(t){if(t||tn!==void 0)return null;let n=Object.fromEntries([...this.view.query]),s=!!n.expected;
return l("a",{class:"button quiet",href:U(this.path,{...n,expected:s?"":"1"})},s?"Hide private parts":"Show private part\
s (expected answers)")}pager(t,n){if(!t.next&&!n)return null;let s=Object.fromEntries([...this.view.query].filter(([i])=>i!==
"cursor")),r=()=>{t.next&&(location.hash=U(this.path,{...s,cursor:t.next}))};return this.view.key("n","next page",r),l("\
div",{class:"pager"},l("button",{disabled:!n,onclick:()=>{location.hash=U(this.path,s)}},"First page"),l("button",{disabled:!n,
onclick:()=>history.back()},"\u2190 Back"),l("button",{disabled:!t.next,onclick:r},"Next page \u2192"))}};function Is(e){
return`${e.group}, sample ${y(e.sample)}`}function nm(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([n,s])=>`${n}: ${typeof s=="string"?s:JSON.stringify(s)}`).
join(", ")}function sm(e){let t=e.answer??"",n=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&n?"\u2026 "+wn(
t.slice(-60)):wn(t)}function rm([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function im(e){return l("span",{class:"ramp"},l("span",null,y(e.low)),l("i",null),l("span",null,y(e.high)),l("i",{class:"\
hatched"}),l("span",null,"no reward"))}function lm(e){let t=e.map(s=>s.reward).filter(s=>typeof s=="number");if(t.length===
0)return"no rewards";let n=t.reduce((s,r)=>s+r,0)/t.length;return t.length>1&&t.every(s=>s===t[0])?`all ${y(n,3)}: teach\
es nothing`:`mean ${y(n,3)}`}function wn(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var om=200;function Bs(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),s=l("div",{class:"conversation"});
if(n.reduce((d,m)=>d+m.messages.length,0)===0)return C(s,l("p",{class:"empty"},"No messages.")),s;let i=am(n),o=cm(e,i),
u=d=>{s.querySelector(":scope > button")?.remove();let m=Math.min(i.length,d+om);Kt(s,um(i.slice(d,m),t,o)),m<i.length?s.
append(l("button",{onclick:()=>u(m)},`Show more: ${ie(i.length-m,"message")} left`)):e.limit?.cut&&s.append(l("p",{class:"\
cuthere",title:Rt(e.limit.words)},"\u2702 cut here"))};return u(0),s}function am(e){let t=[],n=new Map;for(let s of e){let r=s.
agent??"";for(let i of s.messages){let o=JSON.stringify([r,i.tool_call_id]),u=i.role==="tool"?n.get(o):void 0;if(u){u.results.
set(i.tool_call_id,i),n.delete(o);continue}let d={member:r,depth:Math.max(0,s.depth??0),message:i,results:new Map};for(let m of i.
tool_calls??[])n.set(JSON.stringify([r,m.id]),d);t.push(d)}}return t}function cm(e,t){let n=t.filter(r=>r.message.role===
"assistant"),s=(e.transcripts?.length??1)===1&&n.length===e.episode.turns;return new Map(s?n.map((r,i)=>[r,i+1]):[])}function Sc(e){
if(e.querySelector("[data-turn]"))return t=>{let n=e.querySelector(`[data-turn="${t}"]`);for(let s of e.querySelectorAll(
".current"))s.classList.remove("current");n?.classList.add("current"),n?.scrollIntoView({block:"start"})}}function um(e,t,n){
let s=l("div",null),r=[{element:s,member:""}];for(let i of e){let o=i.member===""?0:i.depth+1;for(;r.length>o+1||r.length===
o+1&&o>0&&r.at(-1).member!==i.member;)r.pop();for(;r.length<=o;){let u=l("details",{class:"member",open:!0},l("summary",
null,i.member));r.at(-1).element.append(u),r.push({element:u,member:i.member})}r.at(-1).element.append(dm(i,t,n.get(i)))}
return[...s.childNodes]}function dm(e,t,n){let s=e.message,r=s.role||"unknown",i=(s.content??"").length;return l("articl\
e",{class:`message item ${fm(r)}${s.is_error?" error":""}`,data:n?{turn:String(n)}:void 0},l("header",null,l("b",null,r),
s.name?l("span",{class:"dim"},s.name):null,s.is_error?l("span",{class:"badge bad"},"error"):null,i>2e3?l("span",{class:"\
dim"},`${i.toLocaleString("en")} characters`):null),s.reasoning?Pe([l("b",null,"reasoning"),l("span",{class:"dim"}," "+ll(
s.reasoning))],()=>Re(s.reasoning),!1,"thinks"):null,s.content?Re(s.content,t):null,(s.images??[]).map(Ec),(s.attachments??
[]).map(o=>Tc(o,s.content??"")),(s.tool_calls??[]).map(o=>hm(o,e.results.get(o.id))),(s.malformed??[]).map(o=>l("div",{class:"\
malformed"},l("span",{class:"badge warn"},"malformed call")," ",o.reason,(s.content??"").includes(o.text)?null:Pe("text \
of the call",()=>Re(o.text)))),mm(s)?l("p",{class:"dim"},"(nothing)"):null)}var pm=new Set(["system","user","assistant",
"tool"]);function fm(e){return pm.has(e)?e:"other"}function mm(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.
attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function hm(e,t){let n=[l("span",{class:"arrow"},"\u2192"),
l("b",null,e.name||"(no name)"),l("span",{class:"dim oneline"},ll(e.arguments)),t?.is_error?l("span",{class:"badge bad"},
"error"):null,l("span",{class:t&&!t.is_error?"result oneline":"oneline bad"},t?"\u2190 "+ll(t.content??""):"no result")];
return Pe(n,()=>l("div",{class:"body"},l("h4",null,"arguments"),Re(gm(e.arguments)),l("h4",null,"result"),t?[t.content?Re(
t.content):l("p",{class:"dim"},"(nothing)"),(t.images??[]).map(Ec),(t.attachments??[]).map(s=>Tc(s,t.content??""))]:l("p",
{class:"dim"},"The episode ended before the result.")),!1,t?.is_error?"call failed":"call")}function gm(e){if(e.length>1e6)
return e;try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function ll(e){return Rs(e.slice(0,300).replace(
/\s+/g," ").trim())}var bm=new Set(["image/png","image/jpeg","image/gif","image/webp"]),wm=8<<20;function Ec(e){let t=["\
picture",e.mime_type,e.url,e.data?Dt(Math.floor(e.data.length*3/4)):""];return Mc(t.filter(n=>n).join(", "),e.mime_type,
e.data)}function Mc(e,t,n){return!n||!t||!bm.has(t)||n.length>wm||!/^[A-Za-z0-9+/]+=*$/.test(n)?l("p",{class:"attachment"},
"+ "+e):Pe("+ "+e,()=>{let s=document.createElement("img");return s.alt=Rt(e),s.src=`data:${t};base64,${n}`,s},!1,"attac\
hment")}function Tc(e,t){let n=[e.kind||"attachment",e.mime_type,e.name,e.uri,e.size?Dt(e.size):"",e.file?`kept as ${e.file}`:
e.sha256?`not kept, sha256 ${e.sha256}`:""].filter(r=>r).join(", ");if(e.data)return Mc(n,e.mime_type,e.data);let s=e.json!==
void 0?JSON.stringify(e.json,null,2):e.text??"";return s===""||s===t?l("p",{class:"attachment"},"+ "+n):Pe("+ "+n,()=>Re(
s),!1,"attachment")}function Or(e){let t=e.reward,n=t?.total??e.episode.reward,s=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),r=Tt([n,...Object.values(t?.parts??{})]),i=e.episode.success;return l("div",{class:"reward"},l("p",
{class:"total"},_t(l("span",{class:"cell"},y(n)),n,r),i===!0?l("span",{class:"badge good"},"solved"):null,i===!1?l("span",
{class:"badge"},"not solved"):null,n==null?l("span",{class:"dim"},xm(e)):null),t?.expression?l("p",null,l("span",{class:"\
dim"},"expression "),l("code",{class:"expression"},t.expression)):null,s.length===0?null:_e([{title:"part",cell:o=>l("co\
de",null,o.replace(/^reward\./,""))},{title:"value",right:!0,cell:o=>vm(t?.parts?.[o],r)},{title:t?.notes?"notes":"",wide:!0,
cell:o=>t?.notes?.[o]?Re(t.notes[o],400):""}],s),(t?.own_rewards??[]).map(o=>l("p",null,l("code",null,`agent.${o.agent}`),
" reports ",y(o.reward),o.is_success===void 0?"":o.is_success?", solved":", not solved")),ym(t?.turn_rewards??[]))}function vm(e,t){
return e===void 0?"":_t(l("span",{class:"cell small"},y(e)),e,t)}function xm(e){return e.failure||e.episode.outcome==="F\
AILED"?"No reward: the episode failed.":"No reward."}function ym(e){if(e.length===0)return null;let t=Tt(e.map(n=>n.reward));
return l("p",{class:"cells"},l("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>_t(l("span",{class:"cell small",title:n.
call_id},y(n.reward,3)),n.reward,t)))}var km=360,Sm=200;async function _c(e,t,n){let s=Number(e.query.get("step")??0),r=e.query.get("split")??"train";e.title(
zt(t),{text:`step ${s}`,href:Ge(t,s)},{text:`group ${n}`});let o=(await as(t,{step:s,split:r,group:n,limit:Sm},e.signal)).
episodes.toSorted((P,D)=>P.sample-D.sample),u=o[0];if(!u){C(e.root,l("p",{class:"empty"},"This group has no episodes."));
return}let d=Tt(o.map(P=>P.reward)),m=l("div",{class:"beside"}),g=o.map(P=>bn(t,P,d)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/km))),S=()=>{let P=o.slice(b,b+v());g.forEach((D,q)=>D.classList.toggle(
"here",q>=b&&q<b+P.length)),C(m,P.map(D=>Em(e,t,D)))},L=P=>{b=Math.min(Math.max(0,o.length-v()),Math.max(0,b+P*v())),S()};
e.key("ArrowLeft","previous samples",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),C(e.root,l("div",{class:"bar"},
l("h1",null,`Group ${n}`),l("span",{class:"turn"},l("button",{title:"previous samples (\u2190)","aria-label":"previous s\
amples",onclick:()=>L(-1)},"\u2190"),l("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(
1)},"\u2192"))),l("p",null,"Task ",l("a",{href:U(["run",t,"episodes"],{task:u.task})},u.task)),l("div",{class:"cells"},g),
m),S()}function Em(e,t,n){let s=l("div",null);return ke(e,s,async()=>{let r=await cs(t,n.id,e.signal);return[Or(r),Bs(r,
1200)]}),l("section",{class:"panel"},l("h2",null,l("a",{href:Ie(t,n.id)},`sample ${y(n.sample)}`)," ",qn(n)),s)}function Cc(e){let t=e.some(n=>n.model);return _e([{title:"member",cell:n=>l("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>y(n.turns)},{title:"prompt tokens",right:!0,cell:n=>y(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>y(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>mn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${y(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var Lc=200;
function $c(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?Pc(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),s=Gs(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),r=[],i=new Set,o=(s.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;o.length>0;){let g=o.pop();if(i.has(g.call.call_id))continue;i.add(g.call.call_id),
r.push(g);let b=s.get(g.call.call_id)??[],v=b.length>1;for(let S of b.toReversed())o.push({call:S,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)i.has(g.call_id)||r.push({call:g,depth:0,branch:!1});let u=l("div",{class:"forest"}),d=g=>C(u,
r.slice(0,g).map(Mm),r.length>g?l("button",{onclick:()=>d(g+Lc)},`Show more: ${ie(r.length-g,"call")} left`):null);d(Lc);
let m=(s.get("")??[]).length;return[l("p",{class:"dim"},`${ie(t.length,"call")} in ${ie(m,"tree")}. A branch continues a\
n earlier answer. Untrained calls are marked.`),u,(e.chains??[]).length>0?Pc(e.chains):null]}function Mm({call:e,depth:t,
branch:n}){let s=!e.parent,r=[l("span",{class:"twig"},s?"\u25CF":n?"\u251C":"\u2502"),l("code",null,e.call_id),e.agent?l(
"span",null,e.agent):null,e.auxiliary?l("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?l("span",
{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?l("span",{class:"dim"},Xe(e.finish)):null,l("span",{class:"\
dim"},`${y(e.prompt_tokens)} + ${y(e.output_tokens)} tokens`),l("span",{class:"oneline dim"},(e.text??"").slice(0,200))],
i=Pe(r,()=>e.text?Re(e.text):l("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" untrained":
""));return i.style.setProperty("--depth",String(Math.min(t,24))),i}function Pc(e){return Pe([l("b",null,"chains"),l("sp\
an",{class:"dim"},` ${e.length}`)],()=>_e([{title:"chain",cell:t=>l("code",null,t.chain)},{title:"agent",cell:t=>t.agent??
""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>y(t.reward)},
{title:"digest",wide:!0,cell:t=>l("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var ks=1500,Tm=150,_m=240,Oc=(e,t)=>e?.[t]??null;function Nr(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function vn(e,t,n){
let s=Oc(e,n);return s===0&&Nr(t,n)===0?null:s}function Nc(e,t){let[n,s]=[vn(e.logprobs,e,t),vn(e.trainer_logprobs,e,t)];
return n===null||s===null?null:s-n}var ol=(e,t)=>e.reduce((n,s)=>Math.max(n,Math.abs(s)),t),Ac=e=>({low:-ol(e,1),high:0}),
Rc=[{name:"mask",label:"trained",value:Nr,scale:()=>Ar(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>vn(
e.logprobs,e,t),scale:Ac},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>vn(e.trainer_logprobs,e,t),scale:Ac},
{name:"gap",label:"gap",value:Nc,scale:e=>Ar(ol(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>vn(e.advantages,
e,t),scale:e=>Ar(ol(e,1e-6))}],Dc={trained:"The tokens of this episode are not recorded. Adapters report the tokens of s\
ome groups at the steps that tokens_every selects.",played:"The model of this episode returned no tokens. Served models \
return them if their block sets tokens."};function Hc(e,t=!1){if(!e||e.length===0)return l("p",{class:"dim"},t?Dc.played:
Dc.trained);let n=l("div",null),s=i=>C(n,new al(e[i]).element);if(s(0),e.length===1)return n;let r=l("select",{"aria-lab\
el":"row"},e.slice(0,500).map((i,o)=>l("option",{value:String(o)},`row ${o+1} of ${e.length}${i.chain?`: ${i.chain}`:""}`)));
return r.addEventListener("change",()=>s(Number(r.value))),[r,n]}var al=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",n=>this.point(n.target)),this.text.addEventListener("click",n=>this.point(n.target)),this.text.addEventListener(
"keydown",n=>{let s={ArrowRight:1,ArrowLeft:-1}[n.key];s!==void 0&&(n.preventDefault(),n.stopPropagation(),this.stand(this.
at<0?this.from:this.at+s))}),C(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=l("div",{class:"tokens"});measure=Rc[0];from=0;text=l("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=l("div",{class:"readout",role:"status"});tabs=l("div",{class:"tabs"});overview=l(
"div",{class:"overview","aria-hidden":"true"});pager=l("div",{class:"pager"});legend=l("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:n}=this,s=[],r=0;for(let d=0;d<this.length;d++){let m=n.value(t,d);m===
null?r++:s.push(m)}let i=n.scale(s);C(this.tabs,Rc.map(d=>l("button",{class:"tab"+(d===n?" here":""),"aria-pressed":d===
n?"true":"false",onclick:()=>{this.measure=d,this.draw()}},d.label))),C(this.legend,s.length===0?l("p",{class:"unknown"},
`${n.label}: unknown, because this framework does not report it.`):this.ramp(i,s,r));let o=Math.min(this.length,this.from+
ks),u=[];for(let d=this.from;d<o;d++)u.push(this.token(d,n.value(t,d),i));C(this.text,u),this.text.children.item(this.at-
this.from)?.classList.add("here"),this.drawOverview(i,o),this.drawPager(o)}drawOverview(t,n){if(this.length<Tm)return;let s=Math.
ceil(this.length/_m),r=[];for(let i=0;i<this.length;i+=s){let o=this.extreme(i,Math.min(this.length,i+s)),u=l("i",{class:i<
n&&i+s>this.from?"shown":""});u.addEventListener("click",()=>this.stand(Math.max(o,i))),r.push(_t(u,o<0?null:this.measure.
value(this.row,o),t))}C(this.overview,r)}extreme(t,n){let[s,r]=[-1,-1];for(let i=t;i<n;i++){let o=this.measure.value(this.
row,i);o!==null&&Math.abs(o)>r&&([s,r]=[i,Math.abs(o)])}return s}ramp(t,n,s){if(this.measure.name==="mask"){let r=n.reduce(
(i,o)=>i+o,0);return l("p",{class:"ramp"},l("i",{class:"one high"}),`${y(r)} trained`,l("i",{class:"one plain"}),`${y(n.
length-r)} not trained`,s>0?[l("i",{class:"hatched"}),`${y(s)} unknown`]:null,this.cutWords())}return l("p",{class:"ramp"},
y(t.low,3),l("i",null),y(t.high,3),s>0?[l("i",{class:"hatched"}),`${y(s)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:l("span",{class:"badge warn"},`the first ${y(this.length)} of ${y(t)}\
 tokens`)}token(t,n,s){let r=this.row.text?.[t],i=l("span",{class:"token",data:{i:String(t)}},r==null?`\u27E8${this.row.
ids[t]}\u27E9`:Lm(r));return r?.includes(`
`)&&i.classList.add("ends"),t===this.row.prompt_length&&i.classList.add("first"),_t(i,n,s)}drawPager(t){let n=r=>{this.from=
Math.max(0,Math.min(r,this.length-1)),this.draw()},s=this.extreme(0,this.length);C(this.pager,l("button",{disabled:this.
from===0,onclick:()=>n(this.from-ks)},"\u2190"),l("span",null,`tokens ${y(this.from+1)} to ${y(t)} of ${y(this.length)}`),
l("button",{disabled:t>=this.length,onclick:()=>n(this.from+ks)},"\u2192"),l("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),s>=0&&this.measure.name!=="mask"?l("button",{onclick:()=>this.stand(s)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Nr(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+ks)&&(this.from=Math.floor(t/ks)*ks,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,s=o=>o===null?l("span",
{class:"unknown"},vo):l("b",null,y(o)),r=t<0?null:Nr(n,t),i=t<0?null:Oc(n.turn_ids,t);C(this.readout,t<0?l("span",{class:"\
dim"},`${ie(this.length,"token")}: point at a token for its values`):[l("span",null,"token ",l("b",null,y(t))," ",l("cod\
e",null,Rs(n.text?.[t]??"")),l("span",{class:"dim"},` id ${n.ids[t]}`)),l("span",null,r===null?l("span",{class:"unknown"},
"trained: unknown"):r?"trained":"not trained"),i===null||i<0?null:l("span",null,"turn ",l("b",null,y(i+1))),l("span",null,
"sampler ",s(vn(n.logprobs,n,t))),l("span",null,"trainer ",s(vn(n.trainer_logprobs,n,t))),l("span",null,"gap ",s(Nc(n,t))),
l("span",null,"advantage ",s(vn(n.advantages,n,t)))])}};function Lm(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Rs(e)}var zc=150,Pm=["queue","model","tool","reward","siblings","host"];function Vc(e,t,n){if(e.length===0)return l("p",{class:"\
dim"},"No times recorded.");let s=Math.min(...e.slice(0,5e4).map(d=>d.start_ms)),r=Math.max(...e.slice(0,5e4).map(d=>d.start_ms+
d.ms)),i=Math.max(r-s,1e-9),o=l("div",{class:"waterfall"}),u=d=>C(o,e.slice(0,d).map(m=>$m(m,s,i,n)),e.length>d?l("butto\
n",{onclick:()=>u(d+zc)},`Show more: ${ie(e.length-d,"bar")} left`):null);return u(zc),[Cm(e),o,l("p",{class:"axis dim"},
l("span",null,"0"),l("span",null,mn(i))),t==="sums"?l("p",{class:"dim"},"Only total times are recorded, without their be\
ginnings."):null]}function cl(e){return Pm.includes(e)?e:"other"}function Cm(e){let t=new Map;for(let r of e)t.set(r.part,
(t.get(r.part)??0)+r.ms);let n=[...t.values()].reduce((r,i)=>r+i,0)||1,s=[...t].sort((r,i)=>i[1]-r[1]);return l("div",null,
l("div",{class:"stack","aria-hidden":"true"},s.map(([r,i])=>l("i",{class:"part "+cl(r),vars:{"--share":`${100*i/n}%`}}))),
l("p",{class:"chips"},s.map(([r,i])=>l("span",{class:"key"},l("i",{class:"swatch part "+cl(r)}),`${r==="tool"?"environme\
nt":r} `,l("b",null,mn(i)),l("span",{class:"dim"},` ${Math.round(100*i/n)} %`)))))}function $m(e,t,n,s){let r=(e.turn?`t\
urn ${e.turn}: `:"")+(e.label||e.part),i=100*(e.start_ms-t)/n,o=Math.max(.3,100*e.ms/n);return l("div",{class:"wait",title:`${e.
part}: ${r}, ${mn(e.ms)} from ${mn(e.start_ms-t)}`},e.turn&&s?l("button",{class:"name quiet",onclick:()=>s(e.turn)},r):l(
"span",{class:"name"},r),l("span",{class:"lane"},l("i",{class:"part "+cl(e.part),vars:{"--left":`${Math.min(i,99.7)}%`,"\
--share":`${Math.min(o,100)}%`}})),l("span",{class:"ms"},mn(e.ms)))}async function jc(e,t,n){e.title(zt(t),{text:`episode ${n}`});let s=await cs(t,n,e.signal),r=s.episode,i=s.played?{text:"\
episodes",href:U(["run",t,"episodes"])}:{text:`step ${r.step}`,href:Ge(t,r.step,{split:r.split})};e.title(zt(t),i,{text:Is(
r)});let o=s.siblings??[],u=Bs(s);Rm(e,t,s),C(e.root,l("div",{class:"bar"},l("h1",{title:n},s.played?Is(r):`Step ${y(r.step)}\
, ${Is(r)}`),qn(r),l("span",{class:"grow"}),(s.commands??[]).map(d=>nn(d))),s.failure?l("div",{class:"trouble"},l("h2",null,
`Failed: ${Xe(s.failure.class)}`),Re(s.failure.detail??"")):null,s.limit?Am(s.limit):null,o.length>1?Dm(t,s,o):null,l("d\
iv",{class:"episode"},l("div",null,ue("Conversation",u),jm(s),Vm(s),Fm(s),qc(ue("Tokens",Hc(s.tokens?.rows,s.played!==void 0)))),
l("aside",null,ue("Reward",Or(s),Hm(s)),zm(s.madness??[]),Om(t,s),ue("Time",Vc(s.times??[],s.times_are,Sc(u))),qm(s.attempts??
[]),Fc("Environment's state",s.state),Fc("Metadata",s.metadata),tn===void 0?Wm(e,t,n):null)))}function Am(e){return l("d\
iv",{class:"trouble truncated"},l("h2",null,`Truncated: ${e.name}${e.value?` = ${e.value}`:""}`),Re(`${e.words[0]?.toUpperCase()??
""}${e.words.slice(1)}.`))}function Rm(e,t,n){let s=n.siblings??[],r=s.findIndex(o=>o.id===n.episode.id),i=o=>{let u=s[r+
o];u&&(location.hash=Ie(t,u.id))};e.key("ArrowLeft","previous sample",()=>i(-1)),e.key("ArrowRight","next sample",()=>i(
1)),e.key("b","the group side by side",()=>{location.hash=Ds(t,n.episode.group,n.episode.step,n.episode.split)}),e.key("\
o","expand or collapse all calls",()=>{let o=[...document.querySelectorAll(".conversation .message details")],u=!o.some(
d=>d.open);for(let d of o)d.open=u}),e.key("c","copy the terminal command for this episode",()=>{document.querySelector(
"main button.copy")?.click()})}function Dm(e,t,n){let s=t.episode,r=Tt(n.map(i=>i.reward));return l("div",{class:"siblin\
gs"},l("a",{href:Ds(e,s.group,s.step,s.split)},`group ${s.group}`),l("div",{class:"cells"},n.slice(0,300).map(i=>bn(e,i,
r,i.id===s.id))))}function Om(e,t){let n=t.episode;return ue("About",fn([["task",l("a",{href:U(["run",e,"episodes"],{task:n.
task}),title:"all episodes of this task"},n.task)],...Nm(t),["turns",y(n.turns)],["tokens",y(n.tokens)],["duration",Be(n.
seconds)],["status",t.played||!n.standing?null:Xe(n.standing)]]))}function Nm(e){let t=e.episode;return e.played?[["data\
set",e.played.dataset],["policy",e.played.policy],["try",y(t.sample+1)],["environment's seed",e.seeds?.environment]]:[["\
split",t.split==="validation"?"held-out":"training"],["step",y(t.step)],["sample",y(t.sample)]]}function Hm(e){let t=[];
return e.played?null:(e.use&&t.push(`In training: ${Xe(e.use)}.`),e.why&&t.push(`Not trained: ${Xe(e.why)}.`),e.masked&&
!e.use&&t.push("Masked: counts in its group and is not trained."),e.drop_group&&t.push("Group dropped."),t.length>0?l("p",
{class:"dim"},t.join(" ")):null)}function zm(e){return e.length===0?null:ue("Failed checks",e.slice(0,100).map(t=>l("p",
null,l("span",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}: ${Xe(t.reason)} in its ${t.part}`,t.near?[",\
 near ",l("code",null,t.near)]:null)))}function Vm(e){return(e.members??[]).length>0?ue("Members",Cc(e.members)):null}function Fm(e){
let t=$c(e);return t===null?null:qc(ue("Calls of the program",t))}function qc(e){return e.classList.add("late"),e}function jm(e){
let t=e.own_steps??[];return t.length===0?null:ue("Steps of the agent itself",t.slice(0,200).map((n,s)=>Pe(`step ${s+1}`,
()=>Bs({episode:e.episode,messages:n.messages}))))}function qm(e){return e.length<2&&!e.some(t=>t.class)?null:ue("Attemp\
ts",e.slice(0,100).map(t=>l("div",{class:"attempt"},l("p",null,l("b",null,y(t.attempt))," ",qn(t),l("span",{class:"dim"},
t.started?` from ${Dn(t.started)}`:"",t.seconds===void 0?"":`, ${Be(t.seconds)}`)),t.detail?Re(t.detail,600):null)))}function Fc(e,t){
return t==null?null:ue(e,Pe("show",()=>Re(JSON.stringify(t,null,2))))}function Wm(e,t,n){return ue("Private part of the \
task",Pe("Show the private part, which can contain the answer",()=>{let s=l("div",null);return ke(e,s,async()=>{let r=await cr(
t,n,e.signal);return Re(JSON.stringify("private"in r?r.private:r,null,2))}),s}))}var Wc=100,Um=["split","solved","same_min","sort"];async function Uc(e,t){e.title(zt(t),{text:"tasks"});let n=l("div",null);
C(e.root,l("div",{class:"bar"},l("h1",null,"Tasks")),Gm(e,t),n),await ke(e,n,()=>Im(e,t))}var dl=e=>["run",e,"tasks"];function ul(e){
return Object.fromEntries(Um.flatMap(t=>e.query.get(t)?[[t,e.query.get(t)]]:[]))}function Gm(e,t){let n=o=>e.query.get(o)??
"",s=(o,u)=>{let d=l("select",{name:o,"aria-label":o},u.map(([m,g])=>l("option",{value:m},g)));return d.value=n(o),d},r=l(
"form",{class:"filter",role:"search"},s("split",[["","training and held-out"],["train","training"],["validation","held-o\
ut"]]),s("solved",[["","solved or not"],["never","never solved"],["always","always solved"]]),l("label",{class:"range"},
l("span",null,"same wrong answer, times"),l("input",{name:"same_min",value:n("same_min"),type:"number",min:0,placeholder:"\
from"})),l("button",null,"Filter")),i=()=>{let o=n("sort")?{sort:n("sort")}:{};for(let[u,d]of new FormData(r))typeof d==
"string"&&d.trim()!==""&&(o[u]=d.trim());location.hash=U(dl(t),o)};return r.addEventListener("submit",o=>{o.preventDefault(),
i()}),r.addEventListener("change",o=>{o.target instanceof HTMLSelectElement&&i()}),r}async function Im(e,t){let n=Number(
e.query.get("cursor")??0),s=await Xl(t,{...ul(e),limit:Wc,cursor:n||void 0},e.signal);if(s.all===0)return l("p",{class:"\
empty"},"No tasks: no episode has ended.");let r=u=>{u!==void 0&&(location.hash=U(dl(t),{...ul(e),cursor:u}))};e.key("n",
"next page",()=>r(s.next));let i=e.query.get("split")??"",o=u=>U(["run",t,"episodes"],{task:u.task,split:i});return[l("p",
{class:"legend"},s.total===s.all?ie(s.all,"task"):`${y(s.total)} of ${ie(s.all,"task")}`),s.tasks.length===0?l("p",{class:"\
empty"},"No matching tasks."):_e(Bm(e,t,o),s.tasks,o),s.total>s.tasks.length?l("div",{class:"pager"},l("button",{disabled:n===
0,onclick:()=>r(String(Math.max(0,n-Wc)))},"\u2190"),l("span",null,`${y(n+1)} to ${y(n+s.tasks.length)} of ${y(s.total)}`),
l("button",{disabled:!s.next,onclick:()=>r(s.next)},"\u2192")):null]}function Bm(e,t,n){let s=e.query.get("sort")??"task",
r=(i,o)=>{let u=s===i?`-${i}`:i,d=s===i?" \u2191":s===`-${i}`?" \u2193":"";return l("a",{class:"quiet",href:U(dl(t),{...ul(
e),sort:u})},o+d)};return[{title:r("task","task"),cell:i=>l("a",{class:"short",title:i.task,href:n(i)},i.task)},{title:r(
"tries","tries"),right:!0,cell:i=>y(i.tries)},{title:r("solved","solved"),right:!0,cell:i=>i.judged>0?y(i.solved):"\u2013"},
{title:r("success","success"),right:!0,cell:i=>Qe(i.success)},{title:r("reward","reward"),right:!0,cell:i=>y(i.reward)},
{title:r("seconds","duration"),right:!0,cell:i=>Be(i.seconds)},{title:r("same","same wrong answer"),right:!0,cell:i=>i.same_wrong>
1?`${i.same_wrong} \xD7`:"\u2013"},{title:"last answers",wide:!0,cell:i=>i.answers.map(o=>l("span",{class:"short"},wn(o)))}]}var Km=240;async function Ic(e,t){e.title(zt(t),{text:"validations"});let n=l("div",null);C(e.root,l("div",{class:"bar"},
l("h1",null,"Validations"),Ym(e)),n),await ke(e,n,()=>Jm(e,t))}var Ks=()=>{};function Ym(e){return e.key("ArrowLeft","pr\
evious validations",()=>Ks(-1)),e.key("ArrowRight","next validations",()=>Ks(1)),l("span",{class:"turn"},l("button",{title:"\
previous validations (\u2190)","aria-label":"previous validations",onclick:()=>Ks(-1)},"\u2190"),l("button",{title:"next\
 validations (\u2192)","aria-label":"next validations",onclick:()=>Ks(1)},"\u2192"))}async function Jm(e,t){let n=e.query.
get("cursor")??void 0,s=await Zl(t,n,e.signal);if(s.tasks.length===0)return l("p",{class:"empty"},"This run has no valid\
ations.");let r=l("div",null),i=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/Km)),o=Math.max(0,s.
steps.length-i()),u=()=>C(r,Qm(t,s,s.steps.slice(o,o+i())));Ks=g=>{o=Math.min(Math.max(0,s.steps.length-i()),Math.max(0,
o+g*i())),u()},u();let d=["run",t,"validations"],m=()=>{s.next&&(location.hash=U(d,{cursor:s.next}))};return e.key("n","\
next page",m),[r,s.next||n?l("div",{class:"pager"},l("button",{disabled:!n,onclick:()=>{location.hash=U(d)}},"First page"),
l("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),l("button",{disabled:!s.next,onclick:m},"Next page \u2192")):
null]}function Qm(e,t,n){let s=Tt(t.tasks.flatMap(r=>r.episodes.map(i=>i.reward)));return l("div",{class:"scroll"},l("ta\
ble",{class:"answers"},l("thead",null,l("tr",null,l("th",null,"task"),n.map(r=>l("th",null,l("a",{href:Ge(e,r,{split:"va\
lidation"})},`after step ${y(r)}`))))),l("tbody",null,t.tasks.map(r=>l("tr",{class:"item",data:{href:Gc(e,r.task)}},l("t\
h",null,l("a",{href:Gc(e,r.task)},r.task)),n.map(i=>l("td",null,r.episodes.filter(o=>o.step===i).map(o=>_t(l("a",{class:"\
cell answer",href:Ie(e,o.id)},l("b",null,y(o.reward,3),o.success===!0?" \u2713":""),l("span",null,wn(o.answer)||"no answ\
er")),o.reward,s)))))))))}var Gc=(e,t)=>U(["run",e,"episodes"],{task:t,split:"validation"});var zr=l("main",{tabindex:"-1"}),ml=l("nav",{class:"crumbs","aria-label":"Breadcrumbs"}),fl=l("span",{class:"connection",
role:"status"}),pl=new AbortController;function Zm(){bo(),Bc(),Kt(document.body,[l("header",null,l("a",{class:"home",href:U(
[])},"awhost"),ml,fl,l("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>hi()},"?"),l("button",{class:"\
quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:xi},"\u25D0")),zr]),po(),pn("j","next item",()=>mi(
1)),pn("k","previous item",()=>mi(-1)),pn("Enter","expand or collapse the item",()=>fo()),pn("/","go to the filter",Xm),
pn("u","go up one level",eh),pn("t","light or dark",xi),pn("?","show keys and symbols",()=>hi()),addEventListener("hashc\
hange",()=>{Bc(),Hr()}),Hr()}function Bc(){let e=vi(location.hash);e&&(or(e.token),history.replaceState(null,"",e.rest))}
function Xm(){zr.querySelector("[data-filter]")?.focus()}function eh(){let e=ml.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??U([])}function Hr(){if(pl.abort(),pl=new AbortController,uo(),Kc("off"),!Kl()){sh();return}let{path:e,
query:t}=wi(tn!==void 0&&/^(#\/?)?$/.test(location.hash)?tn:location.hash),n=th(t,pl.signal),s=n.root;C(zr,s),scrollTo(0,
0),nh(n,e).catch(r=>{n.signal.aborted||C(s,yi(r,Hr))})}function th(e,t){return{root:l("div",{class:"view"}),signal:t,query:e,
key:(n,s,r)=>co(n,s,()=>{t.aborted||r()}),onLive:(n,s)=>{tn===void 0&&ho(n,t,s,r=>{t.aborted||Kc(r)})},title:(...n)=>{document.
title=[...n].reverse().map(s=>s.text).concat("awhost").join(" \xB7 "),C(ml,n.map(s=>[l("span",{class:"slash","aria-hidde\
n":"true"},"/"),s.href?l("a",{href:s.href},s.text):l("span",{"aria-current":"page"},s.text)]))}}}async function nh(e,t){
let[n,s,r,i]=t;if(n===void 0)return xo(e);if(n==="compare")return rc(e);if(n==="run"&&s!==void 0){if(r===void 0)return fc(
e,s);if(r==="step"&&/^\d+$/.test(i??""))return il(e,s,Number(i));if(r==="episodes")return il(e,s,void 0);if(r==="group"&&
i!==void 0)return _c(e,s,i);if(r==="episode"&&i!==void 0)return jc(e,s,i);if(r==="tasks")return Uc(e,s);if(r==="validati\
ons")return Ic(e,s)}e.title({text:"not found"}),C(e.root,l("section",{class:"trouble"},l("h2",null,"Page not found."),l(
"p",null,"The address is incomplete or belongs to another version of awhost. ",l("a",{href:U([])},"All runs"))))}function Kc(e){
fl.className="connection "+e,C(fl,{live:"live",lost:"no connection, retrying",off:""}[e])}function sh(){let e=l("input",
{type:"password","aria-label":"token",autocomplete:"off",size:40}),t=l("form",null,e,l("button",null,"Open"));t.addEventListener(
"submit",n=>{n.preventDefault();let s=e.value.trim();or(vi(s.slice(Math.max(0,s.indexOf("#"))))?.token??s),Hr()}),C(zr,l(
"section",{class:"trouble"},l("h2",null,"This page needs a token."),l("p",null,"Open the link that awhost ui prints, or \
paste the link or its token here. This browser keeps the token, which is valid until that command ends."),t)),e.focus()}
Zm();})();
