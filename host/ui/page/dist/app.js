"use strict";(()=>{function Wl(e){let t=e.getElementById("awhost-data");return t?vu(JSON.parse(t.textContent??"{}")):null}function vu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(n,s={})=>yu(n,t.get(xu(n)),s)}}function xu(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function yu(e,t,n){if(t===void 0)return;let s=e.split("/");switch(s.length===
4?s[3]:""){case"episodes":return ku(t.episodes,n);case"steps":{let{steps:i}=t;return{steps:i.filter(r=>r.step>=Number(n.
from)&&r.step<=Number(n.to))}}case"metrics":{let i=new Set([n.name??[]].flat().map(String)),{series:r}=t;return{series:Object.
fromEntries(Object.entries(r).filter(([o])=>i.size===0||i.has(o)))}}}return t}function ku(e,t){let n=["step","split","gr\
oup","task","outcome","class"].filter(p=>t[p]!==void 0),s=e.filter(p=>n.every(m=>String(p[m]??"")===String(t[m]))),i=String(
t.sort??"order"),r=i.replace(/^-/,"");(r==="reward"||r==="turns"||r==="seconds")&&s.sort(Su(r,i.startsWith("-")?-1:1));let o=Number(
t.cursor??0),u=i==="group"?s.length:o+Number(t.limit??100);return{episodes:s.slice(o,u),next:u<s.length?String(u):void 0,
total:s.length}}function Su(e,t){return(n,s)=>{let[i,r]=[n[e],s[e]];return typeof i!="number"||typeof r!="number"?+(typeof r==
"number")-+(typeof i=="number"):t*(i-r)}}function si(e,t){try{return e().getItem(t)}catch{return null}}function ii(e,t,n){try{e().setItem(t,n)}catch{}}var Ul="awhost-token",ls=Wl(document),rr=ls?"":si(()=>sessionStorage,Ul)??"";function lr(e){rr=e,ii(()=>sessionStorage,Ul,
e)}function Gl(){return rr!==""||ls!==null}var tn=ls?.open,en=class extends Error{constructor(n,s,i){super(s);this.status=
n;this.summary=s;this.detail=i}status;summary;detail};function Eu(e,t){let n=new URLSearchParams;for(let[i,r]of Object.entries(
t??{}))for(let o of Array.isArray(r)?r:[r])o!==void 0&&o!==""&&n.append(i,String(o));let s=n.toString();return s===""?e:
`${e}?${s}`}async function Il(e,t,n){if(ls)throw Bl();let s;try{s=await fetch(Eu(e,t),{signal:n,headers:{Authorization:`\
Bearer ${rr}`},cache:"no-store",credentials:"omit",redirect:"error"})}catch(i){throw n.aborted?i:new en(0,"No response f\
rom the server.","Start awhost ui, or the command with --ui, again, and open the link that it prints.")}if(!s.ok)throw await Mu(
s);return s}async function Mu(e){let t=await e.json().catch(()=>null);return new en(e.status,t?.error?.summary??`Server \
error ${e.status}.`,t?.error?.detail??"")}async function St(e,t,n){return ls?Tu(e,t):await(await Il(e,t,n)).json()}function Tu(e,t){
let n=ls.answer(e,t);if(n!==void 0)return n;throw Bl()}function Bl(){return new en(404,"Not in this file.","To see the w\
hole run, start awhost ui in its directory.")}var It=e=>`api/runs/${encodeURIComponent(e)}`,Kl=(e,t)=>`${It(e)}/episodes\
/${encodeURIComponent(t)}`,ri=e=>St("api/runs",void 0,e),Cn=(e,t)=>St(It(e),void 0,t),Ps=(e,t,n,s)=>St(`${It(e)}/metrics`,
{name:t,after:n},s),Cs=(e,t,n,s)=>St(`${It(e)}/steps`,{from:t,to:n},s),$s=(e,t,n)=>St(`${It(e)}/episodes`,t,n),os=(e,t,n)=>St(
Kl(e,t),void 0,n),li=(e,t,n)=>St(`${Kl(e,t)}/private`,void 0,n),Yl=(e,t,n)=>St(`${It(e)}/validations`,{cursor:t},n),Jl=(e,t,n)=>St(
`${It(e)}/tasks`,t,n),oi=(e,t)=>St(`${It(e)}/spec`,void 0,t),Ql=(e,t)=>St(`${It(e)}/waits`,void 0,t),Zl=(e,t)=>Il(`${It(
e)}/live`,void 0,t);async function Xl(e,t,n){let s=await St("api/compare",{run:[e,t]},n);return"comparison"in s?s.comparison:
s}var _u=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
no=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,Lu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
Pu=/^[\n\t -~]*$/,eo=/\p{M}/u,to=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,or=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),Cu=4;function cr(e){if(Pu.test(e))return[{text:e,escaped:!1}];let t=new ar;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function Rt(e){return cr(e).map(t=>t.text).join("")}function As(e){return Rt(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var ar=class{out=[];shown="";before="";marks=0;take(t,n){let s=t.codePointAt(n);if(s===13&&
t[n+1]===`
`)return 1;if(s===27||s===155){let r=_u.exec(t.slice(n,n+512));if(r)return this.escape($u(r[0])),r[0].length}let i=String.
fromCodePoint(s);return this.isShown(i,t,n+i.length)?(this.marks=eo.test(i)?this.marks+1:0,this.shown+=i,this.before=i):
this.escape(so(s)),i.length}done(){return this.flush(),this.out}isShown(t,n,s){if(t===`
`||t==="	"||!Lu.test(t))return!0;if(eo.test(t)&&!no.test(t))return this.marks<Cu;let i=s<n.length?String.fromCodePoint(n.
codePointAt(s)):"";switch(t){case"\u200D":return to.test(this.before)&&to.test(i)||or.test(this.before);case"\u200C":return or.
test(this.before)&&or.test(i);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function $u(e){return[...e].map(t=>no.test(t)?so(t.codePointAt(
0)):t).join("")}function so(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function l(e,t,...n){let s=document.createElement(e);for(let[i,r]of Object.entries(t??{}))Au(s,i,r);return Kt(s,n),s}function Au(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[s,i]of Object.entries(n))e.style.setProperty(s,i);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":Rt(String(n)))}}function Kt(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?Kt(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(Rt(String(n)))))}function $(e,...t){e.replaceChildren(),Kt(e,t)}var Ru=6e3,Du=1e5;
function Re(e,t=Ru){let n=l("div",{class:"prose",dir:"auto"}),s=0,i=u=>{let p=Ou(e,Math.min(u,e.length));for(let m of cr(
e.slice(s,p)))n.append(m.escaped?l("span",{class:"escape"},m.text):m.text);s=p};if(i(t),s===e.length)return n;let r=l("b\
utton",{class:"quiet",onclick:()=>{i(s+Du),s===e.length?r.remove():o()}}),o=()=>$(r,`Show more: ${io(e.length-s)} of ${io(
e.length)} characters left`);return o(),l("div",null,n,r)}function io(e){return e.toLocaleString("en")}function Ou(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var ai=new Map,pr=new Map;function lo(e,t,n){ai.set(e,{what:t,act:n})}function dn(e,t,n){pr.set(e,{what:t,act:n})}function oo(){
ai.clear()}function ao(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),ur();return}if(Nu(e.target))return;let t=ai.
get(e.key)??pr.get(e.key);t&&(e.preventDefault(),t.act())})}function Nu(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function dr(e){let t=[...document.querySelectorAll("main .item")].filter(
i=>i.offsetParent!==null);if(t.length===0)return;let n=t.findIndex(i=>i.classList.contains("current")),s=n<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[s].classList.add("current"),t[s].scrollIntoView(
{block:"nearest"})}function co(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function fr(){
if(ur())return;let e=[...ai,...pr,["Esc",{what:"leave a field, close this dialog"}]],t=l("dialog",{class:"help","aria-la\
bel":"Keys and symbols"},l("h2",null,"Keys"),ro(e.map(([n,s])=>[l("kbd",null,zu[n]??n),s.what])),l("h2",null,"Symbols an\
d terms"),ro(Hu),l("button",{onclick:()=>ur()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var Hu=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns, or time ended the episode"],["\
\u2260","malformed calls: invalid calls of the policy, which were not executed"],["hatched","no reward, or unknown"],["\u25B2",
"in a chart: a checkpoint, the best one in another color; dashed lines are kills and resumes"],["dropped","no usable att\
empt: the episode is not trained"],["masked","counts in its group and is not trained"],["filtered","excluded from the up\
date: all samples of its group have the same reward"],["digest","checksum of the newest checkpoint: equal digests mean i\
dentical checkpoints"]];function ro(e){return l("table",null,l("tbody",null,e.map(([t,n])=>l("tr",null,l("td",null,t),l(
"td",null,n)))))}var zu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function ur(){
let e=document.querySelector("dialog.help");return e?.close(),e!==null}var Fu=1e3,uo=45e3;function po(e,t,n,s){ju(e,t,new mr(n,t),s)}async function ju(e,t,n,s){let i=500;for(let r=!0;!t.aborted&&
(await Uu(t),!t.aborted);r=!1){try{await qu(e,t,o=>n.take(o),()=>{s("live"),i=500,r||n.take({kind:"state"})})}catch(o){if(o instanceof
en&&o.status>=400&&o.status<500)break}if(t.aborted)break;document.hidden||(s("lost"),await Gu(i,t),i=Math.min(2*i,15e3))}
s("off")}async function qu(e,t,n,s){let i=new AbortController,r=()=>i.abort(),o=()=>document.hidden&&r();t.addEventListener(
"abort",r,{once:!0}),document.addEventListener("visibilitychange",o);let u=setTimeout(r,uo);try{let m=(await Zl(e,i.signal)).
body.pipeThrough(new TextDecoderStream).getReader();s();for(let g="";;){let{done:b,value:v}=await m.read();if(b)return;clearTimeout(
u),u=setTimeout(r,uo),g=Wu(g+v,n)}}finally{clearTimeout(u),t.removeEventListener("abort",r),document.removeEventListener(
"visibilitychange",o),i.abort()}}function Wu(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),s=n.pop();for(let i of n){let r=i.split(`
`).filter(o=>o.startsWith("data:")).map(o=>o.slice(5).trimStart()).join(`
`);if(r!=="")try{t(JSON.parse(r))}catch{t({kind:"state"})}}return s}var mr=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},Fu)}};function Uu(e){return new Promise(t=>{let n=()=>{document.hidden&&
!e.aborted||(document.removeEventListener("visibilitychange",n),e.removeEventListener("abort",n),t())};document.addEventListener(
"visibilitychange",n),e.addEventListener("abort",n),n()})}function Gu(e,t){return new Promise(n=>{let s=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(s),n()},{once:!0})})}function gr(e){let[t="",n=""]=Iu(e.replace(/^#/,""));return{path:t.split("/").filter(s=>s!=="").map(hr),query:new URLSearchParams(
n)}}function Iu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function hr(e){try{return decodeURIComponent(
e)}catch{return e}}function U(e,t={}){let n=new URLSearchParams;for(let[i,r]of Object.entries(t))for(let o of Array.isArray(
r)?r:[r])o!==void 0&&o!==""&&n.append(i,String(o));let s=n.toString();return"#/"+e.map(i=>encodeURIComponent(i)).join("/")+
(s?"?"+s:"")}var $n=e=>U(["run",e]),Ge=(e,t,n={})=>U(["run",e,"step",t],n),Ze=(e,t)=>U(["run",e,"episode",t]),Rs=(e,t,n,s)=>U(
["run",e,"group",t],{step:n,split:s});function br(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:hr(
t[1]),rest:"#"+(t[2]?hr(t[2]):"/")};let{path:n,query:s}=gr(e),i=s.get("token");if(i===null)return null;s.delete("token");
let r=s.toString();return{token:i,rest:"#/"+n.map(encodeURIComponent).join("/")+(r?"?"+r:"")}}var fo="awhost-theme";function Bu(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function mo(){let e=si(()=>localStorage,fo);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function wr(){let e=Bu()?"light":"dark";ii(()=>localStorage,fo,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function ho(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function Yt(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function vr(e,t){let[n,s]=e instanceof en?[e.summary,e.detail]:["This part of the page cannot be displayed.",e instanceof
Error?e.message:String(e)];return l("section",{class:"trouble",role:"alert"},l("h2",null,n),l("p",null,s),l("button",{onclick:t},
"Try again"))}async function Te(e,t,n){t.setAttribute("aria-busy","true");let s=setTimeout(()=>$(t,l("p",{class:"dim"},"\
Loading \u2026")),200);try{let i=await n();e.signal.aborted||$(t,i)}catch(i){e.signal.aborted||$(t,vr(i,()=>{Te(e,t,n)}))}finally{
clearTimeout(s),t.removeAttribute("aria-busy")}}function de(e,...t){let n=l("section",{class:"panel"},l("h2",null,e));return Kt(
n,t),n}function Pe(e,t,n=!1,s=""){let i=l("details",{class:"fold "+s},l("summary",null,e)),r=!1,o=()=>{r||!i.open||(r=!0,
Kt(i,[t()]))};return i.addEventListener("toggle",o),n&&(i.open=!0,o()),i}function _e(e,t,n){let s=r=>[r.right?"right":"",
r.wide?"wide":"",r.half?"half":""].join(" ").trim()||void 0,i=l("tbody",null,t.map(r=>{let o=l("tr",null,e.map(u=>l("td",
{class:s(u)},u.cell(r))));return n&&(o.classList.add("item"),o.dataset.href=n(r)),o}));return l("div",{class:"scroll"},l(
"table",null,l("thead",null,l("tr",null,e.map(r=>l("th",{class:s(r)},r.title)))),i))}function fn(e){return l("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>l("div",null,l("dt",null,t),l("dd",null,n))))}function nn(e,t=e){
let n=l("span",null,t),s=l("button",{class:"copy",title:"copy: "+e},n);return s.addEventListener("click",()=>{Ku(e).then(
i=>{s.classList.add("done"),$(n,i?"copied":"not copied: select the text"),setTimeout(()=>{$(n,t),s.classList.remove("don\
e")},1200)})}),s}async function Ku(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var go="unknown";function y(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return ci(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?ci(e.toExponential(2)):ci(String(Number(e.toPrecision(t))))}function ci(e){return e.replace(/^-/,"\u2212")}function Je(e){
return e==null||!Number.isFinite(e)?"\u2013":ci((100*e).toFixed(1))+" %"}function Dt(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function mn(e){
return e==null?"\u2013":e<1?`${y(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Ie(e/1e3)}function Ie(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return Yu(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,s]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${s} min`:`${s} min ${t%60} s`}function Yu(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function An(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=s=>String(
s).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function ui(e,t){return e?Ie(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function fe(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Xe(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var Rn=50,Ju=5e3;async function bo(e){e.title();let t=new Set,n=l("div",null),s=l("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),i=l("button",{disabled:!0,onclick:()=>r()},"Comp\
are");$(e.root,l("div",{class:"bar"},l("h1",null,"Runs"),s,i),n);let r=()=>{let v=o.filter(S=>t.has(S.name)).sort((S,L)=>(S.
started??"").localeCompare(L.started??""));v.length>1&&(location.hash=U(["compare"],{run:v.map(S=>S.name)}))};e.key("c",
"compare the selected runs",r),e.key("x","select the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let o=[],u=0,p=()=>$(n,m()),m=()=>{let v=s.value.trim().toLowerCase(),S=o.filter(D=>v===""||Zu(D).includes(v));
u=Math.min(u,Math.max(0,Math.ceil(S.length/Rn)-1));let L=D=>{let q=l("input",{type:"checkbox","aria-label":`compare ${D.
name}`,checked:t.has(D.name)});return q.addEventListener("change",()=>{q.checked?t.add(D.name):t.delete(D.name),i.disabled=
t.size<2,$(i,t.size<2?"Compare":`Compare ${t.size} runs`)}),q},P=D=>{u+=D,p()};return[S.length===0?Xu(o.length):ep(S.slice(
u*Rn,(u+1)*Rn),L),S.length>Rn?l("div",{class:"pager"},l("button",{disabled:u===0,onclick:()=>P(-1)},"\u2190 Newer"),l("s\
pan",null,`${u*Rn+1} to ${Math.min(S.length,(u+1)*Rn)} of ${S.length}`),l("button",{disabled:(u+1)*Rn>=S.length,onclick:()=>P(
1)},"Older \u2192")):null]};s.addEventListener("input",()=>{u=0,p()});let g=async()=>{o=(await ri(e.signal)).runs};await Te(
e,n,async()=>(await g(),m()));let b=setInterval(()=>{!o.some(v=>v.live)||document.hidden||n.contains(document.activeElement)||
g().then(()=>Qu(p),()=>{})},Ju);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function Qu(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll("tr.item"))n.dataset.href===
t&&n.classList.add("current")}function Zu(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function Xu(e){return e>0?l("p",{class:"empty"},"No matching runs."):de("No runs yet",l("p",null,
"Start a run in this directory: "),nn("awhost apply"))}function ep(e,t){let n=e.some(s=>s.machine);return _e([{title:"",
cell:t},{title:"run",cell:s=>l("a",{class:"short",href:$n(s.name),title:s.name},s.name)},{title:"status",cell:s=>[Ds(s),
s.reason?l("div",{class:"reason dim",title:s.reason},s.reason):null]},{title:"step",right:!0,cell:tp},{title:"reward",right:!0,
cell:s=>y(s.reward)},{title:"held-out success",right:!0,cell:Os},{title:"stage",cell:s=>s.stage??"\u2013"},{title:"adapt\
er",cell:s=>s.adapter??"\u2013"},{title:"spec",wide:!0,cell:s=>s.problem?l("span",{class:"bad"},s.problem):s.spec},...n?
[{title:"machine",cell:s=>s.machine??"\u2013"}]:[],{title:"started",cell:s=>An(s.started)},{title:"duration",right:!0,cell:s=>s.
live||s.ended?ui(s.started,s.live?void 0:s.ended):"\u2013"},{title:"disk",right:!0,cell:s=>Dt(s.disk_bytes)}],e,s=>$n(s.
name))}function Ds(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"live":t?"bad":e.status==="finished"?"goo\
d":"warn",s=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;return l("span",{class:"\
badge "+n},s)}function tp(e){if(e.step<0)return"\u2013";let t=e.steps?l("progress",{value:e.step,max:e.steps,"aria-hidde\
n":"true"}):null;return[l("span",null,y(e.step),e.steps?l("span",{class:"dim"},` of ${y(e.steps)}`):null),t]}function Os(e){
if(e.success_after===void 0&&e.success_before===void 0)return"\u2013";if(e.success_after===void 0)return[Je(e.success_before),
l("span",{class:"dim"}," before")];if(e.success_before===void 0)return Je(e.success_after);let t=e.live||e.success_after>
e.success_before||e.success_after===1,n=Je(e.success_after);return[l("span",{class:"dim"},`${Je(e.success_before)} \u2192 `),
t?n:l("span",{class:"badge warn",title:"not better than at the first validation"},n)]}var np="uplot",sp="u-hz",ip="u-vt",rp="u-title",lp="u-wrap",op="u-under",ap="u-over",cp="u-axis",Nn="u-off",up="u-select",
pp="u-cursor-x",dp="u-cursor-y",fp="u-cursor-pt",mp="u-legend",hp="u-live",gp="u-inline",bp="u-series",wp="u-marker",wo="\
u-label",vp="u-value",Hs="width",zs="height";var vo="bottom",as="left",xr="right",Hr="#000",xo=Hr+"0",yr="mousemove",yo="mousedown",kr="mouseup",ko="mouseenter",So="\
mouseleave",Eo="dblclick",xp="resize",yp="scroll",Mo="change",hi="dppxchange",zr="--",hs=typeof window<"u",_r=hs?document:
null,us=hs?window:null,kp=hs?navigator:null,ce,pi;function Lr(){let e=devicePixelRatio;ce!=e&&(ce=e,pi&&Cr(Mo,pi,Lr),pi=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),Hn(Mo,pi,Lr),us.dispatchEvent(new CustomEvent(
hi)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Pr(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function ke(e,t,n){e.style[t]=n+"px"}function Ot(e,t,n,s){let i=_r.createElement(e);return t!=null&&mt(i,
t),n?.insertBefore(i,s),i}function Et(e,t){return Ot("div",e,t)}var To=new WeakMap;function Jt(e,t,n,s,i){let r="transla\
te("+t+"px,"+n+"px)",o=To.get(e);r!=o&&(e.style.transform=r,To.set(e,r),t<0||n<0||t>s||n>i?mt(e,Nn):Pr(e,Nn))}var _o=new WeakMap;
function Lo(e,t,n){let s=t+n,i=_o.get(e);s!=i&&(_o.set(e,s),e.style.background=t,e.style.borderColor=n)}var Po=new WeakMap;
function Co(e,t,n,s){let i=t+""+n,r=Po.get(e);i!=r&&(Po.set(e,i),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
s?-t/2+"px":0,e.style.marginTop=s?-n/2+"px":0)}var Vr={passive:!0},Sp={...Vr,capture:!0};function Hn(e,t,n,s){t.addEventListener(
e,n,s?Sp:Vr)}function Cr(e,t,n,s){t.removeEventListener(e,n,Vr)}hs&&Lr();function Nt(e,t,n,s){let i;n=n||0,s=s||t.length-
1;let r=s<=2147483647;for(;s-n>1;)i=r?n+s>>1:ht((n+s)/2),t[i]<e?n=i:s=i;return e-t[n]<=t[s]-e?n:s}function ia(e){return(n,s,i)=>{
let r=-1,o=-1;for(let u=s;u<=i;u++)if(e(n[u])){r=u;break}for(let u=i;u>=s;u--)if(e(n[u])){o=u;break}return[r,o]}}var ra=e=>e!=
null,la=e=>e!=null&&e>0,wi=ia(ra),Ep=ia(la);function Mp(e,t,n,s=0,i=!1){let r=i?Ep:wi,o=i?la:ra;[t,n]=r(e,t,n);let u=e[t],
p=e[t];if(t>-1)if(s==1)u=e[t],p=e[n];else if(s==-1)u=e[n],p=e[t];else for(let m=t;m<=n;m++){let g=e[m];o(g)&&(g<u?u=g:g>
p&&(p=g))}return[u??ge,p??-ge]}function vi(e,t,n,s){let i=Ro(e),r=Ro(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?
sn:oa,u=i==1?ht:Mt,p=r==1?Mt:ht,m=u(o(ze(e))),g=p(o(ze(t))),b=ps(n,m),v=ps(n,g);return n==10&&(m<0&&(b=be(b,-m)),g<0&&(v=
be(v,-g))),s||n==2?(e=b*i,t=v*r):(e=pa(e,b),t=xi(t,v)),[e,t]}function Fr(e,t,n,s){let i=vi(e,t,n,s);return e==0&&(i[0]=0),
t==0&&(i[1]=0),i}var jr=.1,$o={mode:3,pad:jr},Fs={pad:0,soft:null,mode:0},Tp={min:Fs,max:Fs};function gi(e,t,n,s){return yi(
n)?Ao(e,t,n):(Fs.pad=n,Fs.soft=s?0:null,Fs.mode=s?3:0,Ao(e,t,Tp))}function oe(e,t){return e??t}function _p(e,t,n){for(t=
oe(t,0),n=oe(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Ao(e,t,n){let s=n.min,i=n.max,r=oe(s.pad,
0),o=oe(i.pad,0),u=oe(s.hard,-ge),p=oe(i.hard,ge),m=oe(s.soft,ge),g=oe(i.soft,-ge),b=oe(s.mode,0),v=oe(i.mode,0),S=t-e,L=sn(
S),P=rt(ze(e),ze(t)),D=sn(P),q=ze(D-L);(S<1e-24||q>10)&&(S=0,(e==0||t==0)&&(S=1e-24,b==2&&m!=ge&&(r=0),v==2&&g!=-ge&&(o=
0)));let M=S||P||1e3,W=sn(M),T=ps(10,ht(W)),Z=M*(S==0?e==0?.1:1:r),N=be(pa(e-Z,T/10),24),X=e>=m&&(b==1||b==3&&N<=m||b==2&&
N>=m)?m:ge,Y=rt(u,N<X&&e>=X?X:Ht(X,N)),ne=M*(S==0?t==0?.1:1:o),K=be(xi(t+ne,T/10),24),_=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-ge,Q=Ht(p,K>_&&t<=_?_:rt(_,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var Lp=new Intl.NumberFormat(hs?kp.language:"en-US"),
qr=e=>Lp.format(e),gt=Math,mi=gt.PI,ze=gt.abs,ht=gt.floor,He=gt.round,Mt=gt.ceil,Ht=gt.min,rt=gt.max,ps=gt.pow,Ro=gt.sign,
sn=gt.log10,oa=gt.log2,Pp=(e,t=1)=>gt.sinh(e)*t,Sr=(e,t=1)=>gt.asinh(e/t),ge=1/0;function Do(e){return(sn((e^e>>31)-(e>>
31))|0)+1}function $r(e,t,n){return Ht(rt(e,t),n)}function aa(e){return typeof e=="function"}function se(e){return aa(e)?
e:()=>e}var Cp=()=>{},ca=e=>e,ua=(e,t)=>t,$p=e=>null,Oo=e=>!0,No=(e,t)=>e==t,Ap=/\.\d*?(?=9{6,}|0{6,})/gm,zn=e=>{if(fa(e)||
gn.has(e))return e;let t=`${e}`,n=t.match(Ap);if(n==null)return e;let s=n[0].length-1;if(t.indexOf("e-")!=-1){let[i,r]=t.
split("e");return+`${zn(i)}e${r}`}return be(e,s)};function Dn(e,t){return zn(be(zn(e/t))*t)}function xi(e,t){return zn(Mt(
zn(e/t))*t)}function pa(e,t){return zn(ht(zn(e/t))*t)}function be(e,t=0){if(fa(e))return e;let n=10**t,s=e*n*(1+Number.EPSILON);
return He(s)/n}var gn=new Map;function da(e){return((""+e).split(".")[1]||"").length}function qs(e,t,n,s){let i=[],r=s.map(
da);for(let o=t;o<n;o++){let u=ze(o),p=be(ps(e,o),u);for(let m=0;m<s.length;m++){let g=e==10?+`${s[m]}e${o}`:s[m]*p,b=(o>=
0?0:u)+(o>=r[m]?0:r[m]),v=e==10?g:be(g,b);i.push(v),gn.set(v,b)}}return i}var js={},Wr=[],ds=[null,null],hn=Array.isArray,
fa=Number.isInteger,Rp=e=>e===void 0;function Ho(e){return typeof e=="string"}function yi(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function Dp(e){return e!=null&&typeof e=="object"}var Op=Object.getPrototypeOf(
Uint8Array),ma="__proto__";function fs(e,t=yi){let n;if(hn(e)){let s=e.find(i=>i!=null);if(hn(s)||t(s)){n=Array(e.length);
for(let i=0;i<e.length;i++)n[i]=fs(e[i],t)}else n=e.slice()}else if(e instanceof Op)n=e.slice();else if(t(e)){n={};for(let s in e)
s!=ma&&(n[s]=fs(e[s],t))}else n=e;return n}function De(e){let t=arguments;for(let n=1;n<t.length;n++){let s=t[n];for(let i in s)
i!=ma&&(yi(e[i])?De(e[i],fs(s[i])):e[i]=fs(s[i]))}return e}var Np=0,Hp=1,zp=2;function Vp(e,t,n){for(let s=0,i,r=-1;s<t.
length;s++){let o=t[s];if(o>r){for(i=o-1;i>=0&&e[i]==null;)e[i--]=null;for(i=o+1;i<n&&e[i]==null;)e[r=i++]=null}}}function Fp(e,t){
if(Wp(e)){let o=e[0].slice();for(let u=1;u<e.length;u++)o.push(...e[u].slice(1));return Up(o[0])||(o=qp(o)),o}let n=new Set;
for(let o=0;o<e.length;o++){let p=e[o][0],m=p.length;for(let g=0;g<m;g++)n.add(p[g])}let s=[Array.from(n).sort((o,u)=>o-
u)],i=s[0].length,r=new Map;for(let o=0;o<i;o++)r.set(s[0][o],o);for(let o=0;o<e.length;o++){let u=e[o],p=u[0];for(let m=1;m<
u.length;m++){let g=u[m],b=Array(i).fill(void 0),v=t?t[o][m]:Hp,S=[];for(let L=0;L<g.length;L++){let P=g[L],D=r.get(p[L]);
P===null?v!=Np&&(b[D]=P,v==zp&&S.push(D)):b[D]=P}Vp(b,S,i),s.push(b)}}return s}var jp=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function qp(e){let t=e[0],n=t.length,s=Array(n);for(let r=0;r<s.length;r++)s[r]=r;s.sort(
(r,o)=>t[r]-t[o]);let i=[];for(let r=0;r<e.length;r++){let o=e[r],u=Array(n);for(let p=0;p<n;p++)u[p]=o[s[p]];i.push(u)}
return i}function Wp(e){let t=e[0][0],n=t.length;for(let s=1;s<e.length;s++){let i=e[s][0];if(i.length!=n)return!1;if(i!=
t){for(let r=0;r<n;r++)if(i[r]!=t[r])return!1}}return!0}function Up(e,t=100){let n=e.length;if(n<=1)return!0;let s=0,i=n-
1;for(;s<=i&&e[s]==null;)s++;for(;i>=s&&e[i]==null;)i--;if(i<=s)return!0;let r=rt(1,ht((i-s+1)/t));for(let o=e[s],u=s+r;u<=
i;u+=r){let p=e[u];if(p!=null){if(p<=o)return!1;o=p}}return!0}var ha=["January","February","March","April","May","June",
"July","August","September","October","November","December"],ga=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function ba(e){return e.slice(0,3)}var Gp=ga.map(ba),Ip=ha.map(ba),Bp={MMMM:ha,MMM:Ip,WWWW:ga,WWW:Gp};function Ns(e){
return(e<10?"0":"")+e}function Kp(e){return(e<10?"00":e<100?"0":"")+e}var Yp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Ns(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Ns(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Ns(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Ns(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Ns(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>Kp(e.getMilliseconds())};function Ur(e,t){t=t||Bp;let n=[],s=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=s.exec(
e);)n.push(i[0][0]=="{"?Yp[i[1]]:i[0]);return r=>{let o="";for(let u=0;u<n.length;u++)o+=typeof n[u]=="string"?n[u]:n[u](
r,t);return o}}var Jp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Qp(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Jp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var wa=e=>e%1==0,bi=[1,2,2.5,5],Zp=qs(10,-32,0,bi),va=qs(10,0,32,bi),Xp=va.filter(wa),On=Zp.concat(
va),Gr=`
`,xa="{YYYY}",zo=Gr+xa,ya="{M}/{D}",Vs=Gr+ya,di=Vs+"/{YY}",ka="{aa}",ed="{h}:{mm}",cs=ed+ka,Vo=Gr+cs,Fo=":{ss}",pe=null;
function Sa(e){let t=e*1e3,n=t*60,s=n*60,i=s*24,r=i*30,o=i*365,p=(e==1?qs(10,0,3,bi).filter(wa):qs(10,-3,0,bi)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,s,s*2,s*3,s*4,s*6,s*8,s*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,r,r*2,r*
3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),m=[[o,xa,pe,pe,pe,pe,pe,pe,1],[i*28,"{MMM}",zo,pe,pe,pe,pe,pe,1],[i,ya,zo,pe,
pe,pe,pe,pe,1],[s,"{h}"+ka,di,pe,Vs,pe,pe,pe,1],[n,cs,di,pe,Vs,pe,pe,pe,1],[t,Fo,di+" "+cs,pe,Vs+" "+cs,pe,Vo,pe,1],[e,Fo+
".{fff}",di+" "+cs,pe,Vs+" "+cs,pe,Vo,pe,1]];function g(b){return(v,S,L,P,D,q)=>{let M=[],W=D>=o,T=D>=r&&D<o,Z=b(L),N=be(
Z*e,3),X=Er(Z.getFullYear(),W?0:Z.getMonth(),T||W?1:Z.getDate()),Y=be(X*e,3);if(T||W){let ne=T?D/r:0,K=W?D/o:0,_=N==Y?N:
be(Er(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(He(_/e)),H=Q.getFullYear(),I=Q.getMonth();for(let j=0;_<=P;j++){
let ie=Er(H+K*j,I+ne*j,1),F=ie-b(be(ie*e,3));_=be((+ie+F)*e,3),_<=P&&M.push(_)}}else{let ne=D>=i?i:D,K=ht(L)-ht(N),_=Y+K+
xi(N-Y,ne);M.push(_);let Q=b(_),H=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/s,I=D/s,j=v.axes[S]._space,ie=q/j;for(;_=
be(_+D,e==1?0:3),!(_>P);)if(I>1){let F=ht(be(H+I,6))%24,re=b(_).getHours()-F;re>1&&(re=-1),_-=re*s,H=(H+I)%24;let me=M[M.
length-1];be((_-me)/D,3)*ie>=.7&&M.push(_)}else M.push(_)}return M}}return[p,m,g]}var[td,nd,sd]=Sa(1),[id,rd,ld]=Sa(.001);
qs(2,-53,53,[1]);function jo(e,t){return e.map(n=>n.map((s,i)=>i==0||i==8||s==null?s:t(i==1||n[8]==0?s:n[1]+s)))}function qo(e,t){
return(n,s,i,r,o)=>{let u=t.find(L=>o>=L[0])||t[t.length-1],p,m,g,b,v,S;return s.map(L=>{let P=e(L),D=P.getFullYear(),q=P.
getMonth(),M=P.getDate(),W=P.getHours(),T=P.getMinutes(),Z=P.getSeconds(),N=D!=p&&u[2]||q!=m&&u[3]||M!=g&&u[4]||W!=b&&u[5]||
T!=v&&u[6]||Z!=S&&u[7]||u[1];return p=D,m=q,g=M,b=W,v=T,S=Z,N(P)})}}function od(e,t){let n=Ur(t);return(s,i,r,o,u)=>i.map(
p=>n(e(p)))}function Er(e,t,n){return new Date(e,t,n)}function Wo(e,t){return t(e)}var ad="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Uo(e,t){return(n,s,i,r)=>r==null?zr:t(e(s))}function cd(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function ud(e,t){return e.series[t].fill(e,t)}var pd={show:!0,live:!0,isolate:!1,mount:Cp,
markers:{show:!0,width:2,stroke:cd,fill:ud,dash:"solid"},idx:null,idxs:null,values:[]};function dd(e,t){let n=e.cursor.points,
s=Et(),i=n.size(e,t);ke(s,Hs,i),ke(s,zs,i);let r=i/-2;ke(s,"marginLeft",r),ke(s,"marginTop",r);let o=n.width(e,t,i);return o&&
ke(s,"borderWidth",o),s}function fd(e,t){let n=e.series[t].points;return n._fill||n._stroke}function md(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function hd(e,t){return e.series[t].points.size}var Mr=[0,0];function gd(e,t,n){return Mr[0]=
t,Mr[1]=n,Mr}function fi(e,t,n,s=!0){return i=>{i.button==0&&(!s||i.target==t)&&n(i)}}function Tr(e,t,n,s=!0){return i=>{
(!s||i.target==t)&&n(i)}}var bd={show:!0,x:!0,y:!0,lock:!1,move:gd,points:{one:!1,show:dd,size:hd,width:0,stroke:md,fill:fd},
bind:{mousedown:fi,mouseup:fi,click:fi,dblclick:fi,mousemove:Tr,mouseleave:Tr,mouseenter:Tr},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,s,i)=>s-
i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ea={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ir=De({},Ea,{filter:ua}),Ma=De({},Ir,{size:10}),Ta=De({},Ea,{show:!1}),Br='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',_a="bold "+Br,La=1.5,Go={show:!0,scale:"x",stroke:Hr,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:_a,side:2,grid:Ir,ticks:Ma,border:Ta,font:Br,lineGap:La,rotate:0},wd="\
Value",vd="Time",Io={show:!0,scale:"x",auto:!1,sorted:1,min:ge,max:-ge,idxs:[]};function xd(e,t,n,s,i){return t.map(r=>r==
null?"":qr(r))}function yd(e,t,n,s,i,r,o){let u=[],p=gn.get(i)||0;n=o?n:be(xi(n,i),p);for(let m=n;m<=s;m=be(m+i,p))u.push(
Object.is(m,-0)?0:m);return u}function Ar(e,t,n,s,i,r,o){let u=[],p=e.scales[e.axes[t].scale].log,m=p==10?sn:oa,g=ht(m(n));
i=ps(p,g),p==10&&(i=On[Nt(i,On)]);let b=n,v=i*p;p==10&&(v=On[Nt(v,On)]);do u.push(b),b=b+i,p==10&&!gn.has(b)&&(b=be(b,gn.
get(i))),b>=v&&(i=b,v=i*p,p==10&&(v=On[Nt(v,On)]));while(b<=s);return u}function kd(e,t,n,s,i,r,o){let p=e.scales[e.axes[t].
scale].asinh,m=s>p?Ar(e,t,rt(p,n),s,i):[p],g=s>=0&&n<=0?[0]:[];return(n<-p?Ar(e,t,rt(p,-s),-n,i):[p]).reverse().map(v=>-v).
concat(g,m)}var Pa=/./,Sd=/[12357]/,Ed=/[125]/,Bo=/1/,Rr=(e,t,n,s)=>e.map((i,r)=>t==4&&i==0||r%s==0&&n.test(i.toExponential()[i<
0?1:0])?i:null);function Md(e,t,n,s,i){let r=e.axes[n],o=r.scale,u=e.scales[o],p=e.valToPos,m=r._space,g=p(10,o),b=p(9,o)-
g>=m?Pa:p(7,o)-g>=m?Sd:p(5,o)-g>=m?Ed:Bo;if(b==Bo){let v=ze(p(1,o)-g);if(v<m)return Rr(t.slice().reverse(),u.distr,b,Mt(
m/v)).reverse()}return Rr(t,u.distr,b,1)}function Td(e,t,n,s,i){let r=e.axes[n],o=r.scale,u=r._space,p=e.valToPos,m=ze(p(
1,o)-p(2,o));return m<u?Rr(t.slice().reverse(),3,Pa,Mt(u/m)).reverse():t}function _d(e,t,n,s){return s==null?zr:t==null?
"":qr(t)}var Ko={show:!0,scale:"y",stroke:Hr,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:_a,side:3,
grid:Ir,ticks:Ma,border:Ta,font:Br,lineGap:La,rotate:0};function Ld(e,t){let n=3+(e||1)*2;return be(n*t,3)}function Pd(e,t){
let{scale:n,idxs:s}=e.series[0],i=e._data[0],r=e.valToPos(i[s[0]],n,!0),o=e.valToPos(i[s[1]],n,!0),u=ze(o-r),p=e.series[t],
m=u/(p.points.space*ce);return s[1]-s[0]<=m}var Yo={scale:null,auto:!0,sorted:0,min:ge,max:-ge},Ca=(e,t,n,s,i)=>i,Jo={show:!0,
auto:!0,sorted:0,gaps:Ca,alpha:1,facets:[De({},Yo,{scale:"x"}),De({},Yo,{scale:"y"})]},Qo={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:Ca,alpha:1,points:{show:Pd,filter:null},values:null,min:ge,max:-ge,idxs:[],path:null,clip:null};function Cd(e,t,n,s,i){
return n/10}var $a={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},$d=De({},$a,{time:!1,ori:1}),Zo={};
function Aa(e,t){let n=Zo[e];return n||(n={key:e,plots:[],sub(s){n.plots.push(s)},unsub(s){n.plots=n.plots.filter(i=>i!=
s)},pub(s,i,r,o,u,p,m){for(let g=0;g<n.plots.length;g++)n.plots[g]!=i&&n.plots[g].pub(s,i,r,o,u,p,m)}},e!=null&&(Zo[e]=n)),
n}var ms=1,Dr=2;function Vn(e,t,n){let s=e.mode,i=e.series[t],r=s==2?e._data[t]:e._data,o=e.scales,u=e.bbox,p=r[0],m=s==
2?r[1]:r[t],g=s==2?o[i.facets[0].scale]:o[e.series[0].scale],b=s==2?o[i.facets[1].scale]:o[i.scale],v=u.left,S=u.top,L=u.
width,P=u.height,D=e.valToPosH,q=e.valToPosV;return g.ori==0?n(i,p,m,g,b,D,q,v,S,L,P,Si,gs,Mi,Da,Na):n(i,p,m,g,b,q,D,S,v,
P,L,Ei,bs,Jr,Oa,Ha)}function Kr(e,t){let n=0,s=0,i=oe(e.bands,Wr);for(let r=0;r<i.length;r++){let o=i[r];o.series[0]==t?
n=o.dir:o.series[1]==t&&(o.dir==1?s|=1:s|=2)}return[n,s==1?-1:s==2?1:s==3?2:0]}function Ad(e,t,n,s,i){let r=e.mode,o=e.series[t],
u=r==2?o.facets[1].scale:o.scale,p=e.scales[u];return i==-1?p.min:i==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function rn(e,t,n,s,i,r){
return Vn(e,t,(o,u,p,m,g,b,v,S,L,P,D)=>{let q=o.pxRound,M=m.dir*(m.ori==0?1:-1),W=m.ori==0?gs:bs,T,Z;M==1?(T=n,Z=s):(T=s,
Z=n);let N=q(b(u[T],m,P,S)),X=q(v(p[T],g,D,L)),Y=q(b(u[Z],m,P,S)),ne=q(v(r==1?g.max:g.min,g,D,L)),K=new Path2D(i);return W(
K,Y,ne),W(K,N,ne),W(K,N,X),K})}function ki(e,t,n,s,i,r){let o=null;if(e.length>0){o=new Path2D;let u=t==0?Mi:Jr,p=n;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let S=v[0]-p;S>0&&u(o,p,s,S,s+r),p=v[1]}}let m=n+i-p,g=10;m>0&&u(o,p,s-g/2,m,s+r+
g)}return o}function Rd(e,t,n){let s=e[e.length-1];s&&s[0]==t?s[1]=n:e.push([t,n])}function Yr(e,t,n,s,i,r,o){let u=[],p=e.
length;for(let m=i==1?n:s;m>=n&&m<=s;m+=i)if(t[m]===null){let b=m,v=m;if(i==1)for(;++m<=s&&t[m]===null;)v=m;else for(;--m>=
n&&t[m]===null;)v=m;let S=r(e[b]),L=v==b?S:r(e[v]),P=b-i;S=o<=0&&P>=0&&P<p?r(e[P]):S;let q=v+i;L=o>=0&&q>=0&&q<p?r(e[q]):
L,L>=S&&u.push([S,L])}return u}function Xo(e){return e==0?ca:e==1?He:t=>Dn(t,e)}function Ra(e){let t=e==0?Si:Ei,n=e==0?(i,r,o,u,p,m)=>{
i.arcTo(r,o,u,p,m)}:(i,r,o,u,p,m)=>{i.arcTo(o,r,p,u,m)},s=e==0?(i,r,o,u,p)=>{i.rect(r,o,u,p)}:(i,r,o,u,p)=>{i.rect(o,r,p,
u)};return(i,r,o,u,p,m=0,g=0)=>{m==0&&g==0?s(i,r,o,u,p):(m=Ht(m,u/2,p/2),g=Ht(g,u/2,p/2),t(i,r+m,o),n(i,r+u,o,r+u,o+p,m),
n(i,r+u,o+p,r,o+p,g),n(i,r,o+p,r,o,g),n(i,r,o,r+u,o,m),i.closePath())}}var Si=(e,t,n)=>{e.moveTo(t,n)},Ei=(e,t,n)=>{e.moveTo(
n,t)},gs=(e,t,n)=>{e.lineTo(t,n)},bs=(e,t,n)=>{e.lineTo(n,t)},Mi=Ra(0),Jr=Ra(1),Da=(e,t,n,s,i,r)=>{e.arc(t,n,s,i,r)},Oa=(e,t,n,s,i,r)=>{
e.arc(n,t,s,i,r)},Na=(e,t,n,s,i,r,o)=>{e.bezierCurveTo(t,n,s,i,r,o)},Ha=(e,t,n,s,i,r,o)=>{e.bezierCurveTo(n,t,i,s,o,r)};
function za(e){return(t,n,s,i,r)=>Vn(t,n,(o,u,p,m,g,b,v,S,L,P,D)=>{let{pxRound:q,points:M}=o,W,T;m.ori==0?(W=Si,T=Da):(W=
Ei,T=Oa);let Z=be(M.width*ce,3),N=(M.size-M.width)/2*ce,X=be(N*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:_,width:Q,height:H}=t.
bbox;Mi(ne,K-X,_-X,Q+X*2,H+X*2);let I=j=>{if(p[j]!=null){let ie=q(b(u[j],m,P,S)),F=q(v(p[j],g,D,L));W(Y,ie+N,F),T(Y,ie,F,
N,0,mi*2)}};if(r)r.forEach(I);else for(let j=s;j<=i;j++)I(j);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:ms|Dr}})}function Va(e){
return(t,n,s,i,r,o)=>{s!=i&&(r!=s&&o!=s&&e(t,n,s),r!=i&&o!=i&&e(t,n,i),e(t,n,o))}}var Dd=Va(gs),Od=Va(bs);function Fa(e){
let t=oe(e?.alignGaps,0);return(n,s,i,r)=>Vn(n,s,(o,u,p,m,g,b,v,S,L,P,D)=>{[i,r]=wi(p,i,r);let q=o.pxRound,M=H=>q(b(H,m,
P,S)),W=H=>q(v(H,g,D,L)),T,Z;m.ori==0?(T=gs,Z=Dd):(T=bs,Z=Od);let N=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:ms},Y=X.stroke,ne=!1;if(r-i>=P*4){let H=z=>n.posToVal(z,m.key,!0),I=null,j=null,ie,F,
lt,Se=M(u[N==1?i:r]),re=M(u[i]),me=M(u[r]),ee=H(N==1?re+1:me-1);for(let z=N==1?i:r;z>=i&&z<=r;z+=N){let Oe=u[z],Ee=(N==1?
Oe<ee:Oe>ee)?Se:M(Oe),ue=p[z];Ee==Se?ue!=null?(F=ue,I==null?(T(Y,Ee,W(F)),ie=I=j=F):F<I?I=F:F>j&&(j=F)):ue===null&&(ne=!0):
(I!=null&&Z(Y,Se,W(I),W(j),W(ie),W(F)),ue!=null?(F=ue,T(Y,Ee,W(F)),I=j=ie=F):(I=j=null,ue===null&&(ne=!0)),Se=Ee,ee=H(Se+
N))}I!=null&&I!=j&&lt!=Se&&Z(Y,Se,W(I),W(j),W(ie),W(F))}else for(let H=N==1?i:r;H>=i&&H<=r;H+=N){let I=p[H];I===null?ne=
!0:I!=null&&T(Y,M(u[H]),W(I))}let[_,Q]=Kr(n,s);if(o.fill!=null||_!=0){let H=X.fill=new Path2D(Y),I=o.fillTo(n,s,o.min,o.
max,_),j=W(I),ie=M(u[i]),F=M(u[r]);N==-1&&([F,ie]=[ie,F]),T(H,F,j),T(H,ie,j)}if(!o.spanGaps){let H=[];ne&&H.push(...Yr(u,
p,i,r,N,M,t)),X.gaps=H=o.gaps(n,s,i,r,H),X.clip=ki(H,m.ori,S,L,P,D)}return Q!=0&&(X.band=Q==2?[rn(n,s,i,r,Y,-1),rn(n,s,i,
r,Y,1)]:rn(n,s,i,r,Y,Q)),X})}function Nd(e){let t=oe(e.align,1),n=oe(e.ascDesc,!1),s=oe(e.alignGaps,0),i=oe(e.extend,!1);
return(r,o,u,p)=>Vn(r,o,(m,g,b,v,S,L,P,D,q,M,W)=>{[u,p]=wi(b,u,p);let T=m.pxRound,{left:Z,width:N}=r.bbox,X=re=>T(L(re,v,
M,D)),Y=re=>T(P(re,S,W,q)),ne=v.ori==0?gs:bs,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ms},_=K.
stroke,Q=v.dir*(v.ori==0?1:-1),H=Y(b[Q==1?u:p]),I=X(g[Q==1?u:p]),j=I,ie=I;i&&t==-1&&(ie=Z,ne(_,ie,H)),ne(_,I,H);for(let re=Q==
1?u:p;re>=u&&re<=p;re+=Q){let me=b[re];if(me==null)continue;let ee=X(g[re]),z=Y(me);t==1?ne(_,ee,H):ne(_,j,z),ne(_,ee,z),
H=z,j=ee}let F=j;i&&t==1&&(F=Z+N,ne(_,F,H));let[lt,Se]=Kr(r,o);if(m.fill!=null||lt!=0){let re=K.fill=new Path2D(_),me=m.
fillTo(r,o,m.min,m.max,lt),ee=Y(me);ne(re,F,ee),ne(re,ie,ee)}if(!m.spanGaps){let re=[];re.push(...Yr(g,b,u,p,Q,X,s));let me=m.
width*ce/2,ee=n||t==1?me:-me,z=n||t==-1?-me:me;re.forEach(Oe=>{Oe[0]+=ee,Oe[1]+=z}),K.gaps=re=m.gaps(r,o,u,p,re),K.clip=
ki(re,v.ori,D,q,M,W)}return Se!=0&&(K.band=Se==2?[rn(r,o,u,p,_,-1),rn(r,o,u,p,_,1)]:rn(r,o,u,p,_,Se)),K})}function ea(e,t,n,s,i,r,o=ge){
if(e.length>1){let u=null;for(let p=0,m=1/0;p<e.length;p++)if(t[p]!==void 0){if(u!=null){let g=ze(e[p]-e[u]);g<m&&(m=g,o=
ze(n(e[p],s,i,r)-n(e[u],s,i,r)))}u=p}}return o}function Hd(e){e=e||js;let t=oe(e.size,[.6,ge,1]),n=e.align||0,s=e.gap||0,
i=e.radius;i=i==null?[0,0]:typeof i=="number"?[i,0]:i;let r=se(i),o=1-t[0],u=oe(t[1],ge),p=oe(t[2],1),m=oe(e.disp,js),g=oe(
e.each,S=>{}),{fill:b,stroke:v}=m;return(S,L,P,D)=>Vn(S,L,(q,M,W,T,Z,N,X,Y,ne,K,_)=>{let Q=q.pxRound,H=n,I=s*ce,j=u*ce,ie=p*
ce,F,lt;T.ori==0?[F,lt]=r(S,L):[lt,F]=r(S,L);let Se=T.dir*(T.ori==0?1:-1),re=T.ori==0?Mi:Jr,me=T.ori==0?g:(R,we,Ne,Un,kn,Ft,Sn)=>{
g(R,we,Ne,kn,Un,Sn,Ft)},ee=oe(S.bands,Wr).find(R=>R.series[0]==L),z=ee!=null?ee.dir:0,Oe=q.fillTo(S,L,q.min,q.max,z),et=Q(
X(Oe,Z,_,ne)),Ee,ue,Lt,ct=K,Le=Q(q.width*ce),Vt=!1,Qt=null,bt=null,ln=null,jn=null;b!=null&&(Le==0||v!=null)&&(Vt=!0,Qt=
b.values(S,L,P,D),bt=new Map,new Set(Qt).forEach(R=>{R!=null&&bt.set(R,new Path2D)}),Le>0&&(ln=v.values(S,L,P,D),jn=new Map,
new Set(ln).forEach(R=>{R!=null&&jn.set(R,new Path2D)})));let{x0:qn,size:ys}=m;if(qn!=null&&ys!=null){H=1,M=qn.values(S,
L,P,D),qn.unit==2&&(M=M.map(Ne=>S.posToVal(Y+Ne*K,T.key,!0)));let R=ys.values(S,L,P,D);ys.unit==2?ue=R[0]*K:ue=N(R[0],T,
K,Y)-N(0,T,K,Y),ct=ea(M,W,N,T,K,Y,ct),Lt=ct-ue+I}else ct=ea(M,W,N,T,K,Y,ct),Lt=ct*o+I,ue=ct-Lt;Lt<1&&(Lt=0),Le>=ue/2&&(Le=
0),Lt<5&&(Q=ca);let Bs=Lt>0,xn=ct-Lt-(Bs?Le:0);ue=Q($r(xn,ie,j)),Ee=(H==0?ue/2:H==Se?0:ue)-H*Se*((H==0?I/2:0)+(Bs?Le/2:0));
let tt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Wn=Vt?null:new Path2D,Zt=null;if(ee!=null)Zt=S.data[ee.
series[1]];else{let{y0:R,y1:we}=m;R!=null&&we!=null&&(W=we.values(S,L,P,D),Zt=R.values(S,L,P,D))}let yn=F*ue,J=lt*ue;for(let R=Se==
1?P:D;R>=P&&R<=D;R+=Se){let we=W[R];if(we==null)continue;if(Zt!=null){let ot=Zt[R]??0;if(we-ot==0)continue;et=X(ot,Z,_,ne)}
let Ne=T.distr!=2||m!=null?M[R]:R,Un=N(Ne,T,K,Y),kn=X(oe(we,Oe),Z,_,ne),Ft=Q(Un-Ee),Sn=Q(rt(kn,et)),ut=Q(Ht(kn,et)),wt=Sn-
ut;if(we!=null){let ot=we<0?J:yn,Pt=we<0?yn:J;Vt?(Le>0&&ln[R]!=null&&re(jn.get(ln[R]),Ft,ut+ht(Le/2),ue,rt(0,wt-Le),ot,Pt),
Qt[R]!=null&&re(bt.get(Qt[R]),Ft,ut+ht(Le/2),ue,rt(0,wt-Le),ot,Pt)):re(Wn,Ft,ut+ht(Le/2),ue,rt(0,wt-Le),ot,Pt),me(S,L,R,
Ft-Le/2,ut,ue+Le,wt)}}return Le>0?tt.stroke=Vt?jn:Wn:Vt||(tt._fill=q.width==0?q._fill:q._stroke??q._fill,tt.width=0),tt.
fill=Vt?bt:Wn,tt})}function zd(e,t){let n=oe(t?.alignGaps,0);return(s,i,r,o)=>Vn(s,i,(u,p,m,g,b,v,S,L,P,D,q)=>{[r,o]=wi(
m,r,o);let M=u.pxRound,W=F=>M(v(F,g,D,L)),T=F=>M(S(F,b,q,P)),Z,N,X;g.ori==0?(Z=Si,X=gs,N=Na):(Z=Ei,X=bs,N=Ha);let Y=g.dir*
(g.ori==0?1:-1),ne=W(p[Y==1?r:o]),K=ne,_=[],Q=[];for(let F=Y==1?r:o;F>=r&&F<=o;F+=Y)if(m[F]!=null){let Se=p[F],re=W(Se);
_.push(K=re),Q.push(T(m[F]))}let H={stroke:e(_,Q,Z,X,N,M),fill:null,clip:null,band:null,gaps:null,flags:ms},I=H.stroke,[
j,ie]=Kr(s,i);if(u.fill!=null||j!=0){let F=H.fill=new Path2D(I),lt=u.fillTo(s,i,u.min,u.max,j),Se=T(lt);X(F,K,Se),X(F,ne,
Se)}if(!u.spanGaps){let F=[];F.push(...Yr(p,m,r,o,Y,W,n)),H.gaps=F=u.gaps(s,i,r,o,F),H.clip=ki(F,g.ori,L,P,D,q)}return ie!=
0&&(H.band=ie==2?[rn(s,i,r,o,I,-1),rn(s,i,r,o,I,1)]:rn(s,i,r,o,I,ie)),H})}function Vd(e){return zd(Fd,e)}function Fd(e,t,n,s,i,r){
let o=e.length;if(o<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),o==2)s(u,e[1],t[1]);else{let p=Array(o),m=Array(o-1),
g=Array(o-1),b=Array(o-1);for(let v=0;v<o-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];p[0]=m[0];for(let v=1;v<
o-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?p[v]=0:(p[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(p[v])||(p[v]=0));p[o-1]=m[o-2];for(let v=0;v<o-1;v++)i(u,e[v]+b[v]/3,t[v]+p[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-p[v+
1]*b[v]/3,e[v+1],t[v+1])}return u}var Or=new Set;function ta(){for(let e of Or)e.syncRect(!0)}hs&&(Hn(xp,us,ta),Hn(yp,us,
ta,!0),Hn(hi,us,()=>{Be.pxRatio=ce}));var jd=Fa(),qd=za();function na(e,t,n,s){return(s?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((r,o)=>Nr(r,o,t,n))}function Wd(e,t){return e.map((n,s)=>s==0?{}:De({},t,n))}function Nr(e,t,n,s){
return De({},t==0?n:s,e)}function ja(e,t,n){return t==null?ds:[t,n]}var Ud=ja;function Gd(e,t,n){return t==null?ds:gi(t,
n,jr,!0)}function qa(e,t,n,s){return t==null?ds:vi(t,n,e.scales[s].log,!1)}var Id=qa;function Wa(e,t,n,s){return t==null?
ds:Fr(t,n,e.scales[s].log,!1)}var Bd=Wa;function Kd(e,t,n,s,i){let r=rt(Do(e),Do(t)),o=t-e,u=Nt(i/s*o,n);do{let p=n[u],m=s*
p/o;if(m>=i&&r+(p<5?gn.get(p):0)<=17)return[p,m]}while(++u<n.length);return[0,0]}function sa(e){let t,n;return e=e.replace(
/(\d+)px/,(s,i)=>(t=He((n=+i)*ce))+"px"),[e,t,n]}function Yd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=be(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Be(e,t,n){let s={mode:oe(e.mode,1)},i=s.mode;function r(a,c,d,f){
let h=c.valToPct(a);return f+d*(c.dir==-1?1-h:h)}function o(a,c,d,f){let h=c.valToPct(a);return f+d*(c.dir==-1?h:1-h)}function u(a,c,d,f){
return c.ori==0?r(a,c,d,f):o(a,c,d,f)}s.valToPosH=r,s.valToPosV=o;let p=!1;s.status=0;let m=s.root=Et(np);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let a=Et(rp,m);a.textContent=e.title}let g=Ot("canvas"),b=s.ctx=g.getContext("2d"),v=Et(
lp,m);Hn("click",v,a=>{a.target===L&&(ve!=ts||Me!=ns)&&Ye.click(s,a)},!0);let S=s.under=Et(op,v);v.appendChild(g);let L=s.
over=Et(ap,v);e=fs(e);let P=+oe(e.pxAlign,1),D=Xo(P);(e.plugins||[]).forEach(a=>{a.opts&&(e=a.opts(s,e)||e)});let q=e.ms||
.001,M=s.series=i==1?na(e.series||[],Io,Qo,!1):Wd(e.series||[null],Jo),W=s.axes=na(e.axes||[],Go,Ko,!0),T=s.scales={},Z=s.
bands=e.bands||[];Z.forEach(a=>{a.fill=se(a.fill||null),a.dir=oe(a.dir,-1)});let N=i==2?M[1].facets[0].scale:M[0].scale,
X={axes:iu,series:Xc},Y=(e.drawOrder||["axes","series"]).map(a=>X[a]);function ne(a){let c=a.distr==3?d=>sn(d>0?d:a.clamp(
s,d,a.min,a.max,a.key)):a.distr==4?d=>Sr(d,a.asinh):a.distr==100?d=>a.fwd(d):d=>d;return d=>{let f=c(d),{_min:h,_max:w}=a,
x=w-h;return(f-h)/x}}function K(a){let c=T[a];if(c==null){let d=(e.scales||js)[a]||js;if(d.from!=null){K(d.from);let f=De(
{},T[d.from],d,{key:a});f.valToPct=ne(f),T[a]=f}else{c=T[a]=De({},a==N?$a:$d,d),c.key=a;let f=c.time,h=c.range,w=hn(h);if((a!=
N||i==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?$o:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?$o:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&yi(h))){let x=h;h=(k,E,C)=>E==null?ds:gi(E,C,x)}c.range=se(h||(f?Ud:a==N?c.distr==3?Id:c.
distr==4?Bd:ja:c.distr==3?qa:c.distr==4?Wa:Gd)),c.auto=se(w?!1:c.auto),c.clamp=se(c.clamp||Cd),c._min=c._max=null,c.valToPct=
ne(c)}}}K("x"),K("y"),i==1&&M.forEach(a=>{K(a.scale)}),W.forEach(a=>{K(a.scale)});for(let a in e.scales)K(a);let _=T[N],
Q=_.distr,H,I;_.ori==0?(mt(m,sp),H=r,I=o):(mt(m,ip),H=o,I=r);let j={};for(let a in T){let c=T[a];(c.min!=null||c.max!=null)&&
(j[a]={min:c.min,max:c.max},c.min=c.max=null)}let ie=e.tzDate||(a=>new Date(He(a/q))),F=e.fmtDate||Ur,lt=q==1?sd(ie):ld(
ie),Se=qo(ie,jo(q==1?nd:rd,F)),re=Uo(ie,Wo(ad,F)),me=[],ee=s.legend=De({},pd,e.legend),z=s.cursor=De({},bd,{drag:{y:i==2}},
e.cursor),Oe=ee.show,et=z.show,Ee=ee.markers;ee.idxs=me,Ee.width=se(Ee.width),Ee.dash=se(Ee.dash),Ee.stroke=se(Ee.stroke),
Ee.fill=se(Ee.fill);let ue,Lt,ct,Le=[],Vt=[],Qt,bt=!1,ln={};if(ee.live){let a=M[1]?M[1].values:null;bt=a!=null,Qt=bt?a(s,
1,0):{_:0};for(let c in Qt)ln[c]=zr}if(Oe)if(ue=Ot("table",mp,m),ct=Ot("tbody",null,ue),ee.mount(s,ue),bt){Lt=Ot("thead",
null,ue,ct);let a=Ot("tr",null,Lt);Ot("th",null,a);for(var jn in Qt)Ot("th",wo,a).textContent=jn}else mt(ue,gp),ee.live&&
mt(ue,hp);let qn={show:!0},ys={show:!1};function Bs(a,c){if(c==0&&(bt||!ee.live||i==2))return ds;let d=[],f=Ot("tr",bp,ct,
ct.childNodes[c]);mt(f,a.class),a.show||mt(f,Nn);let h=Ot("th",null,f);if(Ee.show){let k=Et(wp,h);if(c>0){let E=Ee.width(
s,c);E&&(k.style.border=E+"px "+Ee.dash(s,c)+" "+Ee.stroke(s,c)),k.style.background=Ee.fill(s,c)}}let w=Et(wo,h);a.label instanceof
HTMLElement?w.appendChild(a.label):w.textContent=a.label,c>0&&(Ee.show||(w.style.color=a.width>0?Ee.stroke(s,c):Ee.fill(
s,c)),tt("click",h,k=>{if(z._lock)return;Mn(k);let E=M.indexOf(a);if((k.ctrlKey||k.metaKey)!=ee.isolate){let C=M.some((A,O)=>O>
0&&O!=E&&A.show);M.forEach((A,O)=>{O>0&&qt(O,C?O==E?qn:ys:qn,!0,Ae.setSeries)})}else qt(E,{show:!a.show},!0,Ae.setSeries)},
!1),In&&tt(ko,h,k=>{z._lock||(Mn(k),qt(M.indexOf(a),is,!0,Ae.setSeries))},!1));for(var x in Qt){let k=Ot("td",vp,f);k.textContent=
"--",d.push(k)}return[f,d]}let xn=new Map;function tt(a,c,d,f=!0){let h=xn.get(c)||{},w=z.bind[a](s,c,d,f);w&&(Hn(a,c,h[a]=
w),xn.set(c,h))}function Wn(a,c,d){let f=xn.get(c)||{};for(let h in f)(a==null||h==a)&&(Cr(h,c,f[h]),delete f[h]);a==null&&
xn.delete(c)}let Zt=0,yn=0,J=0,R=0,we=0,Ne=0,Un=we,kn=Ne,Ft=J,Sn=R,ut=0,wt=0,ot=0,Pt=0;s.bbox={};let Ni=!1,Ks=!1,Gn=!1,En=!1,
Ys=!1,vt=!1;function Hi(a,c,d){(d||a!=s.width||c!=s.height)&&fl(a,c),Qn(!1),Gn=!0,Ks=!0,Zn()}function fl(a,c){s.width=Zt=
J=a,s.height=yn=R=c,we=Ne=0,Ic(),Bc();let d=s.bbox;ut=d.left=Dn(we*ce,.5),wt=d.top=Dn(Ne*ce,.5),ot=d.width=Dn(J*ce,.5),Pt=
d.height=Dn(R*ce,.5)}let Wc=3;function Uc(){let a=!1,c=0;for(;!a;){c++;let d=nu(c),f=su(c);a=c==Wc||d&&f,a||(fl(s.width,
s.height),Ks=!0)}}function Gc({width:a,height:c}){Hi(a,c)}s.setSize=Gc;function Ic(){let a=!1,c=!1,d=!1,f=!1;W.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:k}=h,E=x%2,C=h.label!=null?h.labelSize:0,A=k+C;A>0&&(E?(J-=A,x==3?(we+=A,f=!0):d=!0):
(R-=A,x==0?(Ne+=A,a=!0):c=!0))}}),Tn[0]=a,Tn[1]=d,Tn[2]=c,Tn[3]=f,J-=on[1]+on[3],we+=on[3],R-=on[2]+on[0],Ne+=on[0]}function Bc(){
let a=we+J,c=Ne+R,d=we,f=Ne;function h(w,x){switch(w){case 1:return a+=x,a-x;case 2:return c+=x,c-x;case 3:return d-=x,d+
x;case 0:return f-=x,f+x}}W.forEach((w,x)=>{if(w.show&&w._show){let k=w.side;w._pos=h(k,w._size),w.label!=null&&(w._lpos=
h(k,w.labelSize))}})}if(z.dataIdx==null){let a=z.hover,c=a.skip=new Set(a.skip??[]);c.add(void 0);let d=a.prox=se(a.prox),
f=a.bias??=0;z.dataIdx=(h,w,x,k)=>{if(w==0)return x;let E=x,C=d(h,w,x,k)??ge,A=C>=0&&C<ge,O=_.ori==0?J:R,B=z.left,ae=t[0],
le=t[w];if(c.has(le[x])){E=null;let te=null,G=null,V;if(f==0||f==-1)for(V=x;te==null&&V-- >0;)c.has(le[V])||(te=V);if(f==
0||f==1)for(V=x;G==null&&V++<le.length;)c.has(le[V])||(G=V);if(te!=null||G!=null)if(A){let ye=te==null?-1/0:H(ae[te],_,O,
0),Ce=G==null?1/0:H(ae[G],_,O,0),Ue=B-ye,he=Ce-B;Ue<=he?Ue<=C&&(E=te):he<=C&&(E=G)}else E=G==null?te:te==null?G:x-te<=G-
x?te:G}else A&&ze(B-H(ae[x],_,O,0))>C&&(E=null);return E}}let Mn=a=>{z.event=a};z.idxs=me,z._lock=!1;let Qe=z.points;Qe.
show=se(Qe.show),Qe.size=se(Qe.size),Qe.stroke=se(Qe.stroke),Qe.width=se(Qe.width),Qe.fill=se(Qe.fill);let jt=s.focus=De(
{},e.focus||{alpha:.3},z.focus),In=jt.prox>=0,Bn=In&&Qe.one,xt=[],Kn=[],Yn=[];function ml(a,c){let d=Qe.show(s,c);if(d instanceof
HTMLElement)return mt(d,fp),mt(d,a.class),Jt(d,-10,-10,J,R),L.insertBefore(d,xt[c]),d}function hl(a,c){if(i==1||c>0){let d=i==
1&&T[a.scale].time,f=a.value;a.value=d?Ho(f)?Uo(ie,Wo(f,F)):f||re:f||_d,a.label=a.label||(d?vd:wd)}if(Bn||c>0){a.width=a.
width==null?1:a.width,a.paths=a.paths||jd||$p,a.fillTo=se(a.fillTo||Ad),a.pxAlign=+oe(a.pxAlign,P),a.pxRound=Xo(a.pxAlign),
a.stroke=se(a.stroke||null),a.fill=se(a.fill||null),a._stroke=a._fill=a._paths=a._focus=null;let d=Ld(rt(1,a.width),1),f=a.
points=De({},{size:d,width:rt(1,d*.2),stroke:a.stroke,space:d*2,paths:qd,_stroke:null,_fill:null},a.points);f.show=se(f.
show),f.filter=se(f.filter),f.fill=se(f.fill),f.stroke=se(f.stroke),f.paths=se(f.paths),f.pxAlign=a.pxAlign}if(Oe){let d=Bs(
a,c);Le.splice(c,0,d[0]),Vt.splice(c,0,d[1]),ee.values.push(null)}if(et){me.splice(c,0,null);let d=null;Bn?c==0&&(d=ml(a,
c)):c>0&&(d=ml(a,c)),xt.splice(c,0,d),Kn.splice(c,0,0),Yn.splice(c,0,0)}We("addSeries",c)}function Kc(a,c){c=c??M.length,
a=i==1?Nr(a,c,Io,Qo):Nr(a,c,{},Jo),M.splice(c,0,a),hl(M[c],c)}s.addSeries=Kc;function Yc(a){if(M.splice(a,1),Oe){ee.values.
splice(a,1),Vt.splice(a,1);let c=Le.splice(a,1)[0];Wn(null,c.firstChild),c.remove()}et&&(me.splice(a,1),xt.splice(a,1)[0].
remove(),Kn.splice(a,1),Yn.splice(a,1)),We("delSeries",a)}s.delSeries=Yc;let Tn=[!1,!1,!1,!1];function Jc(a,c){if(a._show=
a.show,a.show){let d=a.side%2,f=T[a.scale];f==null&&(a.scale=d?M[1].scale:N,f=T[a.scale]);let h=f.time;a.size=se(a.size),
a.space=se(a.space),a.rotate=se(a.rotate),hn(a.incrs)&&a.incrs.forEach(x=>{!gn.has(x)&&gn.set(x,da(x))}),a.incrs=se(a.incrs||
(f.distr==2?Xp:h?q==1?td:id:On)),a.splits=se(a.splits||(h&&f.distr==1?lt:f.distr==3?Ar:f.distr==4?kd:yd)),a.stroke=se(a.
stroke),a.grid.stroke=se(a.grid.stroke),a.ticks.stroke=se(a.ticks.stroke),a.border.stroke=se(a.border.stroke);let w=a.values;
a.values=hn(w)&&!hn(w[0])?se(w):h?hn(w)?qo(ie,jo(w,F)):Ho(w)?od(ie,w):w||Se:w||xd,a.filter=se(a.filter||(f.distr>=3&&f.log==
10?Md:f.distr==3&&f.log==2?Td:ua)),a.font=sa(a.font),a.labelFont=sa(a.labelFont),a._size=a.size(s,null,c,0),a._space=a._rotate=
a._incrs=a._found=a._splits=a._values=null,a._size>0&&(Tn[c]=!0,a._el=Et(cp,v))}}function ks(a,c,d,f){let[h,w,x,k]=d,E=c%
2,C=0;return E==0&&(k||w)&&(C=c==0&&!h||c==2&&!x?He(Go.size/3):0),E==1&&(h||x)&&(C=c==1&&!w||c==3&&!k?He(Ko.size/2):0),C}
let gl=s.padding=(e.padding||[ks,ks,ks,ks]).map(a=>se(oe(a,ks))),on=s._padding=gl.map((a,c)=>a(s,c,Tn,0)),Ke,Ve=null,Fe=null,
Js=i==1?M[0].idxs:null,Ct=null,Ss=!1;function bl(a,c){if(t=a??[],s.data=s._data=t,i==2){Ke=0;for(let d=1;d<M.length;d++)
Ke+=t[d][0].length}else{t.length==0&&(s.data=s._data=t=[[]]),Ct=t[0],Ke=Ct.length;let d=t;if(Q==2){d=t.slice();let f=d[0]=
Array(Ke);for(let h=0;h<Ke;h++)f[h]=h}s._data=t=d}if(Qn(!0),We("setData"),Q==2&&(Gn=!0),c!==!1){let d=_;d.auto(s,Ss)?zi():
cn(N,d.min,d.max),En=En||z.left>=0,vt=!0,Zn()}}s.setData=bl;function zi(){Ss=!0;let a,c;i==1&&(Ke>0?(Ve=Js[0]=0,Fe=Js[1]=
Ke-1,a=t[0][Ve],c=t[0][Fe],Q==2?(a=Ve,c=Fe):a==c&&(Q==3?[a,c]=vi(a,a,_.log,!1):Q==4?[a,c]=Fr(a,a,_.log,!1):_.time?c=a+He(
86400/q):[a,c]=gi(a,c,jr,!0))):(Ve=Js[0]=a=null,Fe=Js[1]=c=null)),cn(N,a,c)}let Qs,Jn,Vi,Fi,ji,qi,Wi,Ui,Gi,at;function wl(a,c,d,f,h,w){
a??=xo,d??=Wr,f??="butt",h??=xo,w??="round",a!=Qs&&(b.strokeStyle=Qs=a),h!=Jn&&(b.fillStyle=Jn=h),c!=Vi&&(b.lineWidth=Vi=
c),w!=ji&&(b.lineJoin=ji=w),f!=qi&&(b.lineCap=qi=f),d!=Fi&&b.setLineDash(Fi=d)}function vl(a,c,d,f){c!=Jn&&(b.fillStyle=
Jn=c),a!=Wi&&(b.font=Wi=a),d!=Ui&&(b.textAlign=Ui=d),f!=Gi&&(b.textBaseline=Gi=f)}function Ii(a,c,d,f,h=0){if(f.length>0&&
a.auto(s,Ss)&&(c==null||c.min==null)){let w=oe(Ve,0),x=oe(Fe,f.length-1),k=d.min==null?Mp(f,w,x,h,a.distr==3):[d.min,d.max];
a.min=Ht(a.min,d.min=k[0]),a.max=rt(a.max,d.max=k[1])}}let xl={min:null,max:null};function Qc(){for(let f in T){let h=T[f];
j[f]==null&&(h.min==null||j[N]!=null&&h.auto(s,Ss))&&(j[f]=xl)}for(let f in T){let h=T[f];j[f]==null&&h.from!=null&&j[h.
from]!=null&&(j[f]=xl)}j[N]!=null&&Qn(!0);let a={};for(let f in j){let h=j[f];if(h!=null){let w=a[f]=fs(T[f],Dp);if(h.min!=
null)De(w,h);else if(f!=N||i==2)if(Ke==0&&w.from==null){let x=w.range(s,null,null,f);w.min=x[0],w.max=x[1]}else w.min=ge,
w.max=-ge}}if(Ke>0){M.forEach((f,h)=>{if(i==1){let w=f.scale,x=j[w];if(x==null)return;let k=a[w];if(h==0){let E=k.range(
s,k.min,k.max,w);k.min=E[0],k.max=E[1],Ve=Nt(k.min,t[0]),Fe=Nt(k.max,t[0]),Fe-Ve>1&&(t[0][Ve]<k.min&&Ve++,t[0][Fe]>k.max&&
Fe--),f.min=Ct[Ve],f.max=Ct[Fe]}else f.show&&f.auto&&Ii(k,x,f,t[h],f.sorted);f.idxs[0]=Ve,f.idxs[1]=Fe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,k=w.scale,E=x.scale,[C,A]=t[h],O=a[k],B=a[E];O!=null&&Ii(O,j[k],w,C,w.sorted),B!=null&&Ii(B,j[E],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in a){let h=a[f],w=j[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(s,h.min==ge?null:h.min,h.max==-ge?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in a){let h=a[f];if(h.from!=null){
let w=a[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(s,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},d=!1;
for(let f in a){let h=a[f],w=T[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?sn(w.
min):x==4?Sr(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?sn(w.max):x==4?Sr(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=d=!0}}if(d){M.forEach((f,h)=>{i==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)Gn=!0,
We("setScale",f);et&&z.left>=0&&(En=vt=!0)}for(let f in j)j[f]=null}function Zc(a){let c=$r(Ve-1,0,Ke-1),d=$r(Fe+1,0,Ke-
1);for(;a[c]==null&&c>0;)c--;for(;a[d]==null&&d<Ke-1;)d++;return[c,d]}function Xc(){if(Ke>0){let a=M.some(c=>c._focus)&&
at!=jt.alpha;a&&(b.globalAlpha=at=jt.alpha),M.forEach((c,d)=>{if(d>0&&c.show&&(yl(d,!1),yl(d,!0),c._paths==null)){let f=at;
at!=c.alpha&&(b.globalAlpha=at=c.alpha);let h=i==2?[0,t[d][0].length-1]:Zc(t[d]);c._paths=c.paths(s,d,h[0],h[1]),at!=f&&
(b.globalAlpha=at=f)}}),M.forEach((c,d)=>{if(d>0&&c.show){let f=at;at!=c.alpha&&(b.globalAlpha=at=c.alpha),c._paths!=null&&
kl(d,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(s,d,Ve,Fe,h),x=c.points.filter(s,d,w,h);(w||x)&&(c.points.
_paths=c.points.paths(s,d,Ve,Fe,x),kl(d,!0))}at!=f&&(b.globalAlpha=at=f),We("drawSeries",d)}}),a&&(b.globalAlpha=at=1)}}
function yl(a,c){let d=c?M[a].points:M[a];d._stroke=d.stroke(s,a),d._fill=d.fill(s,a)}function kl(a,c){let d=c?M[a].points:
M[a],{stroke:f,fill:h,clip:w,flags:x,_stroke:k=d._stroke,_fill:E=d._fill,_width:C=d.width}=d._paths;C=be(C*ce,3);let A=null,
O=C%2/2;c&&E==null&&(E=C>0?"#fff":k);let B=d.pxAlign==1&&O>0;if(B&&b.translate(O,O),!c){let ae=ut-C/2,le=wt-C/2,te=ot+C,
G=Pt+C;A=new Path2D,A.rect(ae,le,te,G)}c?Bi(k,C,d.dash,d.cap,E,f,h,x,w):eu(a,k,C,d.dash,d.cap,E,f,h,x,A,w),B&&b.translate(
-O,-O)}function eu(a,c,d,f,h,w,x,k,E,C,A){let O=!1;E!=0&&Z.forEach((B,ae)=>{if(B.series[0]==a){let le=M[B.series[1]],te=t[B.
series[1]],G=(le._paths||js).band;hn(G)&&(G=B.dir==1?G[0]:G[1]);let V,ye=null;le.show&&G&&_p(te,Ve,Fe)?(ye=B.fill(s,ae)||
w,V=le._paths.clip):G=null,Bi(c,d,f,h,ye,x,k,E,C,A,V,G),O=!0}}),O||Bi(c,d,f,h,w,x,k,E,C,A)}let Sl=ms|Dr;function Bi(a,c,d,f,h,w,x,k,E,C,A,O){
wl(a,c,d,f,h),(E||C||O)&&(b.save(),E&&b.clip(E),C&&b.clip(C)),O?(k&Sl)==Sl?(b.clip(O),A&&b.clip(A),Xs(h,x),Zs(a,w,c)):k&
Dr?(Xs(h,x),b.clip(O),Zs(a,w,c)):k&ms&&(b.save(),b.clip(O),A&&b.clip(A),Xs(h,x),b.restore(),Zs(a,w,c)):(Xs(h,x),Zs(a,w,c)),
(E||C||O)&&b.restore()}function Zs(a,c,d){d>0&&(c instanceof Map?c.forEach((f,h)=>{b.strokeStyle=Qs=h,b.stroke(f)}):c!=null&&
a&&b.stroke(c))}function Xs(a,c){c instanceof Map?c.forEach((d,f)=>{b.fillStyle=Jn=f,b.fill(d)}):c!=null&&a&&b.fill(c)}function tu(a,c,d,f){
let h=W[a],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(s,a,c,d,f),k=h._incrs=h.incrs(s,a,c,d,f,x);w=Kd(c,d,k,f,x)}return h.
_found=w}function Ki(a,c,d,f,h,w,x,k,E,C){let A=x%2/2;P==1&&b.translate(A,A),wl(k,x,E,C,k),b.beginPath();let O,B,ae,le,te=h+
(f==0||f==3?-w:w);d==0?(B=h,le=te):(O=h,ae=te);for(let G=0;G<a.length;G++)c[G]!=null&&(d==0?O=ae=a[G]:B=le=a[G],b.moveTo(
O,B),b.lineTo(ae,le));b.stroke(),P==1&&b.translate(-A,-A)}function nu(a){let c=!0;return W.forEach((d,f)=>{if(!d.show)return;
let h=T[d.scale];if(h.min==null){d._show&&(c=!1,d._show=!1,Qn(!1));return}else d._show||(c=!1,d._show=!0,Qn(!1));let w=d.
side,x=w%2,{min:k,max:E}=h,[C,A]=tu(f,k,E,x==0?J:R);if(A==0)return;let O=h.distr==2,B=d._splits=d.splits(s,f,k,E,C,A,O),
ae=h.distr==2?B.map(V=>Ct[V]):B,le=h.distr==2?Ct[B[1]]-Ct[B[0]]:C,te=d._values=d.values(s,d.filter(s,ae,f,A,le),f,A,le);
d._rotate=w==2?d.rotate(s,te,f,A):0;let G=d._size;d._size=Mt(d.size(s,te,f,a)),G!=null&&d._size!=G&&(c=!1)}),c}function su(a){
let c=!0;return gl.forEach((d,f)=>{let h=d(s,f,Tn,a);h!=on[f]&&(c=!1),on[f]=h}),c}function iu(){for(let a=0;a<W.length;a++){
let c=W[a];if(!c.show||!c._show)continue;let d=c.side,f=d%2,h,w,x=c.stroke(s,a),k=d==0||d==3?-1:1,[E,C]=c._found;if(c.label!=
null){let st=c.labelGap*k,ft=He((c._lpos+st)*ce);vl(c.labelFont[0],x,"center",d==2?"top":vo),b.save(),f==1?(h=w=0,b.translate(
ft,He(wt+Pt/2)),b.rotate((d==3?-mi:mi)/2)):(h=He(ut+ot/2),w=ft);let Pn=aa(c.label)?c.label(s,a,E,C):c.label;b.fillText(Pn,
h,w),b.restore()}if(C==0)continue;let A=T[c.scale],O=f==0?ot:Pt,B=f==0?ut:wt,ae=c._splits,le=A.distr==2?ae.map(st=>Ct[st]):
ae,te=A.distr==2?Ct[ae[1]]-Ct[ae[0]]:E,G=c.ticks,V=c.border,ye=G.show?G.size:0,Ce=He(ye*ce),Ue=He((c.alignTo==2?c._size-
ye-c.gap:c.gap)*ce),he=c._rotate*-mi/180,$e=D(c._pos*ce),pt=(Ce+Ue)*k,nt=$e+pt;w=f==0?nt:0,h=f==1?nt:0;let yt=c.font[0],
$t=c.align==1?as:c.align==2?xr:he>0?as:he<0?xr:f==0?"center":d==3?xr:as,Ut=he||f==1?"middle":d==2?"top":vo;vl(yt,x,$t,Ut);
let dt=c.font[1]*c.lineGap,kt=ae.map(st=>D(u(st,A,O,B))),At=c._values;for(let st=0;st<At.length;st++){let ft=At[st];if(ft!=
null){f==0?h=kt[st]:w=kt[st],ft=""+ft;let Pn=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let it=0;it<Pn.length;it++){let ql=Pn[it];he?(b.save(),b.translate(h,w+it*dt),b.rotate(
he),b.fillText(ql,0,0),b.restore()):b.fillText(ql,h,w+it*dt)}}}G.show&&Ki(kt,G.filter(s,le,a,C,te),f,d,$e,Ce,be(G.width*
ce,3),G.stroke(s,a),G.dash,G.cap);let Gt=c.grid;Gt.show&&Ki(kt,Gt.filter(s,le,a,C,te),f,f==0?2:1,f==0?wt:ut,f==0?Pt:ot,be(
Gt.width*ce,3),Gt.stroke(s,a),Gt.dash,Gt.cap),V.show&&Ki([$e],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Pt:ot,be(V.width*ce,
3),V.stroke(s,a),V.dash,V.cap)}We("drawAxes")}function Qn(a){M.forEach((c,d)=>{d>0&&(c._paths=null,a&&(i==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let ei=!1,Yi=!1,Es=[];function ru(){Yi=!1;for(let a=0;a<Es.
length;a++)We(...Es[a]);Es.length=0}function Zn(){ei||(jp(El),ei=!0)}function lu(a,c=!1){ei=!0,Yi=c,a(s),El(),c&&Es.length>
0&&queueMicrotask(ru)}s.batch=lu;function El(){if(Ni&&(Qc(),Ni=!1),Gn&&(Uc(),Gn=!1),Ks){if(ke(S,as,we),ke(S,"top",Ne),ke(
S,Hs,J),ke(S,zs,R),ke(L,as,we),ke(L,"top",Ne),ke(L,Hs,J),ke(L,zs,R),ke(v,Hs,Zt),ke(v,zs,yn),g.width=He(Zt*ce),g.height=He(
yn*ce),W.forEach(({_el:a,_show:c,_size:d,_pos:f,side:h})=>{if(a!=null)if(c){let w=h===3||h===0?d:0,x=h%2==1;ke(a,x?"left":
"top",f-w),ke(a,x?"width":"height",d),ke(a,x?"top":"left",x?Ne:we),ke(a,x?"height":"width",x?R:J),Pr(a,Nn)}else mt(a,Nn)}),
Qs=Jn=Vi=ji=qi=Wi=Ui=Gi=Fi=null,at=1,_s(!0),we!=Un||Ne!=kn||J!=Ft||R!=Sn){Qn(!1);let a=J/Ft,c=R/Sn;if(et&&!En&&z.left>=0){
z.left*=a,z.top*=c,Xn&&Jt(Xn,He(z.left),0,J,R),es&&Jt(es,0,He(z.top),J,R);for(let d=0;d<xt.length;d++){let f=xt[d];f!=null&&
(Kn[d]*=a,Yn[d]*=c,Jt(f,Mt(Kn[d]),Mt(Yn[d]),J,R))}}if(xe.show&&!Ys&&xe.left>=0&&xe.width>0){xe.left*=a,xe.width*=a,xe.top*=
c,xe.height*=c;for(let d in tr)ke(ss,d,xe[d])}Un=we,kn=Ne,Ft=J,Sn=R}We("setSize"),Ks=!1}Zt>0&&yn>0&&(b.clearRect(0,0,g.width,
g.height),We("drawClear"),Y.forEach(a=>a()),We("draw")),xe.show&&Ys&&(ti(xe),Ys=!1),et&&En&&(Ln(null,!0,!1),En=!1),ee.show&&
ee.live&&vt&&(Xi(),vt=!1),p||(p=!0,s.status=1,We("ready")),Ss=!1,ei=!1}s.redraw=(a,c)=>{Gn=c||!1,a!==!1?cn(N,_.min,_.max):
Zn()};function Ji(a,c){let d=T[a];if(d.from==null){if(Ke==0){let f=d.range(s,c.min,c.max,a);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Ke>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;a==N&&d.distr==2&&Ke>
0&&(c.min=Nt(c.min,t[0]),c.max=Nt(c.max,t[0]),c.min==c.max&&c.max++),j[a]=c,Ni=!0,Zn()}}s.setScale=Ji;let Qi,Zi,Xn,es,Ml,
Tl,ts,ns,_l,Ll,ve,Me,an=!1,Ye=z.drag,je=Ye.x,qe=Ye.y;et&&(z.x&&(Qi=Et(pp,L)),z.y&&(Zi=Et(dp,L)),_.ori==0?(Xn=Qi,es=Zi):(Xn=
Zi,es=Qi),ve=z.left,Me=z.top);let xe=s.select=De({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ss=xe.show?Et(
up,xe.over?L:S):null;function ti(a,c){if(xe.show){for(let d in a)xe[d]=a[d],d in tr&&ke(ss,d,a[d]);c!==!1&&We("setSelect")}}
s.setSelect=ti;function ou(a){if(M[a].show)Oe&&Pr(Le[a],Nn);else if(Oe&&mt(Le[a],Nn),et){let d=Bn?xt[0]:xt[a];d!=null&&Jt(
d,-10,-10,J,R)}}function cn(a,c,d){Ji(a,{min:c,max:d})}function qt(a,c,d,f){c.focus!=null&&du(a),c.show!=null&&M.forEach(
(h,w)=>{w>0&&(a==w||a==null)&&(h.show=c.show,ou(w),i==2?(cn(h.facets[0].scale,null,null),cn(h.facets[1].scale,null,null)):
cn(h.scale,null,null),Zn())}),d!==!1&&We("setSeries",a,c),f&&Ls("setSeries",s,a,c)}s.setSeries=qt;function au(a,c){De(Z[a],
c)}function cu(a,c){a.fill=se(a.fill||null),a.dir=oe(a.dir,-1),c=c??Z.length,Z.splice(c,0,a)}function uu(a){a==null?Z.length=
0:Z.splice(a,1)}s.addBand=cu,s.setBand=au,s.delBand=uu;function pu(a,c){M[a].alpha=c,et&&xt[a]!=null&&(xt[a].style.opacity=
c),Oe&&Le[a]&&(Le[a].style.opacity=c)}let Xt,un,_n,is={focus:!0};function du(a){if(a!=_n){let c=a==null,d=jt.alpha!=1;M.
forEach((f,h)=>{if(i==1||h>0){let w=c||h==0||h==a;f._focus=c?null:w,d&&pu(h,w?1:jt.alpha)}}),_n=a,d&&Zn()}}Oe&&In&&tt(So,
ue,a=>{z._lock||(Mn(a),_n!=null&&qt(null,is,!0,Ae.setSeries))});function Wt(a,c,d){let f=T[c];d&&(a=a/ce-(f.ori==1?Ne:we));
let h=J;f.ori==1&&(h=R,a=h-a),f.dir==-1&&(a=h-a);let w=f._min,x=f._max,k=a/h,E=w+(x-w)*k,C=f.distr;return C==3?ps(10,E):
C==4?Pp(E,f.asinh):C==100?f.bwd(E):E}function fu(a,c){let d=Wt(a,N,c);return Nt(d,t[0],Ve,Fe)}s.valToIdx=a=>Nt(a,t[0]),s.
posToIdx=fu,s.posToVal=Wt,s.valToPos=(a,c,d)=>T[c].ori==0?r(a,T[c],d?ot:J,d?ut:0):o(a,T[c],d?Pt:R,d?wt:0),s.setCursor=(a,c,d)=>{
ve=a.left,Me=a.top,Ln(null,c,d)};function Pl(a,c){ke(ss,as,xe.left=a),ke(ss,Hs,xe.width=c)}function Cl(a,c){ke(ss,"top",
xe.top=a),ke(ss,zs,xe.height=c)}let Ms=_.ori==0?Pl:Cl,Ts=_.ori==1?Pl:Cl;function mu(){if(Oe&&ee.live)for(let a=i==2?1:0;a<
M.length;a++){if(a==0&&bt)continue;let c=ee.values[a],d=0;for(let f in c)Vt[a][d++].firstChild.nodeValue=c[f]}}function Xi(a,c){
if(a!=null&&(a.idxs?a.idxs.forEach((d,f)=>{me[f]=d}):Rp(a.idx)||me.fill(a.idx),ee.idx=me[0]),Oe&&ee.live){for(let d=0;d<
M.length;d++)(d>0||i==1&&!bt)&&hu(d,me[d]);mu()}vt=!1,c!==!1&&We("setLegend")}s.setLegend=Xi;function hu(a,c){let d=M[a],
f=a==0&&Q==2?Ct:t[a],h;bt?h=d.values(s,a,c)??ln:(h=d.value(s,c==null?null:f[c],a,c),h=h==null?ln:{_:h}),ee.values[a]=h}function Ln(a,c,d){
_l=ve,Ll=Me,[ve,Me]=z.move(s,ve,Me),z.left=ve,z.top=Me,et&&(Xn&&Jt(Xn,He(ve),0,J,R),es&&Jt(es,0,He(Me),J,R));let f,h=Ve>
Fe;Xt=ge,un=null;let w=_.ori==0?J:R,x=_.ori==1?J:R;if(ve<0||Ke==0||h){f=z.idx=null;for(let k=0;k<M.length;k++){let E=xt[k];
E!=null&&Jt(E,-10,-10,J,R)}In&&qt(null,is,!0,a==null&&Ae.setSeries),ee.live&&(me.fill(f),vt=!0)}else{let k,E,C;i==1&&(k=
_.ori==0?ve:Me,E=Wt(k,N),f=z.idx=Nt(E,t[0],Ve,Fe),C=H(t[0][f],_,w,0));let A=-10,O=-10,B=0,ae=0,le=!0,te="",G="";for(let V=i==
2?1:0;V<M.length;V++){let ye=M[V],Ce=me[V],Ue=Ce==null?null:i==1?t[V][Ce]:t[V][1][Ce],he=z.dataIdx(s,V,f,E),$e=he==null?
null:i==1?t[V][he]:t[V][1][he];if(vt=vt||$e!=Ue||he!=Ce,me[V]=he,V>0&&ye.show){let pt=he==null?-10:he==f?C:H(i==1?t[0][he]:
t[V][0][he],_,w,0),nt=$e==null?-10:I($e,i==1?T[ye.scale]:T[ye.facets[1].scale],x,0);if(In&&$e!=null){let yt=_.ori==1?ve:
Me,$t=ze(jt.dist(s,V,he,nt,yt));if($t<Xt){let Ut=jt.bias;if(Ut!=0){let dt=Wt(yt,ye.scale),kt=$e>=0?1:-1,At=dt>=0?1:-1;At==
kt&&(At==1?Ut==1?$e>=dt:$e<=dt:Ut==1?$e<=dt:$e>=dt)&&(Xt=$t,un=V)}else Xt=$t,un=V}}if(vt||Bn){let yt,$t;_.ori==0?(yt=pt,
$t=nt):(yt=nt,$t=pt);let Ut,dt,kt,At,Gt,st,ft=!0,Pn=Qe.bbox;if(Pn!=null){ft=!1;let it=Pn(s,V);kt=it.left,At=it.top,Ut=it.
width,dt=it.height}else kt=yt,At=$t,Ut=dt=Qe.size(s,V);if(st=Qe.fill(s,V),Gt=Qe.stroke(s,V),Bn)V==un&&Xt<=jt.prox&&(A=kt,
O=At,B=Ut,ae=dt,le=ft,te=st,G=Gt);else{let it=xt[V];it!=null&&(Kn[V]=kt,Yn[V]=At,Co(it,Ut,dt,ft),Lo(it,st,Gt),Jt(it,Mt(kt),
Mt(At),J,R))}}}}if(Bn){let V=jt.prox,ye=_n==null?Xt<=V:Xt>V||un!=_n;if(vt||ye){let Ce=xt[0];Ce!=null&&(Kn[0]=A,Yn[0]=O,Co(
Ce,B,ae,le),Lo(Ce,te,G),Jt(Ce,Mt(A),Mt(O),J,R))}}}if(xe.show&&an)if(a!=null){let[k,E]=Ae.scales,[C,A]=Ae.match,[O,B]=a.cursor.
sync.scales,ae=a.cursor.drag;if(je=ae._x,qe=ae._y,je||qe){let{left:le,top:te,width:G,height:V}=a.select,ye=a.scales[O].ori,
Ce=a.posToVal,Ue,he,$e,pt,nt,yt=k!=null&&C(k,O),$t=E!=null&&A(E,B);yt&&je?(ye==0?(Ue=le,he=G):(Ue=te,he=V),$e=T[k],pt=H(
Ce(Ue,O),$e,w,0),nt=H(Ce(Ue+he,O),$e,w,0),Ms(Ht(pt,nt),ze(nt-pt))):Ms(0,w),$t&&qe?(ye==1?(Ue=le,he=G):(Ue=te,he=V),$e=T[E],
pt=I(Ce(Ue,B),$e,x,0),nt=I(Ce(Ue+he,B),$e,x,0),Ts(Ht(pt,nt),ze(nt-pt))):Ts(0,x)}else nr()}else{let k=ze(_l-Ml),E=ze(Ll-Tl);
if(_.ori==1){let B=k;k=E,E=B}je=Ye.x&&k>=Ye.dist,qe=Ye.y&&E>=Ye.dist;let C=Ye.uni;C!=null?je&&qe&&(je=k>=C,qe=E>=C,!je&&
!qe&&(E>k?qe=!0:je=!0)):Ye.x&&Ye.y&&(je||qe)&&(je=qe=!0);let A,O;je&&(_.ori==0?(A=ts,O=ve):(A=ns,O=Me),Ms(Ht(A,O),ze(O-A)),
qe||Ts(0,x)),qe&&(_.ori==1?(A=ts,O=ve):(A=ns,O=Me),Ts(Ht(A,O),ze(O-A)),je||Ms(0,w)),!je&&!qe&&(Ms(0,0),Ts(0,0))}if(Ye._x=
je,Ye._y=qe,a==null){if(d){if(jl!=null){let[k,E]=Ae.scales;Ae.values[0]=k!=null?Wt(_.ori==0?ve:Me,k):null,Ae.values[1]=E!=
null?Wt(_.ori==1?ve:Me,E):null}Ls(yr,s,ve,Me,J,R,f)}if(In){let k=d&&Ae.setSeries,E=jt.prox;_n==null?Xt<=E&&qt(un,is,!0,k):
Xt>E?qt(null,is,!0,k):un!=_n&&qt(un,is,!0,k)}}vt&&(ee.idx=f,Xi()),c!==!1&&We("setCursor")}let pn=null;Object.defineProperty(
s,"rect",{get(){return pn==null&&_s(!1),pn}});function _s(a=!1){a?pn=null:(pn=L.getBoundingClientRect(),We("syncRect",pn))}
function $l(a,c,d,f,h,w,x){z._lock||an&&a!=null&&a.movementX==0&&a.movementY==0||(er(a,c,d,f,h,w,x,!1,a!=null),a!=null?Ln(
null,!0,!0):Ln(c,!0,!1))}function er(a,c,d,f,h,w,x,k,E){if(pn==null&&_s(!1),Mn(a),a!=null)d=a.clientX-pn.left,f=a.clientY-
pn.top;else{if(d<0||f<0){ve=-10,Me=-10;return}let[C,A]=Ae.scales,O=c.cursor.sync,[B,ae]=O.values,[le,te]=O.scales,[G,V]=Ae.
match,ye=c.axes[0].side%2==1,Ce=_.ori==0?J:R,Ue=_.ori==1?J:R,he=ye?w:h,$e=ye?h:w,pt=ye?f:d,nt=ye?d:f;if(le!=null?d=G(C,le)?
u(B,T[C],Ce,0):-10:d=Ce*(pt/he),te!=null?f=V(A,te)?u(ae,T[A],Ue,0):-10:f=Ue*(nt/$e),_.ori==1){let yt=d;d=f,f=yt}}E&&(c==
null||c.cursor.event.type==yr)&&((d<=1||d>=J-1)&&(d=Dn(d,J)),(f<=1||f>=R-1)&&(f=Dn(f,R))),k?(Ml=d,Tl=f,[ts,ns]=z.move(s,
d,f)):(ve=d,Me=f)}let tr={width:0,height:0,left:0,top:0};function nr(){ti(tr,!1)}let Al,Rl,Dl,Ol;function Nl(a,c,d,f,h,w,x){
an=!0,je=qe=Ye._x=Ye._y=!1,er(a,c,d,f,h,w,x,!0,!1),a!=null&&(tt(kr,_r,Hl,!1),Ls(yo,s,ts,ns,J,R,null));let{left:k,top:E,width:C,
height:A}=xe;Al=k,Rl=E,Dl=C,Ol=A}function Hl(a,c,d,f,h,w,x){an=Ye._x=Ye._y=!1,er(a,c,d,f,h,w,x,!1,!0);let{left:k,top:E,width:C,
height:A}=xe,O=C>0||A>0,B=Al!=k||Rl!=E||Dl!=C||Ol!=A;if(O&&B&&ti(xe),Ye.setScale&&O&&B){let ae=k,le=C,te=E,G=A;if(_.ori==
1&&(ae=E,le=A,te=k,G=C),je&&cn(N,Wt(ae,N),Wt(ae+le,N)),qe)for(let V in T){let ye=T[V];V!=N&&ye.from==null&&ye.min!=ge&&cn(
V,Wt(te+G,V),Wt(te,V))}nr()}else z.lock&&(z._lock=!z._lock,Ln(c,!0,a!=null));a!=null&&(Wn(kr,_r),Ls(kr,s,ve,Me,J,R,null))}
function gu(a,c,d,f,h,w,x){if(z._lock)return;Mn(a);let k=an;if(an){let E=!0,C=!0,A=10,O,B;_.ori==0?(O=je,B=qe):(O=qe,B=je),
O&&B&&(E=ve<=A||ve>=J-A,C=Me<=A||Me>=R-A),O&&E&&(ve=ve<ts?0:J),B&&C&&(Me=Me<ns?0:R),Ln(null,!0,!0),an=!1}ve=-10,Me=-10,me.
fill(null),Ln(null,!0,!0),k&&(an=k)}function zl(a,c,d,f,h,w,x){z._lock||(Mn(a),zi(),nr(),a!=null&&Ls(Eo,s,ve,Me,J,R,null))}
function Vl(){W.forEach(Yd),Hi(s.width,s.height,!0)}Hn(hi,us,Vl);let rs={};rs.mousedown=Nl,rs.mousemove=$l,rs.mouseup=Hl,
rs.dblclick=zl,rs.setSeries=(a,c,d,f)=>{let h=Ae.match[2];d=h(s,c,d),d!=-1&&qt(d,f,!0,!1)},et&&(tt(yo,L,Nl),tt(yr,L,$l),
tt(ko,L,a=>{Mn(a),_s(!1)}),tt(So,L,gu),tt(Eo,L,zl),Or.add(s),s.syncRect=_s);let ni=s.hooks=e.hooks||{};function We(a,c,d){
Yi?Es.push([a,c,d]):a in ni&&ni[a].forEach(f=>{f.call(null,s,c,d)})}(e.plugins||[]).forEach(a=>{for(let c in a.hooks)ni[c]=
(ni[c]||[]).concat(a.hooks[c])});let Fl=(a,c,d)=>d,Ae=De({key:null,setSeries:!1,filters:{pub:Oo,sub:Oo},scales:[N,M[1]?M[1].
scale:null],match:[No,No,Fl],values:[null,null]},z.sync);Ae.match.length==2&&Ae.match.push(Fl),z.sync=Ae;let jl=Ae.key,sr=Aa(
jl);function Ls(a,c,d,f,h,w,x){Ae.filters.pub(a,c,d,f,h,w,x)&&sr.pub(a,c,d,f,h,w,x)}sr.sub(s);function bu(a,c,d,f,h,w,x){
Ae.filters.sub(a,c,d,f,h,w,x)&&rs[a](null,c,d,f,h,w,x)}s.pub=bu;function wu(){sr.unsub(s),Or.delete(s),xn.clear(),Cr(hi,
us,Vl),m.remove(),ue?.remove(),We("destroy")}s.destroy=wu;function ir(){We("init",e,t),bl(t||e.data,!1),j[N]?Ji(N,j[N]):
zi(),Ys=xe.show&&(xe.width>0||xe.height>0),En=vt=!0,Hi(e.width,e.height)}return M.forEach(hl),W.forEach(Jc),n?n instanceof
HTMLElement?(n.appendChild(m),ir()):n(s,ir):ir(),s}Be.assign=De;Be.fmtNum=qr;Be.rangeNum=gi;Be.rangeLog=vi;Be.rangeAsinh=
Fr;Be.orient=Vn;Be.pxRatio=ce;Be.join=Fp;Be.fmtDate=Ur,Be.tzDate=Qp;Be.sync=Aa;{Be.addGap=Rd,Be.clipGaps=ki;let e=Be.paths=
{points:za};e.linear=Fa,e.stepped=Nd,e.bars=Hd,e.spline=Vd}var Ua=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"response length",names:["train/response_tokens"],unit:"tokens per episode"},{title:"\
tool errors",names:["agent/tool_error_rate"],unit:"of the calls",share:!0},{title:"loss",names:["train/loss"]},{title:"l\
earning rate",names:["train/learning_rate"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"nats per token"},{title:"\
entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_tokens","train/prompt_tokens"],
unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed, truncated, masked",names:[
"train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"s",names:["train/rollout_s\
econds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"speed",names:["train/tokens_pe\
r_second"],unit:"trained tokens/s"},{title:"log-probability gap",names:["train/logprob_gap"],unit:"nats, maximum"},{title:"\
groups with equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Ti(e){let t=new Set(e);return Ua.
map(s=>({...s,names:s.names.filter(i=>t.has(i))})).filter(s=>s.names.length>0)}function Ga(e){let t=new Set(Ua.flatMap(s=>s.
names)),n=new Map;for(let s of e.filter(i=>!t.has(i)).sort()){let i=Jd(s);n.set(i,[...n.get(i)??[],s])}return n}function Jd(e){
let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}/${t[1]}`:t.length>1?t[0]:"other"}
function Qr(e,t,n){if(t.names.some(r=>r.startsWith("validation/"))&&t.names.length>1)return e.startsWith("validation/")?
"held-out":"training";let i=n.get(e)?.label??(t.names.length===1?e:e.replace(/^[^/]*\//,"").replaceAll("_"," "));return t.
names.length===1?i:i.replace(/ seconds$/,"")}function Ia(e,t){let n=e.names.flatMap(i=>t.get(i)??[]);return n.length===0?
"":e.names.some(i=>i.startsWith("validation/"))||n.length===1?n[0].meaning:n.map(i=>`${Qr(i.name,e,t)}: ${i.meaning}`).join(
"; ")}function Ba(e,t){let[n,s]=[0,0];return e.map(i=>i==null?i:(n=t*n+(1-t)*i,s=t*s+(1-t),n/s))}function Ka(e){let t=Object.
keys(e).sort(),n=new Map;for(let o of t)for(let[u,p]of e[o])n.has(u)||n.set(u,new Map),p!==null&&n.get(u).set(o,p);let s=o=>`\
"${o.replace(/^(?=[=+\-@\t\r])/,"'").replaceAll('"','""')}"`,i=[...n].sort((o,u)=>o[0]-u[0]),r=([o,u])=>[o,...t.map(p=>u.
get(p)??"")];return[["step",...t.map(s)],...i.map(r)].map(o=>o.join(",")+`\r
`).join("")}function Ya(e,t){let n=e.filter(r=>r[1]!==null).map(r=>r[0]),s=n.at(-1);if(s===void 0||t===void 0)return;let i=Math.
max(1,...n.slice(1).map((r,o)=>r-n[o]));return t-s>=i?s:void 0}var Za={stages:[],checkpoints:[],marks:[]},Ja=170,ws=["--s1","--s2","--s3","--s4","--s5","--s6"],vs=class{constructor(t,n,s,i,r={
smoothing:0,log:!1}){this.options=t;this.lines=n;this.ground=s;this.signal=i;this.drawing=r;$(this.element,l("h3",null,t.
title,t.unit?l("span",{class:"dim"}," "+t.unit):null),t.about?l("p",{class:"about dim",title:t.about},t.about):null,this.
place,this.legend),this.data=Qa(n),this.values(null);let o=new ResizeObserver(()=>this.fit());o.observe(this.place),i.addEventListener(
"abort",()=>{o.disconnect(),this.plot?.destroy()},{once:!0}),ho(()=>this.make(),i)}options;lines;ground;signal;drawing;element=l(
"figure",{class:"chart"});plot;place=l("div",{class:"plot"});legend=l("figcaption",null);data=[[]];zoomed=!1;update(t,n){
let s=t.length===this.lines.length&&t.every((i,r)=>i.label===this.lines[r].label);this.lines=t,this.ground=n,this.data=Qa(
t),s&&this.plot?this.plot.setData(this.drawn(),!this.zoomed):this.make(),this.values(null)}redraw(){this.make(),this.values(
null)}drawn(){let[t,...n]=this.data,s=this.drawing.log?n.map(i=>[...i].map(r=>r&&r>0?r:null)):n;return this.drawing.smoothing===
0?[t,...s]:[t,...s.map(i=>Ba([...i],this.drawing.smoothing)),...s]}fit(){let t=this.place.clientWidth;t===0||this.signal.
aborted||(this.plot?this.plot.setSize({width:t,height:Ja}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.
signal.aborted)return;this.plot?.destroy(),this.place.replaceChildren(),this.zoomed=!1;let n=this.data[0].length<40,s={stroke:Yt(
"--dim"),grid:{stroke:Yt("--grid"),width:1},ticks:{stroke:Yt("--grid"),width:1},font:"11px system-ui, sans-serif"};this.
plot=new Be({width:t,height:Ja,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},
drag:{x:!0,y:!1},...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1,range:(i,r,o)=>this.
reach(i,r,o)},y:{distr:this.drawing.log?3:1,range:(i,r,o)=>this.range(r,o)}},axes:[{...s,size:26,incrs:[1,2,5,10,20,50,100,
200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},{...s,size:52,values:(i,r)=>r.map(o=>this.text(o))}],series:[{},...this.lines.map(
(i,r)=>({label:i.label,stroke:Yt(ws[r%ws.length]),width:1.5,spanGaps:!0,points:{show:n,size:4}})),...(this.drawing.smoothing===
0?[]:this.lines).map((i,r)=>({label:i.label,stroke:Yt(ws[r%ws.length])+"55",width:1,spanGaps:!0,points:{show:!1}}))],hooks:{
drawClear:[i=>Qd(i,this.ground)],draw:[i=>Xd(i,this.ground)],setScale:[(i,r)=>{r==="x"&&(i.over.dataset.steps=`${i.scales.
x.min} ${i.scales.x.max}`)}],setSelect:[i=>{this.zoomed||=i.select.width>0}],setCursor:[i=>this.values(i.cursor.idx??null)]}},
this.drawn(),this.place),this.plot.over.addEventListener("dblclick",()=>{this.zoomed=!1}),this.plot.over.addEventListener(
"click",()=>this.click())}reach(t,n,s){let i=t.data[0],r=n===i[0]&&s===i.at(-1),o=this.ground.last;return r&&o!==void 0&&
o>0?[Math.min(0,n),Math.max(o,s)]:[n,s]}range(t,n){if(this.drawing.log)return t===null||n===null?[.1,1]:Be.rangeLog(t,n,
10,!1);if(this.options.share&&(n??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)return[0,1];let s=(n-t)*.06||Math.
abs(n)*.1||1;return[t>=0&&t-s<0?0:t-s,n+s]}text(t){return this.options.share?Je(t).replace(/\.0 %$/," %"):y(t,3)}click(){
let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;let n=this.data[0][t];n!==void 0&&this.options.open(n)}values(t){
let n=this.data[0],s=t!==null&&t<n.length?t:null;$(this.legend,l("span",{class:"dim"},s!==null?`step ${y(n[s])}`:"last"),
this.lines.map((i,r)=>{let o=[...this.data[r+1]??[]],u=s!==null?o[s]:o.findLast(m=>m!=null),p=s===null?Ya(i.points,this.
ground.last):void 0;return l("span",{class:"key"},l("i",{class:"swatch",vars:{"--swatch":`var(${ws[r%ws.length]})`}}),i.
label===this.options.title?null:i.label+" ",l("b",null,this.exactly(u)),this.drawing.log&&o.some(m=>typeof m=="number"&&
m<=0)?l("span",{class:"dim"}," (log: only values above 0)"):null,p===void 0?null:l("span",{class:"dim"},` at step ${y(p)}`))}))}exactly(t){
return this.options.share?Je(t):y(t)}};function Qd(e,t){let{ctx:n,bbox:s}=e;n.save(),n.font=`${11*devicePixelRatio}px sy\
stem-ui, sans-serif`,t.stages.forEach((i,r)=>{let o=Math.max(s.left,e.valToPos(i.first_step-.5,"x",!0)),u=i.last_step??1/0,
p=Number.isFinite(u)?e.valToPos(u+.5,"x",!0):s.left+s.width,m=Math.min(s.left+s.width,p);m<=o||(r%2===1&&(n.fillStyle=Yt(
"--band"),n.fillRect(o,s.top,m-o,s.height)),t.stages.length>1&&m-o>40*devicePixelRatio&&(n.fillStyle=Yt("--dim"),n.beginPath(),
n.save(),n.rect(o,0,m-o-6*devicePixelRatio,s.top),n.clip(),n.fillText(Rt(i.name.slice(0,40)),o,s.top-4*devicePixelRatio),
n.restore()))}),n.restore()}var Zd={kill:"--bad",resume:"--s1",take_up:"--s1",plugin_restart:"--warn"};function Xd(e,t){
let{ctx:n,bbox:s}=e,i=o=>o>=s.left&&o<=s.left+s.width;n.save();for(let o of t.marks){let u=Zd[o.kind];if(o.step===void 0||
!u)continue;let p=e.valToPos(o.step+.5,"x",!0);i(p)&&(n.strokeStyle=Yt(u),n.lineWidth=devicePixelRatio,n.setLineDash([3*
devicePixelRatio,3*devicePixelRatio]),n.beginPath(),n.moveTo(p,s.top),n.lineTo(p,s.top+s.height),n.stroke())}n.setLineDash(
[]);let r=s.top+s.height;for(let o of t.checkpoints){let u=e.valToPos(o.step,"x",!0);i(u)&&(n.fillStyle=Yt(o.best?"--s2":
"--dim"),n.beginPath(),n.moveTo(u,r-(o.best?9:6)*devicePixelRatio),n.lineTo(u-3.5*devicePixelRatio,r),n.lineTo(u+3.5*devicePixelRatio,
r),n.fill())}n.restore()}function Qa(e){let t=[...new Set(e.flatMap(i=>i.points.map(r=>r[0])))].sort((i,r)=>i-r),n=new Map(
t.map((i,r)=>[i,r])),s=e.map(i=>{let r=new Array(t.length).fill(void 0);for(let[o,u]of i.points)r[n.get(o)]=u;return r});
return[t,...s]}var ec=6;async function tc(e){let t=[...new Set(e.query.getAll("run"))].slice(0,ec);e.title({text:"compare "+t.join(", ")});
let n=(await ri(e.signal)).runs,s=l("div",null),i=l("div",null);if($(e.root,l("div",{class:"bar"},l("h1",null,"Compare"),
ef(t,n)),tf(t,n),s,i),t.length<2){$(s,l("p",{class:"empty"},"Select a second run."));return}await Promise.all([Te(e,i,async()=>{
let[r,...o]=t,u=[];for(let p of o)u.push(rf(await Xl(r,p,e.signal),r,p));return u}),Te(e,s,()=>nf(e,t))])}function ef(e,t){
let n=t.filter(i=>!e.includes(i.name)),s=l("select",{"aria-label":"add a run","data-filter":!0},l("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(i=>l("option",{value:i.name},i.name)));return s.disabled=e.length>=ec||n.length===0,
s.addEventListener("change",()=>{s.value!==""&&(location.hash=U(["compare"],{run:[...e,s.value]}))}),s}function tf(e,t){
return l("div",{class:"sides"},e.map((n,s)=>{let i=t.find(r=>r.name===n);return l("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${s+1})`}},l("h2",null,l("i",{class:"swatch"}),l("a",{href:$n(n)},n)," ",i?Ds(i):null,l("a",{class:"qui\
et",title:"remove this run",href:U(["compare"],{run:e.filter(r=>r!==n)})},"\xD7")),i?fn([["step",y(i.step)],["held-out s\
uccess",Os(i)],["adapter",i.adapter],["spec",i.spec]]):l("p",null,"No run with this name in this directory."))}))}async function nf(e,t){
let n=await Promise.all(t.map(g=>Cn(g,e.signal))),s=n.map(g=>new Set(g.metrics??[])),i=[...new Set(n.flatMap(g=>g.metrics??
[]))],r=i.filter(g=>s.every(b=>b.has(g))),o=i.filter(g=>!s.every(b=>b.has(g))),u=Ti(i).flatMap(g=>g.names),p=g=>{let b=l(
"div",null);return Te(e,b,async()=>l("div",{class:"grid"},await sf(e,t,g))),b},m=r.filter(g=>!u.includes(g)).sort().slice(
0,60);return[p(u),m.length>0?Pe(`${fe(m.length,"other metric")} of all runs`,()=>p(m)):null,o.filter(g=>!u.includes(g)).
length>0?Pe("metrics of some runs only",()=>p(o.filter(g=>!u.includes(g)).sort().slice(0,60))):null]}async function sf(e,t,n){
if(n.length===0)return[];let s=await Promise.all(t.map(i=>Ps(i,n,void 0,e.signal)));return n.map(i=>new vs({title:i,sync:"\
compare",share:i.endsWith("success_rate")},t.map((r,o)=>({label:r,points:s[o].series[i]??[]})),Za,e.signal).element)}function rf(e,t,n){
let s=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],i=new Set(
e.unrecorded??[]),r=s.filter(([o,u])=>(u??[]).length===0&&!i.has(o)).map(([o])=>o);return de(`Differences between ${t} a\
nd ${n}`,e.same_digest?l("p",null,"Their newest checkpoints are identical."):null,r.length>0?l("p",null,`Equal in both: ${r.
join(", ")}.`):null,i.size>0?l("p",{class:"dim"},`Not compared, because a run of an earlier version does not record it: ${[
...i].join(", ")}.`):null,s.filter(([,o])=>(o??[]).length>0).map(([o,u])=>[l("h3",null,o),_e([{title:"",half:!0,cell:p=>l(
"code",null,p.path)},{title:t,half:!0,cell:p=>Xa(p.a)},{title:n,half:!0,cell:p=>Xa(p.b)}],u.slice(0,300))]))}function Xa(e){
if(e===void 0)return l("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return l("span",{class:"\
value"},t.length>300?t.slice(0,300)+" \u2026":t)}async function nc(e,t,n){let s=[];for(let i of t){let r=await os(e,i,n).catch(()=>null);r&&s.push(r)}return lf(s)}function lf(e){
let t=[_i(e,s=>s.failure?.detail&&`\u201C${ic(s.failure.detail)}\u201D`),_i(e,s=>s.limit?.words),_i(e,s=>of(s)),_i(e,s=>af(
s))].filter(s=>s!==null);if(t.length===0)return null;let n=t.map(s=>s.of===e.length?s.words:`${s.words} (${y(s.of)} of t\
hem)`);return`In a sample of ${y(e.length)}: ${n.join("; ")}.`}function _i(e,t){let n=new Map;for(let r of e){let o=t(r);
o&&n.set(o,(n.get(o)??0)+1)}let[s,i]=[...n].sort((r,o)=>o[1]-r[1])[0]??["",0];return 2*i>e.length?{words:s,of:i}:null}function sc(e){
return(e.transcripts??[]).flatMap(t=>t.messages)}function of(e){let[t]=sc(e).flatMap(n=>n.malformed??[]);return t&&`\u201C${ic(
t.reason)}\u201D`}function af(e){let t=sc(e),n=new Set(t.map(i=>i.tool_call_id)),s=t.flatMap(i=>i.tool_calls??[]).find(i=>!n.
has(i.id));return s&&`the call of ${s.name} has no result`}function ic(e){return e.length>160?e.slice(0,160)+"\u2026":e}var cf=.7,uf=1;function lc(e,t,n){let s=t.findings??[],i=Zr(n),r=t.not_checked??[];return s.length+i.length+r.length===0?
null:de("Findings",s.length===0?l("p",{class:"dim"},"No rule has found anything wrong."):null,s.map(o=>df(e,t,o)),i.length===
0?null:l("ul",{class:"findings"},i.map(o=>hf(e,t,o))),r.length===0?null:Pe(`Not checked: ${fe(r.length,"rule")}`,()=>pf(
r)))}function pf(e){let t=n=>[...n.needs??[],...n.any?[n.any.join(" or ")]:[]].join(", ");return[l("p",{class:"dim"},"Th\
e trainer or the spec does not provide the metrics that these rules need."),_e([{title:"rule",cell:n=>l("code",null,n.id)},
{title:"what it finds",cell:n=>n.title},{title:"needs",wide:!0,cell:n=>l("code",null,t(n))}],e)]}function df(e,t,n){let s=n.
severity==="error",i=u=>l("a",{href:Ge(t.name,u)},y(u)),r=ff(n),o=(n.episodes??[]).map((u,p)=>[" ",l("a",{href:Ze(t.name,
u),title:u},`example ${p+1}`)]);return l("article",{class:"finding item"+(s?" severe":"")},l("header",null,l("span",{class:"\
badge "+(s?"bad":"warn")},n.severity),l("b",null,n.summary),l("span",{class:"dim"},n.first_step===n.last_step?["step ",i(
n.first_step)]:["steps ",i(n.first_step)," to ",i(n.last_step)],(t.stages??[]).length>1?`, ${n.stage}`:"")),(n.causes??[]).
length===0?null:[l("p",{class:"dim"},"Likely causes:"),l("ul",null,n.causes.map(u=>l("li",null,u)))],l("p",null,l("b",null,
"Remedy: "),n.remedy),o.length===0?null:mf(e,t,n),l("p",{class:"more"},o.length===0?null:["Episodes:",o],r?[" ",l("a",{href:U(
["run",t.name,"episodes"],r)},"all such episodes")]:null," ",nn(`awhost docs ${n.docs}`)))}function ff(e){let t="train";
switch(e.id){case"failures":return e.subject?{split:t,class:e.subject}:{split:t,outcome:"FAILED"};case"cut":return{split:t,
outcome:"TRUNCATED"};case"malformed_calls":return{split:t,malformed_min:"1"}}return null}function mf(e,t,n){let s=l("div",
{class:"dim","aria-live":"polite"});return nc(t.name,n.episodes,e.signal).then(i=>{i&&!e.signal.aborted&&$(s,i)}),s}function hf(e,t,n){
let s=l("div",{class:"dim","aria-live":"polite"});n.look&&oi(t.name,e.signal).then(r=>{let o=gf(r.settings);o&&!e.signal.
aborted&&$(s,o)},()=>{});let i=U(["run",t.name,"episodes"],n.query);return l("li",{class:"item",data:{href:i}},l("b",null,
n.words)," ",n.advice," ",l("a",{href:i},"Show episodes"),s)}function gf(e){let t=e.filter(s=>s.path.startsWith("environ\
ment.")&&(s.path.endsWith(".ground_truth")&&s.value===!0||JSON.stringify(s.value).includes("task.private")));return t.length===
0?null:`The spec gives the private part of tasks to the environment: ${t.slice(0,5).map(s=>`${s.path} = ${JSON.stringify(
s.value)}`).join("; ")}.`}function Zr(e){return[...bf(e),...vf(e)]}function bf(e){let t=e.map(n=>n.success).filter(n=>typeof n==
"number");return t.length<2||t.some(n=>n!==1)?[]:[{words:"All tasks are solved from the first step on.",advice:"Check wh\
ether a tool or the prompt contains the answer.",query:{split:"train"},look:!0}]}var wf={model:"messages of the policy",
tool:"the environment",reward:"rewards",siblings:"waiting for other samples of the group",host:"awhost"};function vf(e){
let t=new Map;for(let o of e)for(let[u,p]of Object.entries(o.parts??{}))u!=="queue"&&t.set(u,(t.get(u)??0)+p);let n=rc([
...t.values()]),[s,i]=[...t].sort((o,u)=>u[1]-o[1])[0]??["",0],r=i/Math.max(1,rc(e.map(o=>o.episodes)));return n===0||i<
cf*n||s==="model"||r<uf?[]:[{words:`${Je(i/n)} of the episodes' time went into ${wf[s]??s}`,advice:`(${Ie(r)} per episod\
e).`,query:{split:"train",sort:"-seconds"}}]}function rc(e){return e.reduce((t,n)=>t+(n??0),0)}var oc=25;async function uc(e,t){e.title({text:t});let n=await Cn(t,e.signal),s=l("div",null),i=l("div",null),r=new Xr(e,
n),o=new el(e,n),u=l("div",null),p=l("div",null),m=l("div",null),g=S=>{$(s,kf(S)),$(m,Sf(S)),$(u,Cf(S),Pf(S),$f(S),Df(S),
Of(S)),document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",S.status)};g(n);let b=n.played?l("p",
{class:"dim"},xf):[r.element,o.element];if($(e.root,s,p,m,i,b,u,Ef(e,t)),e.key("e","all episodes",()=>{location.hash=U([
"run",t,"episodes"])}),e.key("a","all tasks",()=>{location.hash=U(["run",t,"tasks"])}),e.key("v","validations",()=>{location.
hash=U(["run",t,"validations"])}),e.key("s","the newest step",()=>{location.hash=Ge(t,Math.max(0,n.step))}),n.played||(r.
load(),o.load(),ac(e,n,p)),!n.live)return;cc(e,t,i),e.onLive(t,S=>{v(S)});let v=async S=>{let L=new Set(S.map(D=>D.kind)),
P=await Cn(t,e.signal).catch(()=>null);!P||e.signal.aborted||(Object.assign(n,P),g(P),!n.played&&(L.has("step")||L.has("\
state"))&&(r.refresh(P,L.has("state")),o.refresh(P),ac(e,P,p)),cc(e,t,i))}}var xf="Tasks of awhost debug. Nothing is tra\
ined, so the run has no curves, steps, or checkpoints.",yf=50;async function ac(e,t,n){let s=await Cs(t.name,Math.max(0,
t.step-yf+1),Math.max(0,t.step),e.signal).catch(()=>null);if(e.signal.aborted)return;let i=s?.steps??[],r=JSON.stringify(
[t.findings,t.not_checked,Zr(i)]);n.dataset.drawn!==r&&(n.dataset.drawn=r,$(n,lc(e,t,i)))}function kf(e){let t=[e.step>=
0?`${y(e.step)}${e.steps?` of ${y(e.steps)}`:""}`:"none"];return[l("div",{class:"bar"},l("h1",null,e.name),Ds(e),l("span",
{class:"grow"}),l("a",{class:"button",href:U(["run",e.name,"episodes"])},"Episodes"),l("a",{class:"button",href:U(["run",
e.name,"tasks"])},"Tasks"),l("a",{class:"button",href:U(["run",e.name,"validations"])},"Validations"),l("a",{class:"butt\
on",href:U(["compare"],{run:[e.name]})},"Compare")),fn([["step",e.played?null:t],["stage",e.stage],["held-out success",e.
played?null:Os(e)],["episodes",e.episodes===void 0?null:y(e.episodes)],["adapter",e.adapter],["train",e.train],["dataset",
e.played?.dataset],["policy",e.played?.policy],["spec",e.spec],["machine",e.machine],["started",An(e.started)],["duratio\
n",e.live||e.ended?ui(e.started,e.live?void 0:e.ended):null],["disk",Dt(e.disk_bytes)],["digest",e.digest?l("code",null,
e.digest.slice(0,19)):null]]),Mf(e)]}function Sf(e){return[e.problem||e.reason?l("p",{class:"warning"},e.problem??e.reason):
null,(e.warnings??[]).map(t=>l("p",{class:"warning",role:"status"},t))]}function Ef(e,t){return Pe(l("b",null,"Spec"),()=>{
let n=l("div",null);return Te(e,n,async()=>{let s=(await oi(t,e.signal)).settings.map(u=>[u.path,JSON.stringify(u.value)]),
i=l("div",null),r=l("input",{type:"search",placeholder:"setting or value","aria-label":"filter settings"}),o=()=>{let u=r.
value.trim().toLowerCase(),p=s.filter(([m,g])=>`${m} = ${g}`.toLowerCase().includes(u));$(i,_e([{title:"setting",cell:([
m])=>l("code",null,m)},{title:"value, including defaults",wide:!0,cell:([,m])=>Re(m,400)}],p.slice(0,500)),p.length>500?
l("p",{class:"dim"},`${fe(p.length-500,"more setting")}: refine the filter`):null)};return r.addEventListener("input",o),
o(),[r,i]}),n})}function Mf(e){let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,s)=>s[1]-n[1]);return t.
length===0?null:l("p",{class:"chips"},l("span",{class:"dim"},"Failed: "),t.map(([n,s])=>l("a",{class:"chip bad",href:U([
"run",e.name,"episodes"],{class:n})},`${n.toLowerCase()} `,l("b",null,y(s)))))}var Xr=class{constructor(t,n){this.view=t;
this.run=n}view;run;element=l("section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";drawing={
smoothing:0,log:!1};about=new Map;async load(){this.drawn=(this.run.metrics??[]).join(`
`),this.about=new Map((this.run.about??[]).map(s=>[s.name,s]));let t=Ti(this.run.metrics??[]),n=l("div",{class:"grid"});
await Te(this.view,this.element,async()=>(await this.fetch(t.flatMap(s=>s.names)),$(n,t.map(s=>this.chart(s))),t.length===
0?l("p",{class:"empty"},"No curves: no step has ended."):[this.controls(),n,[...Ga(this.run.metrics??[])].map(([s,i])=>this.
part(s,i))]))}controls(){let t=()=>this.charts.forEach(({chart:o})=>o.redraw()),n=l("select",{"aria-label":"smoothing"},
[0,.6,.9,.97].map(o=>l("option",{value:o},o===0?"no smoothing":`smoothing ${o}`)));n.value=String(this.drawing.smoothing),
n.addEventListener("change",()=>{this.drawing.smoothing=Number(n.value),t()});let s=l("input",{type:"checkbox",checked:this.
drawing.log});s.addEventListener("change",()=>{this.drawing.log=s.checked,t()});let i=l("span",{class:"bad",role:"status"}),
r=()=>Ps(this.run.name,[],void 0,this.view.signal).then(({series:o})=>Tf(`${this.run.name}.csv`,Ka(o)),o=>$(i,o instanceof
Error?o.message:String(o)));return l("div",{class:"bar controls"},n,l("label",null,s," log scale"),l("button",{onclick:t,
title:"drag over steps of a curve to zoom"},"Reset zoom"),l("button",{onclick:()=>{r()}},"Download CSV"),i)}part(t,n){let s=[
l("b",null,t),l("span",{class:"dim"},` ${fe(n.length,"metric")}`)];return Pe(s,()=>{let i=l("div",null),r=24,o=u=>Te(this.
view,i,async()=>{let p=n.slice(u,u+r);return await this.fetch(p),[l("div",{class:"grid"},p.map(m=>this.chart(this.alone(
m)))),n.length>r?l("div",{class:"pager"},l("button",{disabled:u===0,onclick:()=>{o(u-r)}},"\u2190"),l("span",null,`${u+1}\
 to ${u+p.length} of ${n.length}`),l("button",{disabled:u+r>=n.length,onclick:()=>{o(u+r)}},"\u2192")):null]});return o(
0),i})}alone(t){let n=this.about.get(t);return{title:n?.label??t,names:[t],unit:n?.unit,share:n?.unit==="fraction"}}chart(t){
let n=new vs({title:t.title,about:Ia(t,this.about),unit:t.unit,share:t.share,sync:"run",open:s=>{location.hash=Ge(this.run.
name,s)}},this.lines(t),this.ground(),this.view.signal,this.drawing);return this.charts.push({of:t,chart:n}),n.element}lines(t){
return t.names.map(n=>({label:Qr(n,t,this.about),points:this.points.get(n)??[]}))}ground(){return{stages:this.run.stages??
[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??[],last:this.run.step}}async fetch(t,n){if(t.length===0)return;
let{series:s}=await Ps(this.run.name,t,n,this.view.signal);for(let[i,r]of Object.entries(s)){let o=n===void 0?[]:(this.points.
get(i)??[]).filter(u=>u[0]<=n);this.points.set(i,[...o,...r])}}async refresh(t,n){if(this.run=t,this.drawn===""||this.charts.
length===0&&(t.metrics??[]).length>0)return this.load();let s=[...new Set(this.charts.flatMap(r=>r.of.names))],i=Math.max(
-1,...s.flatMap(r=>(this.points.get(r)??[]).slice(-1).map(o=>o[0])));try{await this.fetch(s,n||i<1?void 0:i-1)}catch{return}
for(let{of:r,chart:o}of this.charts)o.update(this.lines(r),this.ground())}};function Tf(e,t){let n=document.createElement(
"a");n.href=URL.createObjectURL(new Blob([t],{type:"text/csv"})),n.download=e,n.click(),setTimeout(()=>URL.revokeObjectURL(
n.href),6e4)}var el=class{constructor(t,n){this.view=t;this.run=n;this.element.append(this.place)}view;run;element=de("S\
teps");place=l("div",null);top;load(){return Te(this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.
top===void 0&&!this.place.contains(document.activeElement)){let n=await this.draw().catch(()=>null);n&&!this.view.signal.
aborted&&$(this.place,n)}}async draw(){let t=this.top??this.run.step,n=Math.max(0,t-oc+1),{steps:s}=await Cs(this.run.name,
n,Math.max(0,t),this.view.signal);if(s.length===0)return l("p",{class:"empty"},"No steps: none has ended.");let i=r=>{let o=t+
r*oc;this.top=o>=this.run.step?void 0:o,this.load()};return[_f(this.run.name,[...s].sort((r,o)=>o.step-r.step)),n>0||this.
top!==void 0?l("div",{class:"pager"},l("button",{disabled:this.top===void 0,onclick:()=>i(1)},"\u2190 Newer"),l("span",null,
`steps ${n} to ${t}`),l("button",{disabled:n===0,onclick:()=>i(-1)},"Older \u2192")):null]}};function _f(e,t){let n=[...new Set(
t.flatMap(s=>Object.keys(s.seconds??{})))];return _e([{title:"step",right:!0,cell:s=>l("a",{href:Ge(e,s.step)},y(s.step))},
{title:"stage",cell:s=>s.stage??"\u2013"},{title:"episodes",right:!0,cell:s=>y(s.episodes)},{title:"reward",right:!0,cell:s=>y(
s.reward)},{title:"success",right:!0,cell:s=>Je(s.success)},{title:"failed",right:!0,cell:s=>Li(s.failed)},{title:"trunc\
ated",right:!0,cell:s=>Li(s.truncated)},...n.map(s=>({title:s.replaceAll("_"," "),right:!0,cell:i=>Ie(i.seconds?.[s])})),
{title:"",wide:!0,cell:()=>""}],t,s=>Ge(e,s.step))}function Li(e){return e?l("span",{class:"bad"},y(e)):y(e)}var Lf={start:"\
started",resume:"resumed",kill:"killed",end:"ended",take_up:"trainer reattached",stage:"stage",plugin_restart:"plugin re\
started"};function Pf(e){let t=[...e.marks??[]].sort((i,r)=>r.time.localeCompare(i.time));if(t.length===0)return null;let n=i=>_e(
[{title:"time",cell:r=>An(r.time)},{title:"step",right:!0,cell:r=>y(r.step)},{title:"what",cell:r=>l("span",{class:"badg\
e "+(r.kind==="kill"?"bad":"")},Lf[r.kind]??r.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:r=>r.text}],i),s=10;return de(
"Events",n(t.slice(0,s)),t.length>s?Pe(`${fe(Math.min(t.length,500)-s,"earlier entry").replace("entrys","entries")}`,()=>n(
t.slice(s,500))):null)}function Cf(e){let t=[...e.tools??[]].sort((n,s)=>s.errors-n.errors||s.calls-n.calls);return t.length===
0&&!e.malformed?null:de("Tools",t.length===0?null:_e([{title:"tool",cell:n=>l("code",{class:"short",title:n.name},n.name)},
{title:"calls",right:!0,cell:n=>y(n.calls)},{title:"errors",right:!0,cell:n=>Li(n.errors)},{title:"error share",right:!0,
cell:n=>n.calls>0?Je(n.errors/n.calls):"\u2013"},{title:"",wide:!0,cell:()=>""}],t),e.malformed?l("p",null,l("b",null,fe(
e.malformed,"malformed call"))," could not be parsed, so that their tools are unknown. ",l("a",{href:U(["run",e.name,"ep\
isodes"],{split:"train",malformed_min:"1"})},"Show episodes")):null)}function $f(e){return(e.plugins??[]).length===0?null:
de("Plugins",_e([{title:"address",cell:t=>l("code",null,t.address)},{title:"plugin",cell:t=>`${t.name??""} ${t.version??
""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>Li(t.restarts)},{title:"\
CPU",right:!0,cell:Af},{title:"memory",right:!0,cell:t=>Dt(t.rss_bytes)},...e.plugins.some(t=>t.gpus)?[{title:"GPU memor\
y",right:!0,cell:t=>Rf(t)}]:[],{title:"last output",wide:!0,cell:t=>t.last_words?l("div",{class:"words"},Re(t.last_words,
400)):""}],e.plugins),e.played?null:l("p",{class:"dim"},"Output of all plugins: ",nn(`awhost logs ${e.name}`)))}function Af(e){
return e.cpu_percent===void 0?Ie(e.cpu_seconds):[Ie(e.cpu_seconds),l("span",{class:"dim"},` ${Math.round(e.cpu_percent)}\
 %`)]}function Rf(e){return(e.gpus??[]).map(t=>l("div",null,l("span",{class:"dim"},`${t.index}: `),Dt(t.bytes)))}function Df(e){
return(e.gpus??[]).length===0?null:de("GPUs",_e([{title:"",right:!0,cell:t=>String(t.index)},{title:"name",cell:t=>t.name??
"\u2013"},{title:"memory",cell:t=>[`${Dt(t.used_bytes)} of ${Dt(t.total_bytes)}`,t.total_bytes?l("progress",{value:t.used_bytes??
0,max:t.total_bytes,"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],e.gpus))}function Of(e){let t=[...e.checkpoints??
[]].sort((n,s)=>s.step-n.step).slice(0,200);return t.length===0?null:de("Checkpoints",_e([{title:"step",right:!0,cell:n=>l(
"a",{href:Ge(e.name,n.step)},y(n.step))},{title:"",cell:n=>n.best?l("span",{class:"badge good"},"best"):""},{title:"path",
wide:!0,cell:n=>n.path?nn(n.path):""}],t))}async function cc(e,t,n){let s=await Ql(t,e.signal).catch(()=>null);if(!s||!s.
live||e.signal.aborted)return $(n);if(s.waits.length===0)return $(n);let i=s.waits[0];$(n,Pe([l("b",null,"Waits: "),Nf(i),
s.waits.length>1?`, and ${s.waits.length-1} more`:""],()=>_e([{title:"who",cell:r=>r.episodes?fe(r.episodes,"episode"):"\
the "+r.who},{title:"waits for",cell:r=>[r.for," ",r.address??"",r.call?`, ${r.call}`:""]},{title:"since",right:!0,cell:r=>Ie(
r.seconds)},{title:"longest",cell:r=>r.episode?l("a",{href:Ze(t,r.episode)},r.episode):""},{title:"",wide:!0,cell:r=>r.detail??
""}],s.waits),n.querySelector("details")?.open??!1))}function Nf(e){return`${e.episodes?`${fe(e.episodes,"episode")} wai\
t`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${Ie(e.seconds)}`}var zt=e=>({text:e,href:$n(e)});function Tt(e){let t=e.filter(i=>typeof i=="number"&&Number.isFinite(i)),n=Math.min(0,...t),s=Math.max(1,...t);if(n<0){let i=Math.
max(-n,Math.max(0,...t));return{low:-i,high:i}}return{low:0,high:s}}function Pi(e){return{low:-e,high:e}}function _t(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let s=n.high-
n.low,i=s===0?.5:Math.min(1,Math.max(0,(t-n.low)/s));return e.classList.add(i<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(i-.5)*200)}%`),e}function bn(e,t,n,s=!1){let i=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",r=l("a",
{class:"cell"+(s?" here":""),href:Ze(e,t.id),title:Hf(t),"aria-current":s?"true":void 0},i?Xe(t.outcome):t.reward===null||
t.reward===void 0?"none":y(t.reward,3),t.success===!0?l("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?l("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?l("span",{class:"cut","aria-label":"\
malformed calls"},"\u2260"):null);return _t(r,t.outcome==="FAILED"?null:t.reward,n)}function Hf(e){let t=e.success===!0?
", solved":e.success===!1?", not solved":"",n=e.class?` (${Xe(e.class)})`:"",s=e.malformed?`, ${fe(e.malformed,"malforme\
d call")}`:"";return`${e.id}: ${Xe(e.outcome)}${n}, reward ${y(e.reward)}${t}${s}`}function Fn(e){let t=e.outcome==="SCO\
RED"&&!e.malformed,n=e.outcome==="FAILED"?"bad":t?"good":"warn";return l("span",{class:"badge "+n},e.outcome?Xe(e.outcome):
"given up",e.class?`: ${Xe(e.class)}`:"",e.malformed?`, ${fe(e.malformed,"malformed call")}`:"")}function pc(e,t){return _t(
l("span",{class:"cell small"},y(e.reward,3)),e.reward,t)}var mc=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],zf=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function hc(e){let t={};for(let n of mc){
let s=e.get(n);s&&(t[n]=s)}return t}function $i(e){return mc.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function gc(e,t,n){
let s=p=>t.get(p)??"",i=(p,m={})=>[...new Set([...Object.keys(m),s(p)])].filter(g=>g!=="").map(g=>[g,`${Xe(g)} (${y(m[g]??
0)})`]),r=["member","task","group","turns_min","turns_max","malformed_min"].some(p=>s(p)!==""),o=l("form",{class:"filter",
role:"search"},Ci("q","text",s("q"),{"data-filter":!0,placeholder:"text in the conversation",type:"search"}),tl("outcome",
s("outcome"),[["","any outcome"],...i("outcome",n.outcomes)]),tl("class",s("class"),[["","any failure"],...i("class",n.failures)]),
tl("sort",s("sort"),zf),fc("reward",s),l("details",{class:"more",open:r},l("summary",null,"more"),l("div",{class:"filter"},
fc("turns",s),Vf("malformed","malformed calls",s),Ci("task","task",s("task")),Ci("group","group",s("group")),Ci("member",
"member",s("member")))),l("button",null,"Filter"),$i(t)?l("a",{class:"button quiet",href:U(e,dc(t))},"Clear"):null),u=()=>{
let p=dc(t);for(let[m,g]of new FormData(o))typeof g=="string"&&g.trim()!==""&&(p[m]=g.trim());location.hash=U(e,p)};return o.
addEventListener("submit",p=>{p.preventDefault(),u()}),o.addEventListener("change",p=>{p.target instanceof HTMLSelectElement&&
u()}),o}function dc(e){let t={};for(let n of["split","layout","expected"]){let s=e.get(n);s&&(t[n]=s)}return t}function Ci(e,t,n,s={}){
return l("label",null,l("span",null,t),l("input",{name:e,value:n,type:"text",autocomplete:"off",...s}))}function Vf(e,t,n){
let s={name:`${e}_min`,value:n(`${e}_min`),type:"number",min:0,placeholder:"from"};return l("label",{class:"range"},l("s\
pan",null,t),l("input",s))}function fc(e,t){let n=(s,i)=>l("input",{name:`${e}_${s}`,value:t(`${e}_${s}`),type:"number",
step:"any",placeholder:i,"aria-label":`${e} ${i}`});return l("label",{class:"range"},l("span",null,e),n("min","from"),n(
"max","to"))}function tl(e,t,n){let s=l("select",{name:e,"aria-label":e},n.map(([i,r])=>l("option",{value:i},r)));return s.
value=t,s}function Ws(e,t){let n=new Map;for(let s of e){let i=t(s),r=n.get(i);r?r.push(s):n.set(i,[s])}return n}var Ff=100;async function sl(e,t,n){let s=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(zt(t),{text:n===void 0?
"episodes":`step ${n}`});let i=await Cn(t,e.signal),r=new nl(e,i,n,s);$(e.root,jf(e,i,n,s),n===void 0?null:qf(e,t,n),tn===
void 0?gc(s,e.query,i):null,n===void 0||$i(e.query)?null:Uf(e,t,n),r.element),await r.load(),i.live&&e.onLive(t,o=>r.hear(
o.some(u=>n===void 0||u.step===n)))}function jf(e,t,n,s){let i=e.query.get("split")??"",r=Object.fromEntries([...e.query].
filter(([m])=>m!=="cursor")),o=(m,g)=>l("a",{class:"tab"+(i===m?" here":""),"aria-current":i===m?"true":void 0,href:U(s,
{...r,split:m})},g),u=e.query.get("layout")??"",p=m=>{location.hash=Ge(t.name,Math.max(0,(n??0)+m),{split:i})};return n!==
void 0&&(e.key("ArrowLeft","previous step",()=>p(-1)),e.key("ArrowRight","next step",()=>p(1))),l("div",{class:"bar"},l(
"h1",null,n===void 0?"Episodes":`Step ${y(n)}`),n===void 0?null:l("span",{class:"turn"},l("button",{disabled:n===0,title:"\
previous step (\u2190)","aria-label":"previous step",onclick:()=>p(-1)},"\u2190"),l("button",{title:"next step (\u2192)",
"aria-label":"next step",onclick:()=>p(1)},"\u2192")),t.played?null:l("span",{class:"tabs"},o("","All"),o("train","Train\
ing"),o("validation","Held-out")),n===void 0?null:l("span",{class:"tabs"},l("a",{class:"tab"+(u===""?" here":""),href:U(
s,{...r,layout:""})},"Groups"),l("a",{class:"tab"+(u==="list"?" here":""),href:U(s,{...r,layout:"list"})},"List")))}function qf(e,t,n){
let s=l("div",null);return Te(e,s,async()=>{let i=(await Cs(t,n,n,e.signal)).steps.find(r=>r.step===n);return i?fn([["st\
age",i.stage],["episodes",y(i.episodes)],["reward",y(i.reward)],["success",Je(i.success)],["failed",y(i.failed)],["trunc\
ated",y(i.truncated)],...Wf(i)]):l("p",{class:"dim"},"The step has not ended, or belongs to another run.")}),s}function Wf(e){
return Object.entries(e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),Ie(n)])}function Uf(e,t,n){let s=l("div",null),
i=e.query.get("split")??void 0,r=u=>$s(t,{step:n,split:i,sort:u,limit:3},e.signal);Te(e,s,async()=>{let[u,p]=await Promise.
all([r("-reward"),r("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(u).length===0||m(u)[0].reward===
m(p)[0].reward)return null;let g=Tt([...m(u),...m(p)].map(b=>b.reward));return l("div",{class:"extremes"},o("Best",m(u),
g),o("Worst",m(p),g))});let o=(u,p,m)=>de(u,p.map(g=>l("p",{class:"answer"},bn(t,g,m)," ",l("a",{href:Ze(t,g.id),class:"\
quiet"},wn(g.answer)||"no answer"))));return s}var nl=class{constructor(t,n,s,i){this.view=t;this.run=n;this.step=s;this.
path=i;this.element.append(this.news,this.place)}view;run;step;path;element=l("div",null);place=l("div",null);news=l("di\
v",null);load(){return $(this.news),Te(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?$(this.news,
l("p",{class:"news"},l("button",{onclick:()=>{this.load()}},"Show new episodes"))):this.load()}async draw(){let t=this.view.
query.get("cursor")??void 0,n=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),s=n?
{sort:"group"}:{},i=await $s(this.run.name,{...hc(this.view.query),...s,step:this.step,limit:Ff,cursor:t},this.view.signal);
if(i.episodes.length===0)return l("p",{class:"empty"},this.emptiness());let r=Tt(i.episodes.map(u=>u.reward)),o=i.total===
void 0?"":`${fe(i.total,"episode")}`;return[l("p",{class:"legend"},l("b",null,o),Kf(r),this.asks(n)),this.strip(i.episodes,
r),n?this.groups(i.episodes,r):this.list(i.episodes,r),this.pager(i,t)]}emptiness(){return $i(this.view.query)?"No match\
ing episodes.":this.run.live?"No episodes yet. The list updates automatically.":"No episodes."}strip(t,n){if(this.step!==
void 0||!this.view.query.get("task"))return null;let s=Ws([...t].sort((i,r)=>i.step-r.step),i=>i.step);return de("All ep\
isodes of this task",l("div",{class:"strip"},[...s].map(([i,r])=>l("div",null,l("a",{class:"dim",href:Ge(this.run.name,i)},
`step ${i}`),r.map(o=>bn(this.run.name,o,n))))))}groups(t,n){let s=[...Ws(t,i=>JSON.stringify([i.split,i.group])).values()].
sort(Bf);return l("div",{class:"groups"},s.map(i=>{let r=i.toSorted((p,m)=>p.sample-m.sample),o=r[0],u=Rs(this.run.name,
o.group,o.step,o.split);return l("section",{class:"group item",data:{href:u}},l("div",{class:"of"},l("a",{href:u,title:"\
side by side"},o.split==="validation"?"held-out ":"",`group ${o.group}`),l("a",{class:"task",title:"all episodes of this\
 task",href:U(["run",this.run.name,"episodes"],{task:o.task})},o.task),l("span",{class:"dim"},Yf(r))),l("div",{class:"ce\
lls"},r.map(p=>bn(this.run.name,p,n))))}))}list(t,n){let s=this.run.name;return _e([...this.step===void 0&&!this.run.played?
[{title:"step",right:!0,cell:i=>l("a",{href:Ge(s,i.step)},y(i.step))}]:[],{title:"episode",cell:i=>l("a",{href:Ze(s,i.id),
title:i.id},Us(i))},{title:"reward",right:!0,cell:i=>pc(i,n)},{title:"success",cell:i=>i.success===!0?"solved":i.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:Fn},{title:"task",cell:i=>l("a",{class:"short",href:U(["run",s,"episodes"],
{task:i.task})},i.task)},{title:"answer",wide:!0,cell:i=>l("div",{class:"short",title:i.answer},If(i))},...this.expected(),
{title:"turns",right:!0,cell:i=>y(i.turns)},{title:"tokens",right:!0,cell:i=>y(i.tokens)},{title:"duration",right:!0,cell:i=>Ie(
i.seconds)},{title:"attempt",right:!0,cell:i=>y(i.attempt)}],t,i=>Ze(s,i.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,n=Promise.resolve();return[{title:"private part",cell:i=>{let r=JSON.stringify([i.split,i.task]),
o=t.get(r)??n.then(()=>li(this.run.name,i.id,this.view.signal).then(Gf),()=>"");t.set(r,o),n=o.catch(()=>{});let u=l("di\
v",{class:"private"},"\u2026");return o.then(p=>{u.title=Rt(p),$(u,wn(p))},p=>$(u,l("span",{class:"bad"},p instanceof Error?
p.message:""))),u}}]}asks(t){if(t||tn!==void 0)return null;let n=Object.fromEntries([...this.view.query]),s=!!n.expected;
return l("a",{class:"button quiet",href:U(this.path,{...n,expected:s?"":"1"})},s?"Hide private parts":"Show private part\
s (expected answers)")}pager(t,n){if(!t.next&&!n)return null;let s=Object.fromEntries([...this.view.query].filter(([r])=>r!==
"cursor")),i=()=>{t.next&&(location.hash=U(this.path,{...s,cursor:t.next}))};return this.view.key("n","next page",i),l("\
div",{class:"pager"},l("button",{disabled:!n,onclick:()=>{location.hash=U(this.path,s)}},"First page"),l("button",{disabled:!n,
onclick:()=>history.back()},"\u2190 Back"),l("button",{disabled:!t.next,onclick:i},"Next page \u2192"))}};function Us(e){
return`${e.group}, sample ${y(e.sample)}`}function Gf(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([n,s])=>`${n}: ${typeof s=="string"?s:JSON.stringify(s)}`).
join(", ")}function If(e){let t=e.answer??"",n=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&n?"\u2026 "+wn(
t.slice(-60)):wn(t)}function Bf([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function Kf(e){return l("span",{class:"ramp"},l("span",null,y(e.low)),l("i",null),l("span",null,y(e.high)),l("i",{class:"\
hatched"}),l("span",null,"no reward"))}function Yf(e){let t=e.map(s=>s.reward).filter(s=>typeof s=="number");if(t.length===
0)return"no rewards";let n=t.reduce((s,i)=>s+i,0)/t.length;return t.length>1&&t.every(s=>s===t[0])?`all ${y(n,3)}: teach\
es nothing`:`mean ${y(n,3)}`}function wn(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var Jf=200;function Gs(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),s=l("div",{class:"conversation"});
if(n.reduce((p,m)=>p+m.messages.length,0)===0)return $(s,l("p",{class:"empty"},"No messages.")),s;let r=Qf(n),o=Zf(e,r),
u=p=>{s.querySelector(":scope > button")?.remove();let m=Math.min(r.length,p+Jf);Kt(s,Xf(r.slice(p,m),t,o)),m<r.length?s.
append(l("button",{onclick:()=>u(m)},`Show more: ${fe(r.length-m,"message")} left`)):e.limit?.cut&&s.append(l("p",{class:"\
cuthere",title:Rt(e.limit.words)},"\u2702 cut here"))};return u(0),s}function Qf(e){let t=[],n=new Map;for(let s of e){let i=s.
agent??"";for(let r of s.messages){let o=JSON.stringify([i,r.tool_call_id]),u=r.role==="tool"?n.get(o):void 0;if(u){u.results.
set(r.tool_call_id,r),n.delete(o);continue}let p={member:i,depth:Math.max(0,s.depth??0),message:r,results:new Map};for(let m of r.
tool_calls??[])n.set(JSON.stringify([i,m.id]),p);t.push(p)}}return t}function Zf(e,t){let n=t.filter(i=>i.message.role===
"assistant"),s=(e.transcripts?.length??1)===1&&n.length===e.episode.turns;return new Map(s?n.map((i,r)=>[i,r+1]):[])}function bc(e){
if(e.querySelector("[data-turn]"))return t=>{let n=e.querySelector(`[data-turn="${t}"]`);for(let s of e.querySelectorAll(
".current"))s.classList.remove("current");n?.classList.add("current"),n?.scrollIntoView({block:"start"})}}function Xf(e,t,n){
let s=l("div",null),i=[{element:s,member:""}];for(let r of e){let o=r.member===""?0:r.depth+1;for(;i.length>o+1||i.length===
o+1&&o>0&&i.at(-1).member!==r.member;)i.pop();for(;i.length<=o;){let u=l("details",{class:"member",open:!0},l("summary",
null,r.member));i.at(-1).element.append(u),i.push({element:u,member:r.member})}i.at(-1).element.append(em(r,t,n.get(r)))}
return[...s.childNodes]}function em(e,t,n){let s=e.message,i=s.role||"unknown",r=(s.content??"").length;return l("articl\
e",{class:`message item ${nm(i)}${s.is_error?" error":""}`,data:n?{turn:String(n)}:void 0},l("header",null,l("b",null,i),
s.name?l("span",{class:"dim"},s.name):null,s.is_error?l("span",{class:"badge bad"},"error"):null,r>2e3?l("span",{class:"\
dim"},`${r.toLocaleString("en")} characters`):null),s.reasoning?Pe([l("b",null,"reasoning"),l("span",{class:"dim"}," "+il(
s.reasoning))],()=>Re(s.reasoning),!1,"thinks"):null,s.content?Re(s.content,t):null,(s.images??[]).map(wc),(s.attachments??
[]).map(o=>xc(o,s.content??"")),(s.tool_calls??[]).map(o=>im(o,e.results.get(o.id))),(s.malformed??[]).map(o=>l("div",{class:"\
malformed"},l("span",{class:"badge warn"},"malformed call")," ",o.reason,(s.content??"").includes(o.text)?null:Pe("text \
of the call",()=>Re(o.text)))),sm(s)?l("p",{class:"dim"},"(nothing)"):null)}var tm=new Set(["system","user","assistant",
"tool"]);function nm(e){return tm.has(e)?e:"other"}function sm(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.
attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function im(e,t){let n=[l("span",{class:"arrow"},"\u2192"),
l("b",null,e.name||"(no name)"),l("span",{class:"dim oneline"},il(e.arguments)),t?.is_error?l("span",{class:"badge bad"},
"error"):null,l("span",{class:t&&!t.is_error?"result oneline":"oneline bad"},t?"\u2190 "+il(t.content??""):"no result")];
return Pe(n,()=>l("div",{class:"body"},l("h4",null,"arguments"),Re(rm(e.arguments)),l("h4",null,"result"),t?[t.content?Re(
t.content):l("p",{class:"dim"},"(nothing)"),(t.images??[]).map(wc),(t.attachments??[]).map(s=>xc(s,t.content??""))]:l("p",
{class:"dim"},"The episode ended before the result.")),!1,t?.is_error?"call failed":"call")}function rm(e){if(e.length>1e6)
return e;try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function il(e){return As(e.slice(0,300).replace(
/\s+/g," ").trim())}var lm=new Set(["image/png","image/jpeg","image/gif","image/webp"]),om=8<<20;function wc(e){let t=["\
picture",e.mime_type,e.url,e.data?Dt(Math.floor(e.data.length*3/4)):""];return vc(t.filter(n=>n).join(", "),e.mime_type,
e.data)}function vc(e,t,n){return!n||!t||!lm.has(t)||n.length>om||!/^[A-Za-z0-9+/]+=*$/.test(n)?l("p",{class:"attachment"},
"+ "+e):Pe("+ "+e,()=>{let s=document.createElement("img");return s.alt=Rt(e),s.src=`data:${t};base64,${n}`,s},!1,"attac\
hment")}function xc(e,t){let n=[e.kind||"attachment",e.mime_type,e.name,e.uri,e.size?Dt(e.size):"",e.file?`kept as ${e.file}`:
e.sha256?`not kept, sha256 ${e.sha256}`:""].filter(i=>i).join(", ");if(e.data)return vc(n,e.mime_type,e.data);let s=e.json!==
void 0?JSON.stringify(e.json,null,2):e.text??"";return s===""||s===t?l("p",{class:"attachment"},"+ "+n):Pe("+ "+n,()=>Re(
s),!1,"attachment")}function Ai(e){let t=e.reward,n=t?.total??e.episode.reward,s=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),i=Tt([n,...Object.values(t?.parts??{})]),r=e.episode.success;return l("div",{class:"reward"},l("p",
{class:"total"},_t(l("span",{class:"cell"},y(n)),n,i),r===!0?l("span",{class:"badge good"},"solved"):null,r===!1?l("span",
{class:"badge"},"not solved"):null,n==null?l("span",{class:"dim"},cm(e)):null),t?.expression?l("p",null,l("span",{class:"\
dim"},"expression "),l("code",{class:"expression"},t.expression)):null,s.length===0?null:_e([{title:"part",cell:o=>l("co\
de",null,o.replace(/^reward\./,""))},{title:"value",right:!0,cell:o=>am(t?.parts?.[o],i)},{title:t?.notes?"notes":"",wide:!0,
cell:o=>t?.notes?.[o]?Re(t.notes[o],400):""}],s),(t?.own_rewards??[]).map(o=>l("p",null,l("code",null,`agent.${o.agent}`),
" reports ",y(o.reward),o.is_success===void 0?"":o.is_success?", solved":", not solved")),um(t?.turn_rewards??[]))}function am(e,t){
return e===void 0?"":_t(l("span",{class:"cell small"},y(e)),e,t)}function cm(e){return e.failure||e.episode.outcome==="F\
AILED"?"No reward: the episode failed.":"No reward."}function um(e){if(e.length===0)return null;let t=Tt(e.map(n=>n.reward));
return l("p",{class:"cells"},l("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>_t(l("span",{class:"cell small",title:n.
call_id},y(n.reward,3)),n.reward,t)))}var pm=360,dm=200;async function yc(e,t,n){let s=Number(e.query.get("step")??0),i=e.query.get("split")??"train";e.title(
zt(t),{text:`step ${s}`,href:Ge(t,s)},{text:`group ${n}`});let o=(await $s(t,{step:s,split:i,group:n,limit:dm},e.signal)).
episodes.toSorted((P,D)=>P.sample-D.sample),u=o[0];if(!u){$(e.root,l("p",{class:"empty"},"This group has no episodes."));
return}let p=Tt(o.map(P=>P.reward)),m=l("div",{class:"beside"}),g=o.map(P=>bn(t,P,p)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/pm))),S=()=>{let P=o.slice(b,b+v());g.forEach((D,q)=>D.classList.toggle(
"here",q>=b&&q<b+P.length)),$(m,P.map(D=>fm(e,t,D)))},L=P=>{b=Math.min(Math.max(0,o.length-v()),Math.max(0,b+P*v())),S()};
e.key("ArrowLeft","previous samples",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),$(e.root,l("div",{class:"bar"},
l("h1",null,`Group ${n}`),l("span",{class:"turn"},l("button",{title:"previous samples (\u2190)","aria-label":"previous s\
amples",onclick:()=>L(-1)},"\u2190"),l("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(
1)},"\u2192"))),l("p",null,"Task ",l("a",{href:U(["run",t,"episodes"],{task:u.task})},u.task)),l("div",{class:"cells"},g),
m),S()}function fm(e,t,n){let s=l("div",null);return Te(e,s,async()=>{let i=await os(t,n.id,e.signal);return[Ai(i),Gs(i,
1200)]}),l("section",{class:"panel"},l("h2",null,l("a",{href:Ze(t,n.id)},`sample ${y(n.sample)}`)," ",Fn(n)),s)}function Ec(e){let t=e.some(n=>n.model);return _e([{title:"member",cell:n=>l("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>y(n.turns)},{title:"prompt tokens",right:!0,cell:n=>y(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>y(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>mn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${y(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var kc=200;
function Mc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?Sc(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),s=Ws(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),i=[],r=new Set,o=(s.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;o.length>0;){let g=o.pop();if(r.has(g.call.call_id))continue;r.add(g.call.call_id),
i.push(g);let b=s.get(g.call.call_id)??[],v=b.length>1;for(let S of b.toReversed())o.push({call:S,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)r.has(g.call_id)||i.push({call:g,depth:0,branch:!1});let u=l("div",{class:"forest"}),p=g=>$(u,
i.slice(0,g).map(mm),i.length>g?l("button",{onclick:()=>p(g+kc)},`Show more: ${fe(i.length-g,"call")} left`):null);p(kc);
let m=(s.get("")??[]).length;return[l("p",{class:"dim"},`${fe(t.length,"call")} in ${fe(m,"tree")}. A branch continues a\
n earlier answer. Untrained calls are marked.`),u,(e.chains??[]).length>0?Sc(e.chains):null]}function mm({call:e,depth:t,
branch:n}){let s=!e.parent,i=[l("span",{class:"twig"},s?"\u25CF":n?"\u251C":"\u2502"),l("code",null,e.call_id),e.agent?l(
"span",null,e.agent):null,e.auxiliary?l("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?l("span",
{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?l("span",{class:"dim"},Xe(e.finish)):null,l("span",{class:"\
dim"},`${y(e.prompt_tokens)} + ${y(e.output_tokens)} tokens`),l("span",{class:"oneline dim"},(e.text??"").slice(0,200))],
r=Pe(i,()=>e.text?Re(e.text):l("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" untrained":
""));return r.style.setProperty("--depth",String(Math.min(t,24))),r}function Sc(e){return Pe([l("b",null,"chains"),l("sp\
an",{class:"dim"},` ${e.length}`)],()=>_e([{title:"chain",cell:t=>l("code",null,t.chain)},{title:"agent",cell:t=>t.agent??
""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>y(t.reward)},
{title:"digest",wide:!0,cell:t=>l("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var xs=1500,hm=150,gm=240,Pc=(e,t)=>e?.[t]??null;function Ri(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function vn(e,t,n){
let s=Pc(e,n);return s===0&&Ri(t,n)===0?null:s}function Cc(e,t){let[n,s]=[vn(e.logprobs,e,t),vn(e.trainer_logprobs,e,t)];
return n===null||s===null?null:s-n}var rl=(e,t)=>e.reduce((n,s)=>Math.max(n,Math.abs(s)),t),Tc=e=>({low:-rl(e,1),high:0}),
_c=[{name:"mask",label:"trained",value:Ri,scale:()=>Pi(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>vn(
e.logprobs,e,t),scale:Tc},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>vn(e.trainer_logprobs,e,t),scale:Tc},
{name:"gap",label:"gap",value:Cc,scale:e=>Pi(rl(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>vn(e.advantages,
e,t),scale:e=>Pi(rl(e,1e-6))}],Lc={trained:"The tokens of this episode are not recorded. Adapters report the tokens of s\
ome groups at the steps that tokens_every selects.",played:"The model of this episode returned no tokens. Served models \
return them if their block sets tokens."};function $c(e,t=!1){if(!e||e.length===0)return l("p",{class:"dim"},t?Lc.played:
Lc.trained);let n=l("div",null),s=r=>$(n,new ll(e[r]).element);if(s(0),e.length===1)return n;let i=l("select",{"aria-lab\
el":"row"},e.slice(0,500).map((r,o)=>l("option",{value:String(o)},`row ${o+1} of ${e.length}${r.chain?`: ${r.chain}`:""}`)));
return i.addEventListener("change",()=>s(Number(i.value))),[i,n]}var ll=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",n=>this.point(n.target)),this.text.addEventListener("click",n=>this.point(n.target)),this.text.addEventListener(
"keydown",n=>{let s={ArrowRight:1,ArrowLeft:-1}[n.key];s!==void 0&&(n.preventDefault(),n.stopPropagation(),this.stand(this.
at<0?this.from:this.at+s))}),$(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=l("div",{class:"tokens"});measure=_c[0];from=0;text=l("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=l("div",{class:"readout",role:"status"});tabs=l("div",{class:"tabs"});overview=l(
"div",{class:"overview","aria-hidden":"true"});pager=l("div",{class:"pager"});legend=l("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:n}=this,s=[],i=0;for(let p=0;p<this.length;p++){let m=n.value(t,p);m===
null?i++:s.push(m)}let r=n.scale(s);$(this.tabs,_c.map(p=>l("button",{class:"tab"+(p===n?" here":""),"aria-pressed":p===
n?"true":"false",onclick:()=>{this.measure=p,this.draw()}},p.label))),$(this.legend,s.length===0?l("p",{class:"unknown"},
`${n.label}: unknown, because this framework does not report it.`):this.ramp(r,s,i));let o=Math.min(this.length,this.from+
xs),u=[];for(let p=this.from;p<o;p++)u.push(this.token(p,n.value(t,p),r));$(this.text,u),this.text.children.item(this.at-
this.from)?.classList.add("here"),this.drawOverview(r,o),this.drawPager(o)}drawOverview(t,n){if(this.length<hm)return;let s=Math.
ceil(this.length/gm),i=[];for(let r=0;r<this.length;r+=s){let o=this.extreme(r,Math.min(this.length,r+s)),u=l("i",{class:r<
n&&r+s>this.from?"shown":""});u.addEventListener("click",()=>this.stand(Math.max(o,r))),i.push(_t(u,o<0?null:this.measure.
value(this.row,o),t))}$(this.overview,i)}extreme(t,n){let[s,i]=[-1,-1];for(let r=t;r<n;r++){let o=this.measure.value(this.
row,r);o!==null&&Math.abs(o)>i&&([s,i]=[r,Math.abs(o)])}return s}ramp(t,n,s){if(this.measure.name==="mask"){let i=n.reduce(
(r,o)=>r+o,0);return l("p",{class:"ramp"},l("i",{class:"one high"}),`${y(i)} trained`,l("i",{class:"one plain"}),`${y(n.
length-i)} not trained`,s>0?[l("i",{class:"hatched"}),`${y(s)} unknown`]:null,this.cutWords())}return l("p",{class:"ramp"},
y(t.low,3),l("i",null),y(t.high,3),s>0?[l("i",{class:"hatched"}),`${y(s)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:l("span",{class:"badge warn"},`the first ${y(this.length)} of ${y(t)}\
 tokens`)}token(t,n,s){let i=this.row.text?.[t],r=l("span",{class:"token",data:{i:String(t)}},i==null?`\u27E8${this.row.
ids[t]}\u27E9`:bm(i));return i?.includes(`
`)&&r.classList.add("ends"),t===this.row.prompt_length&&r.classList.add("first"),_t(r,n,s)}drawPager(t){let n=i=>{this.from=
Math.max(0,Math.min(i,this.length-1)),this.draw()},s=this.extreme(0,this.length);$(this.pager,l("button",{disabled:this.
from===0,onclick:()=>n(this.from-xs)},"\u2190"),l("span",null,`tokens ${y(this.from+1)} to ${y(t)} of ${y(this.length)}`),
l("button",{disabled:t>=this.length,onclick:()=>n(this.from+xs)},"\u2192"),l("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),s>=0&&this.measure.name!=="mask"?l("button",{onclick:()=>this.stand(s)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Ri(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+xs)&&(this.from=Math.floor(t/xs)*xs,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,s=o=>o===null?l("span",
{class:"unknown"},go):l("b",null,y(o)),i=t<0?null:Ri(n,t),r=t<0?null:Pc(n.turn_ids,t);$(this.readout,t<0?l("span",{class:"\
dim"},`${fe(this.length,"token")}: point at a token for its values`):[l("span",null,"token ",l("b",null,y(t))," ",l("cod\
e",null,As(n.text?.[t]??"")),l("span",{class:"dim"},` id ${n.ids[t]}`)),l("span",null,i===null?l("span",{class:"unknown"},
"trained: unknown"):i?"trained":"not trained"),r===null||r<0?null:l("span",null,"turn ",l("b",null,y(r+1))),l("span",null,
"sampler ",s(vn(n.logprobs,n,t))),l("span",null,"trainer ",s(vn(n.trainer_logprobs,n,t))),l("span",null,"gap ",s(Cc(n,t))),
l("span",null,"advantage ",s(vn(n.advantages,n,t)))])}};function bm(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):As(e)}var Ac=150,wm=["queue","model","tool","reward","siblings","host"];function Rc(e,t,n){if(e.length===0)return l("p",{class:"\
dim"},"No times recorded.");let s=Math.min(...e.slice(0,5e4).map(p=>p.start_ms)),i=Math.max(...e.slice(0,5e4).map(p=>p.start_ms+
p.ms)),r=Math.max(i-s,1e-9),o=l("div",{class:"waterfall"}),u=p=>$(o,e.slice(0,p).map(m=>xm(m,s,r,n)),e.length>p?l("butto\
n",{onclick:()=>u(p+Ac)},`Show more: ${fe(e.length-p,"bar")} left`):null);return u(Ac),[vm(e),o,l("p",{class:"axis dim"},
l("span",null,"0"),l("span",null,mn(r))),t==="sums"?l("p",{class:"dim"},"Only total times are recorded, without their be\
ginnings."):null]}function ol(e){return wm.includes(e)?e:"other"}function vm(e){let t=new Map;for(let i of e)t.set(i.part,
(t.get(i.part)??0)+i.ms);let n=[...t.values()].reduce((i,r)=>i+r,0)||1,s=[...t].sort((i,r)=>r[1]-i[1]);return l("div",null,
l("div",{class:"stack","aria-hidden":"true"},s.map(([i,r])=>l("i",{class:"part "+ol(i),vars:{"--share":`${100*r/n}%`}}))),
l("p",{class:"chips"},s.map(([i,r])=>l("span",{class:"key"},l("i",{class:"swatch part "+ol(i)}),`${i==="tool"?"environme\
nt":i} `,l("b",null,mn(r)),l("span",{class:"dim"},` ${Math.round(100*r/n)} %`)))))}function xm(e,t,n,s){let i=(e.turn?`t\
urn ${e.turn}: `:"")+(e.label||e.part),r=100*(e.start_ms-t)/n,o=Math.max(.3,100*e.ms/n);return l("div",{class:"wait",title:`${e.
part}: ${i}, ${mn(e.ms)} from ${mn(e.start_ms-t)}`},e.turn&&s?l("button",{class:"name quiet",onclick:()=>s(e.turn)},i):l(
"span",{class:"name"},i),l("span",{class:"lane"},l("i",{class:"part "+ol(e.part),vars:{"--left":`${Math.min(r,99.7)}%`,"\
--share":`${Math.min(o,100)}%`}})),l("span",{class:"ms"},mn(e.ms)))}async function Oc(e,t,n){e.title(zt(t),{text:`episode ${n}`});let s=await os(t,n,e.signal),i=s.episode,r=s.played?{text:"\
episodes",href:U(["run",t,"episodes"])}:{text:`step ${i.step}`,href:Ge(t,i.step,{split:i.split})};e.title(zt(t),r,{text:Us(
i)});let o=s.siblings??[],u=Gs(s);km(e,t,s),$(e.root,l("div",{class:"bar"},l("h1",{title:n},s.played?Us(i):`Step ${y(i.step)}\
, ${Us(i)}`),Fn(i),l("span",{class:"grow"}),(s.commands??[]).map(p=>nn(p))),s.failure?l("div",{class:"trouble"},l("h2",null,
`Failed: ${Xe(s.failure.class)}`),Re(s.failure.detail??"")):null,s.limit?ym(s.limit):null,o.length>1?Sm(t,s,o):null,l("d\
iv",{class:"episode"},l("div",null,de("Conversation",u),Cm(s),Lm(s),Pm(s),Nc(de("Tokens",$c(s.tokens?.rows,s.played!==void 0)))),
l("aside",null,de("Reward",Ai(s),Tm(s)),_m(s.madness??[]),Em(t,s),de("Time",Rc(s.times??[],s.times_are,bc(u))),$m(s.attempts??
[]),Dc("Environment's state",s.state),Dc("Metadata",s.metadata),tn===void 0?Am(e,t,n):null)))}function ym(e){return l("d\
iv",{class:"trouble truncated"},l("h2",null,`Truncated: ${e.name}${e.value?` = ${e.value}`:""}`),Re(`${e.words[0]?.toUpperCase()??
""}${e.words.slice(1)}.`))}function km(e,t,n){let s=n.siblings??[],i=s.findIndex(o=>o.id===n.episode.id),r=o=>{let u=s[i+
o];u&&(location.hash=Ze(t,u.id))};e.key("ArrowLeft","previous sample",()=>r(-1)),e.key("ArrowRight","next sample",()=>r(
1)),e.key("b","the group side by side",()=>{location.hash=Rs(t,n.episode.group,n.episode.step,n.episode.split)}),e.key("\
o","expand or collapse all calls",()=>{let o=[...document.querySelectorAll(".conversation .message details")],u=!o.some(
p=>p.open);for(let p of o)p.open=u}),e.key("c","copy the terminal command for this episode",()=>{document.querySelector(
"main button.copy")?.click()})}function Sm(e,t,n){let s=t.episode,i=Tt(n.map(r=>r.reward));return l("div",{class:"siblin\
gs"},l("a",{href:Rs(e,s.group,s.step,s.split)},`group ${s.group}`),l("div",{class:"cells"},n.slice(0,300).map(r=>bn(e,r,
i,r.id===s.id))))}function Em(e,t){let n=t.episode;return de("About",fn([["task",l("a",{href:U(["run",e,"episodes"],{task:n.
task}),title:"all episodes of this task"},n.task)],...Mm(t),["turns",y(n.turns)],["tokens",y(n.tokens)],["duration",Ie(n.
seconds)],["status",t.played||!n.standing?null:Xe(n.standing)]]))}function Mm(e){let t=e.episode;return e.played?[["data\
set",e.played.dataset],["policy",e.played.policy],["try",y(t.sample+1)],["environment's seed",e.seeds?.environment]]:[["\
split",t.split==="validation"?"held-out":"training"],["step",y(t.step)],["sample",y(t.sample)]]}function Tm(e){let t=[];
return e.played?null:(e.use&&t.push(`In training: ${Xe(e.use)}.`),e.why&&t.push(`Not trained: ${Xe(e.why)}.`),e.masked&&
!e.use&&t.push("Masked: counts in its group and is not trained."),e.drop_group&&t.push("Group dropped."),t.length>0?l("p",
{class:"dim"},t.join(" ")):null)}function _m(e){return e.length===0?null:de("Failed checks",e.slice(0,100).map(t=>l("p",
null,l("span",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}: ${Xe(t.reason)} in its ${t.part}`,t.near?[",\
 near ",l("code",null,t.near)]:null)))}function Lm(e){return(e.members??[]).length>0?de("Members",Ec(e.members)):null}function Pm(e){
let t=Mc(e);return t===null?null:Nc(de("Calls of the program",t))}function Nc(e){return e.classList.add("late"),e}function Cm(e){
let t=e.own_steps??[];return t.length===0?null:de("Steps of the agent itself",t.slice(0,200).map((n,s)=>Pe(`step ${s+1}`,
()=>Gs({episode:e.episode,messages:n.messages}))))}function $m(e){return e.length<2&&!e.some(t=>t.class)?null:de("Attemp\
ts",e.slice(0,100).map(t=>l("div",{class:"attempt"},l("p",null,l("b",null,y(t.attempt))," ",Fn(t),l("span",{class:"dim"},
t.started?` from ${An(t.started)}`:"",t.seconds===void 0?"":`, ${Ie(t.seconds)}`)),t.detail?Re(t.detail,600):null)))}function Dc(e,t){
return t==null?null:de(e,Pe("show",()=>Re(JSON.stringify(t,null,2))))}function Am(e,t,n){return de("Private part of the \
task",Pe("Show the private part, which can contain the answer",()=>{let s=l("div",null);return Te(e,s,async()=>{let i=await li(
t,n,e.signal);return Re(JSON.stringify("private"in i?i.private:i,null,2))}),s}))}var Hc=100,Rm=["split","solved","same_min","sort"];async function zc(e,t){e.title(zt(t),{text:"tasks"});let n=l("div",null);
$(e.root,l("div",{class:"bar"},l("h1",null,"Tasks")),Dm(e,t),n),await Te(e,n,()=>Om(e,t))}var cl=e=>["run",e,"tasks"];function al(e){
return Object.fromEntries(Rm.flatMap(t=>e.query.get(t)?[[t,e.query.get(t)]]:[]))}function Dm(e,t){let n=o=>e.query.get(o)??
"",s=(o,u)=>{let p=l("select",{name:o,"aria-label":o},u.map(([m,g])=>l("option",{value:m},g)));return p.value=n(o),p},i=l(
"form",{class:"filter",role:"search"},s("split",[["","training and held-out"],["train","training"],["validation","held-o\
ut"]]),s("solved",[["","solved or not"],["never","never solved"],["always","always solved"]]),l("label",{class:"range"},
l("span",null,"same wrong answer, times"),l("input",{name:"same_min",value:n("same_min"),type:"number",min:0,placeholder:"\
from"})),l("button",null,"Filter")),r=()=>{let o=n("sort")?{sort:n("sort")}:{};for(let[u,p]of new FormData(i))typeof p==
"string"&&p.trim()!==""&&(o[u]=p.trim());location.hash=U(cl(t),o)};return i.addEventListener("submit",o=>{o.preventDefault(),
r()}),i.addEventListener("change",o=>{o.target instanceof HTMLSelectElement&&r()}),i}async function Om(e,t){let n=Number(
e.query.get("cursor")??0),s=await Jl(t,{...al(e),limit:Hc,cursor:n||void 0},e.signal);if(s.all===0)return l("p",{class:"\
empty"},"No tasks: no episode has ended.");let i=u=>{u!==void 0&&(location.hash=U(cl(t),{...al(e),cursor:u}))};e.key("n",
"next page",()=>i(s.next));let r=e.query.get("split")??"",o=u=>U(["run",t,"episodes"],{task:u.task,split:r});return[l("p",
{class:"legend"},s.total===s.all?fe(s.all,"task"):`${y(s.total)} of ${fe(s.all,"task")}`),s.tasks.length===0?l("p",{class:"\
empty"},"No matching tasks."):_e(Nm(e,t,o),s.tasks,o),s.total>s.tasks.length?l("div",{class:"pager"},l("button",{disabled:n===
0,onclick:()=>i(String(Math.max(0,n-Hc)))},"\u2190"),l("span",null,`${y(n+1)} to ${y(n+s.tasks.length)} of ${y(s.total)}`),
l("button",{disabled:!s.next,onclick:()=>i(s.next)},"\u2192")):null]}function Nm(e,t,n){let s=e.query.get("sort")??"task",
i=(r,o)=>{let u=s===r?`-${r}`:r,p=s===r?" \u2191":s===`-${r}`?" \u2193":"";return l("a",{class:"quiet",href:U(cl(t),{...al(
e),sort:u})},o+p)};return[{title:i("task","task"),cell:r=>l("a",{class:"short",title:r.task,href:n(r)},r.task)},{title:i(
"tries","tries"),right:!0,cell:r=>y(r.tries)},{title:i("solved","solved"),right:!0,cell:r=>r.judged>0?y(r.solved):"\u2013"},
{title:i("success","success"),right:!0,cell:r=>Je(r.success)},{title:i("reward","reward"),right:!0,cell:r=>y(r.reward)},
{title:i("seconds","duration"),right:!0,cell:r=>Ie(r.seconds)},{title:i("same","same wrong answer"),right:!0,cell:r=>r.same_wrong>
1?`${r.same_wrong} \xD7`:"\u2013"},{title:"last answers",wide:!0,cell:r=>r.answers.map(o=>l("span",{class:"short"},wn(o)))}]}var Hm=240;async function Fc(e,t){e.title(zt(t),{text:"validations"});let n=l("div",null);$(e.root,l("div",{class:"bar"},
l("h1",null,"Validations"),zm(e)),n),await Te(e,n,()=>Vm(e,t))}var Is=()=>{};function zm(e){return e.key("ArrowLeft","pr\
evious validations",()=>Is(-1)),e.key("ArrowRight","next validations",()=>Is(1)),l("span",{class:"turn"},l("button",{title:"\
previous validations (\u2190)","aria-label":"previous validations",onclick:()=>Is(-1)},"\u2190"),l("button",{title:"next\
 validations (\u2192)","aria-label":"next validations",onclick:()=>Is(1)},"\u2192"))}async function Vm(e,t){let n=e.query.
get("cursor")??void 0,s=await Yl(t,n,e.signal);if(s.tasks.length===0)return l("p",{class:"empty"},"This run has no valid\
ations.");let i=l("div",null),r=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/Hm)),o=Math.max(0,s.
steps.length-r()),u=()=>$(i,Fm(t,s,s.steps.slice(o,o+r())));Is=g=>{o=Math.min(Math.max(0,s.steps.length-r()),Math.max(0,
o+g*r())),u()},u();let p=["run",t,"validations"],m=()=>{s.next&&(location.hash=U(p,{cursor:s.next}))};return e.key("n","\
next page",m),[i,s.next||n?l("div",{class:"pager"},l("button",{disabled:!n,onclick:()=>{location.hash=U(p)}},"First page"),
l("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),l("button",{disabled:!s.next,onclick:m},"Next page \u2192")):
null]}function Fm(e,t,n){let s=Tt(t.tasks.flatMap(i=>i.episodes.map(r=>r.reward)));return l("div",{class:"scroll"},l("ta\
ble",{class:"answers"},l("thead",null,l("tr",null,l("th",null,"task"),n.map(i=>l("th",null,l("a",{href:Ge(e,i,{split:"va\
lidation"})},`after step ${y(i)}`))))),l("tbody",null,t.tasks.map(i=>l("tr",{class:"item",data:{href:Vc(e,i.task)}},l("t\
h",null,l("a",{href:Vc(e,i.task)},i.task)),n.map(r=>l("td",null,i.episodes.filter(o=>o.step===r).map(o=>_t(l("a",{class:"\
cell answer",href:Ze(e,o.id)},l("b",null,y(o.reward,3),o.success===!0?" \u2713":""),l("span",null,wn(o.answer)||"no answ\
er")),o.reward,s)))))))))}var Vc=(e,t)=>U(["run",e,"episodes"],{task:t,split:"validation"});var Oi=l("main",{tabindex:"-1"}),dl=l("nav",{class:"crumbs","aria-label":"Breadcrumbs"}),pl=l("span",{class:"connection",
role:"status"}),ul=new AbortController;function jm(){mo(),jc(),Kt(document.body,[l("header",null,l("a",{class:"home",href:U(
[])},"awhost"),dl,pl,l("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>fr()},"?"),l("button",{class:"\
quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:wr},"\u25D0")),Oi]),ao(),dn("j","next item",()=>dr(
1)),dn("k","previous item",()=>dr(-1)),dn("Enter","expand or collapse the item",()=>co()),dn("/","go to the filter",qm),
dn("u","go up one level",Wm),dn("t","light or dark",wr),dn("?","show keys and symbols",()=>fr()),addEventListener("hashc\
hange",()=>{jc(),Di()}),Di()}function jc(){let e=br(location.hash);e&&(lr(e.token),history.replaceState(null,"",e.rest))}
function qm(){Oi.querySelector("[data-filter]")?.focus()}function Wm(){let e=dl.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??U([])}function Di(){if(ul.abort(),ul=new AbortController,oo(),qc("off"),!Gl()){Im();return}let{path:e,
query:t}=gr(tn!==void 0&&/^(#\/?)?$/.test(location.hash)?tn:location.hash),n=Um(t,ul.signal),s=n.root;$(Oi,s),scrollTo(0,
0),Gm(n,e).catch(i=>{n.signal.aborted||$(s,vr(i,Di))})}function Um(e,t){return{root:l("div",{class:"view"}),signal:t,query:e,
key:(n,s,i)=>lo(n,s,()=>{t.aborted||i()}),onLive:(n,s)=>{tn===void 0&&po(n,t,s,i=>{t.aborted||qc(i)})},title:(...n)=>{document.
title=[...n].reverse().map(s=>s.text).concat("awhost").join(" \xB7 "),$(dl,n.map(s=>[l("span",{class:"slash","aria-hidde\
n":"true"},"/"),s.href?l("a",{href:s.href},s.text):l("span",{"aria-current":"page"},s.text)]))}}}async function Gm(e,t){
let[n,s,i,r]=t;if(n===void 0)return bo(e);if(n==="compare")return tc(e);if(n==="run"&&s!==void 0){if(i===void 0)return uc(
e,s);if(i==="step"&&/^\d+$/.test(r??""))return sl(e,s,Number(r));if(i==="episodes")return sl(e,s,void 0);if(i==="group"&&
r!==void 0)return yc(e,s,r);if(i==="episode"&&r!==void 0)return Oc(e,s,r);if(i==="tasks")return zc(e,s);if(i==="validati\
ons")return Fc(e,s)}e.title({text:"not found"}),$(e.root,l("section",{class:"trouble"},l("h2",null,"Page not found."),l(
"p",null,"The address is incomplete or belongs to another version of awhost. ",l("a",{href:U([])},"All runs"))))}function qc(e){
pl.className="connection "+e,$(pl,{live:"live",lost:"no connection, retrying",off:""}[e])}function Im(){let e=l("input",
{type:"password","aria-label":"token",autocomplete:"off",size:40}),t=l("form",null,e,l("button",null,"Open"));t.addEventListener(
"submit",n=>{n.preventDefault();let s=e.value.trim();lr(br(s.slice(Math.max(0,s.indexOf("#"))))?.token??s),Di()}),$(Oi,l(
"section",{class:"trouble"},l("h2",null,"This page needs a token."),l("p",null,"Open the link that awhost ui prints, or \
paste the link or its token here. The token is valid for this tab until you close it."),t)),e.focus()}jm();})();
