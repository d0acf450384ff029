"use strict";(()=>{function Wr(e){let t=e.getElementById("awhost-data");return t?bu(JSON.parse(t.textContent??"{}")):null}function bu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(n,s={})=>vu(n,t.get(wu(n)),s)}}function wu(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function vu(e,t,n){if(t===void 0)return;let s=e.split("/");switch(s.length===
4?s[3]:""){case"episodes":return xu(t.episodes,n);case"steps":{let{steps:i}=t;return{steps:i.filter(l=>l.step>=Number(n.
from)&&l.step<=Number(n.to))}}case"metrics":{let i=new Set([n.name??[]].flat().map(String)),{series:l}=t;return{series:Object.
fromEntries(Object.entries(l).filter(([o])=>i.size===0||i.has(o)))}}}return t}function xu(e,t){let n=["step","split","gr\
oup","task","outcome","class"].filter(p=>t[p]!==void 0),s=e.filter(p=>n.every(m=>String(p[m]??"")===String(t[m]))),i=String(
t.sort??"order"),l=i.replace(/^-/,"");(l==="reward"||l==="turns"||l==="seconds")&&s.sort(yu(l,i.startsWith("-")?-1:1));let o=Number(
t.cursor??0),u=i==="group"?s.length:o+Number(t.limit??100);return{episodes:s.slice(o,u),next:u<s.length?String(u):void 0,
total:s.length}}function yu(e,t){return(n,s)=>{let[i,l]=[n[e],s[e]];return typeof i!="number"||typeof l!="number"?+(typeof l==
"number")-+(typeof i=="number"):t*(i-l)}}function ti(e,t){try{return e().getItem(t)}catch{return null}}function ni(e,t,n){try{e().setItem(t,n)}catch{}}var Ur="awhost-token",rs=Wr(document),ll=rs?"":ti(()=>sessionStorage,Ur)??"";function rl(e){ll=e,ni(()=>sessionStorage,Ur,
e)}function Gr(){return ll!==""||rs!==null}var en=rs?.open,Xt=class extends Error{constructor(n,s,i){super(s);this.status=
n;this.summary=s;this.detail=i}status;summary;detail};function ku(e,t){let n=new URLSearchParams;for(let[i,l]of Object.entries(
t??{}))for(let o of Array.isArray(l)?l:[l])o!==void 0&&o!==""&&n.append(i,String(o));let s=n.toString();return s===""?e:
`${e}?${s}`}async function Ir(e,t,n){if(rs)throw Br();let s;try{s=await fetch(ku(e,t),{signal:n,headers:{Authorization:`\
Bearer ${ll}`},cache:"no-store",credentials:"omit",redirect:"error"})}catch(i){throw n.aborted?i:new Xt(0,"No response f\
rom the server.","Start awhost ui, or the command with --ui, again, and open the link that it prints.")}if(!s.ok)throw await Su(
s);return s}async function Su(e){let t=await e.json().catch(()=>null);return new Xt(e.status,t?.error?.summary??`Server \
error ${e.status}.`,t?.error?.detail??"")}async function St(e,t,n){return rs?Eu(e,t):await(await Ir(e,t,n)).json()}function Eu(e,t){
let n=rs.answer(e,t);if(n!==void 0)return n;throw Br()}function Br(){return new Xt(404,"Not in this file.","To see the w\
hole run, start awhost ui in its directory.")}var It=e=>`api/runs/${encodeURIComponent(e)}`,Kr=(e,t)=>`${It(e)}/episodes\
/${encodeURIComponent(t)}`,si=e=>St("api/runs",void 0,e),Cn=(e,t)=>St(It(e),void 0,t),ii=(e,t,n,s)=>St(`${It(e)}/metrics`,
{name:t,after:n},s),Ls=(e,t,n,s)=>St(`${It(e)}/steps`,{from:t,to:n},s),Ps=(e,t,n)=>St(`${It(e)}/episodes`,t,n),os=(e,t,n)=>St(
Kr(e,t),void 0,n),li=(e,t,n)=>St(`${Kr(e,t)}/private`,void 0,n),Yr=(e,t,n)=>St(`${It(e)}/validations`,{cursor:t},n),Jr=(e,t,n)=>St(
`${It(e)}/tasks`,t,n),ri=(e,t)=>St(`${It(e)}/spec`,void 0,t),Qr=(e,t)=>St(`${It(e)}/waits`,void 0,t),Zr=(e,t)=>Ir(`${It(
e)}/live`,void 0,t);async function Xr(e,t,n){let s=await St("api/compare",{run:[e,t]},n);return"comparison"in s?s.comparison:
s}var Mu=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
no=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,Tu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
_u=/^[\n\t -~]*$/,eo=/\p{M}/u,to=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,ol=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),Lu=4;function cl(e){if(_u.test(e))return[{text:e,escaped:!1}];let t=new al;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function Rt(e){return cl(e).map(t=>t.text).join("")}function Cs(e){return Rt(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var al=class{out=[];shown="";before="";marks=0;take(t,n){let s=t.codePointAt(n);if(s===13&&
t[n+1]===`
`)return 1;if(s===27||s===155){let l=Mu.exec(t.slice(n,n+512));if(l)return this.escape(Pu(l[0])),l[0].length}let i=String.
fromCodePoint(s);return this.isShown(i,t,n+i.length)?(this.marks=eo.test(i)?this.marks+1:0,this.shown+=i,this.before=i):
this.escape(so(s)),i.length}done(){return this.flush(),this.out}isShown(t,n,s){if(t===`
`||t==="	"||!Tu.test(t))return!0;if(eo.test(t)&&!no.test(t))return this.marks<Lu;let i=s<n.length?String.fromCodePoint(n.
codePointAt(s)):"";switch(t){case"\u200D":return to.test(this.before)&&to.test(i)||ol.test(this.before);case"\u200C":return ol.
test(this.before)&&ol.test(i);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function Pu(e){return[...e].map(t=>no.test(t)?so(t.codePointAt(
0)):t).join("")}function so(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function r(e,t,...n){let s=document.createElement(e);for(let[i,l]of Object.entries(t??{}))Cu(s,i,l);return Kt(s,n),s}function Cu(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[s,i]of Object.entries(n))e.style.setProperty(s,i);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":Rt(String(n)))}}function Kt(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?Kt(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(Rt(String(n)))))}function $(e,...t){e.replaceChildren(),Kt(e,t)}var $u=6e3,Au=1e5;
function Re(e,t=$u){let n=r("div",{class:"prose",dir:"auto"}),s=0,i=u=>{let p=Ru(e,Math.min(u,e.length));for(let m of cl(
e.slice(s,p)))n.append(m.escaped?r("span",{class:"escape"},m.text):m.text);s=p};if(i(t),s===e.length)return n;let l=r("b\
utton",{class:"quiet",onclick:()=>{i(s+Au),s===e.length?l.remove():o()}}),o=()=>$(l,`Show more: ${io(e.length-s)} of ${io(
e.length)} characters left`);return o(),r("div",null,n,l)}function io(e){return e.toLocaleString("en")}function Ru(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var oi=new Map,pl=new Map;function ro(e,t,n){oi.set(e,{what:t,act:n})}function dn(e,t,n){pl.set(e,{what:t,act:n})}function oo(){
oi.clear()}function ao(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),ul();return}if(Du(e.target))return;let t=oi.
get(e.key)??pl.get(e.key);t&&(e.preventDefault(),t.act())})}function Du(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function dl(e){let t=[...document.querySelectorAll("main .item")].filter(
i=>i.offsetParent!==null);if(t.length===0)return;let n=t.findIndex(i=>i.classList.contains("current")),s=n<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[s].classList.add("current"),t[s].scrollIntoView(
{block:"nearest"})}function co(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function fl(){
if(ul())return;let e=[...oi,...pl,["Esc",{what:"leave a field, close this dialog"}]],t=r("dialog",{class:"help","aria-la\
bel":"Keys and symbols"},r("h2",null,"Keys"),lo(e.map(([n,s])=>[r("kbd",null,Nu[n]??n),s.what])),r("h2",null,"Symbols an\
d terms"),lo(Ou),r("button",{onclick:()=>ul()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var Ou=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns, or time ended the episode"],["\
\u2260","malformed calls: invalid calls of the policy, which were not executed"],["hatched","no reward, or unknown"],["\u25B2",
"in a chart: a checkpoint, the best one in another color; dashed lines are kills and resumes"],["dropped","no usable att\
empt: the episode is not trained"],["masked","counts in its group and is not trained"],["filtered","excluded from the up\
date: all samples of its group have the same reward"],["digest","checksum of the newest checkpoint: equal digests mean i\
dentical checkpoints"]];function lo(e){return r("table",null,r("tbody",null,e.map(([t,n])=>r("tr",null,r("td",null,t),r(
"td",null,n)))))}var Nu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function ul(){
let e=document.querySelector("dialog.help");return e?.close(),e!==null}var Vu=1e3,uo=45e3;function po(e,t,n,s){zu(e,t,new ml(n,t),s)}async function zu(e,t,n,s){let i=500;for(let l=!0;!t.aborted&&
(await ju(t),!t.aborted);l=!1){try{await Fu(e,t,o=>n.take(o),()=>{s("live"),i=500,l||n.take({kind:"state"})})}catch(o){if(o instanceof
Xt&&o.status>=400&&o.status<500)break}if(t.aborted)break;document.hidden||(s("lost"),await Wu(i,t),i=Math.min(2*i,15e3))}
s("off")}async function Fu(e,t,n,s){let i=new AbortController,l=()=>i.abort(),o=()=>document.hidden&&l();t.addEventListener(
"abort",l,{once:!0}),document.addEventListener("visibilitychange",o);let u=setTimeout(l,uo);try{let m=(await Zr(e,i.signal)).
body.pipeThrough(new TextDecoderStream).getReader();s();for(let g="";;){let{done:b,value:v}=await m.read();if(b)return;clearTimeout(
u),u=setTimeout(l,uo),g=qu(g+v,n)}}finally{clearTimeout(u),t.removeEventListener("abort",l),document.removeEventListener(
"visibilitychange",o),i.abort()}}function qu(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),s=n.pop();for(let i of n){let l=i.split(`
`).filter(o=>o.startsWith("data:")).map(o=>o.slice(5).trimStart()).join(`
`);if(l!=="")try{t(JSON.parse(l))}catch{t({kind:"state"})}}return s}var ml=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},Vu)}};function ju(e){return new Promise(t=>{let n=()=>{document.hidden&&
!e.aborted||(document.removeEventListener("visibilitychange",n),e.removeEventListener("abort",n),t())};document.addEventListener(
"visibilitychange",n),e.addEventListener("abort",n),n()})}function Wu(e,t){return new Promise(n=>{let s=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(s),n()},{once:!0})})}function gl(e){let[t="",n=""]=Uu(e.replace(/^#/,""));return{path:t.split("/").filter(s=>s!=="").map(hl),query:new URLSearchParams(
n)}}function Uu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function hl(e){try{return decodeURIComponent(
e)}catch{return e}}function U(e,t={}){let n=new URLSearchParams;for(let[i,l]of Object.entries(t))for(let o of Array.isArray(
l)?l:[l])o!==void 0&&o!==""&&n.append(i,String(o));let s=n.toString();return"#/"+e.map(i=>encodeURIComponent(i)).join("/")+
(s?"?"+s:"")}var $n=e=>U(["run",e]),Ge=(e,t,n={})=>U(["run",e,"step",t],n),Ze=(e,t)=>U(["run",e,"episode",t]),$s=(e,t,n,s)=>U(
["run",e,"group",t],{step:n,split:s});function bl(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:hl(
t[1]),rest:"#"+(t[2]?hl(t[2]):"/")};let{path:n,query:s}=gl(e),i=s.get("token");if(i===null)return null;s.delete("token");
let l=s.toString();return{token:i,rest:"#/"+n.map(encodeURIComponent).join("/")+(l?"?"+l:"")}}var fo="awhost-theme";function Gu(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function mo(){let e=ti(()=>localStorage,fo);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function wl(){let e=Gu()?"light":"dark";ni(()=>localStorage,fo,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function ho(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function tn(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function vl(e,t){let[n,s]=e instanceof Xt?[e.summary,e.detail]:["This part of the page cannot be displayed.",e instanceof
Error?e.message:String(e)];return r("section",{class:"trouble",role:"alert"},r("h2",null,n),r("p",null,s),r("button",{onclick:t},
"Try again"))}async function Te(e,t,n){t.setAttribute("aria-busy","true");let s=setTimeout(()=>$(t,r("p",{class:"dim"},"\
Loading \u2026")),200);try{let i=await n();e.signal.aborted||$(t,i)}catch(i){e.signal.aborted||$(t,vl(i,()=>{Te(e,t,n)}))}finally{
clearTimeout(s),t.removeAttribute("aria-busy")}}function de(e,...t){let n=r("section",{class:"panel"},r("h2",null,e));return Kt(
n,t),n}function Pe(e,t,n=!1,s=""){let i=r("details",{class:"fold "+s},r("summary",null,e)),l=!1,o=()=>{l||!i.open||(l=!0,
Kt(i,[t()]))};return i.addEventListener("toggle",o),n&&(i.open=!0,o()),i}function _e(e,t,n){let s=l=>[l.right?"right":"",
l.wide?"wide":"",l.half?"half":""].join(" ").trim()||void 0,i=r("tbody",null,t.map(l=>{let o=r("tr",null,e.map(u=>r("td",
{class:s(u)},u.cell(l))));return n&&(o.classList.add("item"),o.dataset.href=n(l)),o}));return r("div",{class:"scroll"},r(
"table",null,r("thead",null,r("tr",null,e.map(l=>r("th",{class:s(l)},l.title)))),i))}function fn(e){return r("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>r("div",null,r("dt",null,t),r("dd",null,n))))}function nn(e,t=e){
let n=r("span",null,t),s=r("button",{class:"copy",title:"copy: "+e},n);return s.addEventListener("click",()=>{Iu(e).then(
i=>{s.classList.add("done"),$(n,i?"copied":"not copied: select the text"),setTimeout(()=>{$(n,t),s.classList.remove("don\
e")},1200)})}),s}async function Iu(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var go="unknown";function y(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return ai(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?ai(e.toExponential(2)):ai(String(Number(e.toPrecision(t))))}function ai(e){return e.replace(/^-/,"\u2212")}function Ye(e){
return e==null||!Number.isFinite(e)?"\u2013":ai((100*e).toFixed(1))+" %"}function Dt(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function mn(e){
return e==null?"\u2013":e<1?`${y(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Ie(e/1e3)}function Ie(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return Bu(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,s]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${s} min`:`${s} min ${t%60} s`}function Bu(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function An(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=s=>String(
s).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function ci(e,t){return e?Ie(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function fe(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Xe(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var Rn=50,Ku=5e3;async function bo(e){e.title();let t=new Set,n=r("div",null),s=r("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),i=r("button",{disabled:!0,onclick:()=>l()},"Comp\
are");$(e.root,r("div",{class:"bar"},r("h1",null,"Runs"),s,i),n);let l=()=>{let v=o.filter(S=>t.has(S.name)).sort((S,L)=>(S.
started??"").localeCompare(L.started??""));v.length>1&&(location.hash=U(["compare"],{run:v.map(S=>S.name)}))};e.key("c",
"compare the selected runs",l),e.key("x","select the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let o=[],u=0,p=()=>$(n,m()),m=()=>{let v=s.value.trim().toLowerCase(),S=o.filter(D=>v===""||Ju(D).includes(v));
u=Math.min(u,Math.max(0,Math.ceil(S.length/Rn)-1));let L=D=>{let j=r("input",{type:"checkbox","aria-label":`compare ${D.
name}`,checked:t.has(D.name)});return j.addEventListener("change",()=>{j.checked?t.add(D.name):t.delete(D.name),i.disabled=
t.size<2,$(i,t.size<2?"Compare":`Compare ${t.size} runs`)}),j},P=D=>{u+=D,p()};return[S.length===0?Qu(o.length):Zu(S.slice(
u*Rn,(u+1)*Rn),L),S.length>Rn?r("div",{class:"pager"},r("button",{disabled:u===0,onclick:()=>P(-1)},"\u2190 Newer"),r("s\
pan",null,`${u*Rn+1} to ${Math.min(S.length,(u+1)*Rn)} of ${S.length}`),r("button",{disabled:(u+1)*Rn>=S.length,onclick:()=>P(
1)},"Older \u2192")):null]};s.addEventListener("input",()=>{u=0,p()});let g=async()=>{o=(await si(e.signal)).runs};await Te(
e,n,async()=>(await g(),m()));let b=setInterval(()=>{!o.some(v=>v.live)||document.hidden||n.contains(document.activeElement)||
g().then(()=>Yu(p),()=>{})},Ku);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function Yu(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll("tr.item"))n.dataset.href===
t&&n.classList.add("current")}function Ju(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function Qu(e){return e>0?r("p",{class:"empty"},"No matching runs."):de("No runs yet",r("p",null,
"Start a run in this directory: "),nn("awhost apply"))}function Zu(e,t){let n=e.some(s=>s.machine);return _e([{title:"",
cell:t},{title:"run",cell:s=>r("a",{class:"short",href:$n(s.name),title:s.name},s.name)},{title:"status",cell:s=>[As(s),
s.reason?r("div",{class:"reason dim",title:s.reason},s.reason):null]},{title:"step",right:!0,cell:Xu},{title:"reward",right:!0,
cell:s=>y(s.reward)},{title:"held-out success",right:!0,cell:Rs},{title:"stage",cell:s=>s.stage??"\u2013"},{title:"adapt\
er",cell:s=>s.adapter??"\u2013"},{title:"spec",wide:!0,cell:s=>s.problem?r("span",{class:"bad"},s.problem):s.spec},...n?
[{title:"machine",cell:s=>s.machine??"\u2013"}]:[],{title:"started",cell:s=>An(s.started)},{title:"duration",right:!0,cell:s=>s.
live||s.ended?ci(s.started,s.live?void 0:s.ended):"\u2013"},{title:"disk",right:!0,cell:s=>Dt(s.disk_bytes)}],e,s=>$n(s.
name))}function As(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"live":t?"bad":e.status==="finished"?"goo\
d":"warn",s=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;return r("span",{class:"\
badge "+n},s)}function Xu(e){if(e.step<0)return"\u2013";let t=e.steps?r("progress",{value:e.step,max:e.steps,"aria-hidde\
n":"true"}):null;return[r("span",null,y(e.step),e.steps?r("span",{class:"dim"},` of ${y(e.steps)}`):null),t]}function Rs(e){
if(e.success_after===void 0&&e.success_before===void 0)return"\u2013";if(e.success_after===void 0)return[Ye(e.success_before),
r("span",{class:"dim"}," before")];if(e.success_before===void 0)return Ye(e.success_after);let t=e.live||e.success_after>
e.success_before||e.success_after===1,n=Ye(e.success_after);return[r("span",{class:"dim"},`${Ye(e.success_before)} \u2192 `),
t?n:r("span",{class:"badge warn",title:"not better than at the first validation"},n)]}var ep="uplot",tp="u-hz",np="u-vt",sp="u-title",ip="u-wrap",lp="u-under",rp="u-over",op="u-axis",Nn="u-off",ap="u-select",
cp="u-cursor-x",up="u-cursor-y",pp="u-cursor-pt",dp="u-legend",fp="u-live",mp="u-inline",hp="u-series",gp="u-marker",wo="\
u-label",bp="u-value",Os="width",Ns="height";var vo="bottom",as="left",xl="right",Hl="#000",xo=Hl+"0",yl="mousemove",yo="mousedown",kl="mouseup",ko="mouseenter",So="\
mouseleave",Eo="dblclick",wp="resize",vp="scroll",Mo="change",mi="dppxchange",Vl="--",hs=typeof window<"u",_l=hs?document:
null,us=hs?window:null,xp=hs?navigator:null,ce,ui;function Ll(){let e=devicePixelRatio;ce!=e&&(ce=e,ui&&Cl(Mo,ui,Ll),ui=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),Hn(Mo,ui,Ll),us.dispatchEvent(new CustomEvent(
mi)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Pl(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function ke(e,t,n){e.style[t]=n+"px"}function Ot(e,t,n,s){let i=_l.createElement(e);return t!=null&&mt(i,
t),n?.insertBefore(i,s),i}function Et(e,t){return Ot("div",e,t)}var To=new WeakMap;function Yt(e,t,n,s,i){let l="transla\
te("+t+"px,"+n+"px)",o=To.get(e);l!=o&&(e.style.transform=l,To.set(e,l),t<0||n<0||t>s||n>i?mt(e,Nn):Pl(e,Nn))}var _o=new WeakMap;
function Lo(e,t,n){let s=t+n,i=_o.get(e);s!=i&&(_o.set(e,s),e.style.background=t,e.style.borderColor=n)}var Po=new WeakMap;
function Co(e,t,n,s){let i=t+""+n,l=Po.get(e);i!=l&&(Po.set(e,i),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
s?-t/2+"px":0,e.style.marginTop=s?-n/2+"px":0)}var zl={passive:!0},yp={...zl,capture:!0};function Hn(e,t,n,s){t.addEventListener(
e,n,s?yp:zl)}function Cl(e,t,n,s){t.removeEventListener(e,n,zl)}hs&&Ll();function Nt(e,t,n,s){let i;n=n||0,s=s||t.length-
1;let l=s<=2147483647;for(;s-n>1;)i=l?n+s>>1:ht((n+s)/2),t[i]<e?n=i:s=i;return e-t[n]<=t[s]-e?n:s}function ia(e){return(n,s,i)=>{
let l=-1,o=-1;for(let u=s;u<=i;u++)if(e(n[u])){l=u;break}for(let u=i;u>=s;u--)if(e(n[u])){o=u;break}return[l,o]}}var la=e=>e!=
null,ra=e=>e!=null&&e>0,bi=ia(la),kp=ia(ra);function Sp(e,t,n,s=0,i=!1){let l=i?kp:bi,o=i?ra:la;[t,n]=l(e,t,n);let u=e[t],
p=e[t];if(t>-1)if(s==1)u=e[t],p=e[n];else if(s==-1)u=e[n],p=e[t];else for(let m=t;m<=n;m++){let g=e[m];o(g)&&(g<u?u=g:g>
p&&(p=g))}return[u??ge,p??-ge]}function wi(e,t,n,s){let i=Ro(e),l=Ro(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?
sn:oa,u=i==1?ht:Mt,p=l==1?Mt:ht,m=u(o(Ve(e))),g=p(o(Ve(t))),b=ps(n,m),v=ps(n,g);return n==10&&(m<0&&(b=be(b,-m)),g<0&&(v=
be(v,-g))),s||n==2?(e=b*i,t=v*l):(e=pa(e,b),t=vi(t,v)),[e,t]}function Fl(e,t,n,s){let i=wi(e,t,n,s);return e==0&&(i[0]=0),
t==0&&(i[1]=0),i}var ql=.1,$o={mode:3,pad:ql},Vs={pad:0,soft:null,mode:0},Ep={min:Vs,max:Vs};function hi(e,t,n,s){return xi(
n)?Ao(e,t,n):(Vs.pad=n,Vs.soft=s?0:null,Vs.mode=s?3:0,Ao(e,t,Ep))}function oe(e,t){return e??t}function Mp(e,t,n){for(t=
oe(t,0),n=oe(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Ao(e,t,n){let s=n.min,i=n.max,l=oe(s.pad,
0),o=oe(i.pad,0),u=oe(s.hard,-ge),p=oe(i.hard,ge),m=oe(s.soft,ge),g=oe(i.soft,-ge),b=oe(s.mode,0),v=oe(i.mode,0),S=t-e,L=sn(
S),P=lt(Ve(e),Ve(t)),D=sn(P),j=Ve(D-L);(S<1e-24||j>10)&&(S=0,(e==0||t==0)&&(S=1e-24,b==2&&m!=ge&&(l=0),v==2&&g!=-ge&&(o=
0)));let M=S||P||1e3,W=sn(M),T=ps(10,ht(W)),Z=M*(S==0?e==0?.1:1:l),N=be(pa(e-Z,T/10),24),X=e>=m&&(b==1||b==3&&N<=m||b==2&&
N>=m)?m:ge,Y=lt(u,N<X&&e>=X?X:Ht(X,N)),ne=M*(S==0?t==0?.1:1:o),K=be(vi(t+ne,T/10),24),_=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-ge,Q=Ht(p,K>_&&t<=_?_:lt(_,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var Tp=new Intl.NumberFormat(hs?xp.language:"en-US"),
jl=e=>Tp.format(e),gt=Math,fi=gt.PI,Ve=gt.abs,ht=gt.floor,He=gt.round,Mt=gt.ceil,Ht=gt.min,lt=gt.max,ps=gt.pow,Ro=gt.sign,
sn=gt.log10,oa=gt.log2,_p=(e,t=1)=>gt.sinh(e)*t,Sl=(e,t=1)=>gt.asinh(e/t),ge=1/0;function Do(e){return(sn((e^e>>31)-(e>>
31))|0)+1}function $l(e,t,n){return Ht(lt(e,t),n)}function aa(e){return typeof e=="function"}function se(e){return aa(e)?
e:()=>e}var Lp=()=>{},ca=e=>e,ua=(e,t)=>t,Pp=e=>null,Oo=e=>!0,No=(e,t)=>e==t,Cp=/\.\d*?(?=9{6,}|0{6,})/gm,Vn=e=>{if(fa(e)||
gn.has(e))return e;let t=`${e}`,n=t.match(Cp);if(n==null)return e;let s=n[0].length-1;if(t.indexOf("e-")!=-1){let[i,l]=t.
split("e");return+`${Vn(i)}e${l}`}return be(e,s)};function Dn(e,t){return Vn(be(Vn(e/t))*t)}function vi(e,t){return Vn(Mt(
Vn(e/t))*t)}function pa(e,t){return Vn(ht(Vn(e/t))*t)}function be(e,t=0){if(fa(e))return e;let n=10**t,s=e*n*(1+Number.EPSILON);
return He(s)/n}var gn=new Map;function da(e){return((""+e).split(".")[1]||"").length}function Fs(e,t,n,s){let i=[],l=s.map(
da);for(let o=t;o<n;o++){let u=Ve(o),p=be(ps(e,o),u);for(let m=0;m<s.length;m++){let g=e==10?+`${s[m]}e${o}`:s[m]*p,b=(o>=
0?0:u)+(o>=l[m]?0:l[m]),v=e==10?g:be(g,b);i.push(v),gn.set(v,b)}}return i}var zs={},Wl=[],ds=[null,null],hn=Array.isArray,
fa=Number.isInteger,$p=e=>e===void 0;function Ho(e){return typeof e=="string"}function xi(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function Ap(e){return e!=null&&typeof e=="object"}var Rp=Object.getPrototypeOf(
Uint8Array),ma="__proto__";function fs(e,t=xi){let n;if(hn(e)){let s=e.find(i=>i!=null);if(hn(s)||t(s)){n=Array(e.length);
for(let i=0;i<e.length;i++)n[i]=fs(e[i],t)}else n=e.slice()}else if(e instanceof Rp)n=e.slice();else if(t(e)){n={};for(let s in e)
s!=ma&&(n[s]=fs(e[s],t))}else n=e;return n}function De(e){let t=arguments;for(let n=1;n<t.length;n++){let s=t[n];for(let i in s)
i!=ma&&(xi(e[i])?De(e[i],fs(s[i])):e[i]=fs(s[i]))}return e}var Dp=0,Op=1,Np=2;function Hp(e,t,n){for(let s=0,i,l=-1;s<t.
length;s++){let o=t[s];if(o>l){for(i=o-1;i>=0&&e[i]==null;)e[i--]=null;for(i=o+1;i<n&&e[i]==null;)e[l=i++]=null}}}function Vp(e,t){
if(qp(e)){let o=e[0].slice();for(let u=1;u<e.length;u++)o.push(...e[u].slice(1));return jp(o[0])||(o=Fp(o)),o}let n=new Set;
for(let o=0;o<e.length;o++){let p=e[o][0],m=p.length;for(let g=0;g<m;g++)n.add(p[g])}let s=[Array.from(n).sort((o,u)=>o-
u)],i=s[0].length,l=new Map;for(let o=0;o<i;o++)l.set(s[0][o],o);for(let o=0;o<e.length;o++){let u=e[o],p=u[0];for(let m=1;m<
u.length;m++){let g=u[m],b=Array(i).fill(void 0),v=t?t[o][m]:Op,S=[];for(let L=0;L<g.length;L++){let P=g[L],D=l.get(p[L]);
P===null?v!=Dp&&(b[D]=P,v==Np&&S.push(D)):b[D]=P}Hp(b,S,i),s.push(b)}}return s}var zp=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function Fp(e){let t=e[0],n=t.length,s=Array(n);for(let l=0;l<s.length;l++)s[l]=l;s.sort(
(l,o)=>t[l]-t[o]);let i=[];for(let l=0;l<e.length;l++){let o=e[l],u=Array(n);for(let p=0;p<n;p++)u[p]=o[s[p]];i.push(u)}
return i}function qp(e){let t=e[0][0],n=t.length;for(let s=1;s<e.length;s++){let i=e[s][0];if(i.length!=n)return!1;if(i!=
t){for(let l=0;l<n;l++)if(i[l]!=t[l])return!1}}return!0}function jp(e,t=100){let n=e.length;if(n<=1)return!0;let s=0,i=n-
1;for(;s<=i&&e[s]==null;)s++;for(;i>=s&&e[i]==null;)i--;if(i<=s)return!0;let l=lt(1,ht((i-s+1)/t));for(let o=e[s],u=s+l;u<=
i;u+=l){let p=e[u];if(p!=null){if(p<=o)return!1;o=p}}return!0}var ha=["January","February","March","April","May","June",
"July","August","September","October","November","December"],ga=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function ba(e){return e.slice(0,3)}var Wp=ga.map(ba),Up=ha.map(ba),Gp={MMMM:ha,MMM:Up,WWWW:ga,WWW:Wp};function Ds(e){
return(e<10?"0":"")+e}function Ip(e){return(e<10?"00":e<100?"0":"")+e}var Bp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Ds(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Ds(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Ds(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Ds(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Ds(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>Ip(e.getMilliseconds())};function Ul(e,t){t=t||Gp;let n=[],s=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=s.exec(
e);)n.push(i[0][0]=="{"?Bp[i[1]]:i[0]);return l=>{let o="";for(let u=0;u<n.length;u++)o+=typeof n[u]=="string"?n[u]:n[u](
l,t);return o}}var Kp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Yp(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Kp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var wa=e=>e%1==0,gi=[1,2,2.5,5],Jp=Fs(10,-32,0,gi),va=Fs(10,0,32,gi),Qp=va.filter(wa),On=Jp.concat(
va),Gl=`
`,xa="{YYYY}",Vo=Gl+xa,ya="{M}/{D}",Hs=Gl+ya,pi=Hs+"/{YY}",ka="{aa}",Zp="{h}:{mm}",cs=Zp+ka,zo=Gl+cs,Fo=":{ss}",pe=null;
function Sa(e){let t=e*1e3,n=t*60,s=n*60,i=s*24,l=i*30,o=i*365,p=(e==1?Fs(10,0,3,gi).filter(wa):Fs(10,-3,0,gi)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,s,s*2,s*3,s*4,s*6,s*8,s*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,l,l*2,l*
3,l*4,l*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),m=[[o,xa,pe,pe,pe,pe,pe,pe,1],[i*28,"{MMM}",Vo,pe,pe,pe,pe,pe,1],[i,ya,Vo,pe,
pe,pe,pe,pe,1],[s,"{h}"+ka,pi,pe,Hs,pe,pe,pe,1],[n,cs,pi,pe,Hs,pe,pe,pe,1],[t,Fo,pi+" "+cs,pe,Hs+" "+cs,pe,zo,pe,1],[e,Fo+
".{fff}",pi+" "+cs,pe,Hs+" "+cs,pe,zo,pe,1]];function g(b){return(v,S,L,P,D,j)=>{let M=[],W=D>=o,T=D>=l&&D<o,Z=b(L),N=be(
Z*e,3),X=El(Z.getFullYear(),W?0:Z.getMonth(),T||W?1:Z.getDate()),Y=be(X*e,3);if(T||W){let ne=T?D/l:0,K=W?D/o:0,_=N==Y?N:
be(El(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(He(_/e)),H=Q.getFullYear(),I=Q.getMonth();for(let q=0;_<=P;q++){
let ie=El(H+K*q,I+ne*q,1),F=ie-b(be(ie*e,3));_=be((+ie+F)*e,3),_<=P&&M.push(_)}}else{let ne=D>=i?i:D,K=ht(L)-ht(N),_=Y+K+
vi(N-Y,ne);M.push(_);let Q=b(_),H=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/s,I=D/s,q=v.axes[S]._space,ie=j/q;for(;_=
be(_+D,e==1?0:3),!(_>P);)if(I>1){let F=ht(be(H+I,6))%24,le=b(_).getHours()-F;le>1&&(le=-1),_-=le*s,H=(H+I)%24;let me=M[M.
length-1];be((_-me)/D,3)*ie>=.7&&M.push(_)}else M.push(_)}return M}}return[p,m,g]}var[Xp,ed,td]=Sa(1),[nd,sd,id]=Sa(.001);
Fs(2,-53,53,[1]);function qo(e,t){return e.map(n=>n.map((s,i)=>i==0||i==8||s==null?s:t(i==1||n[8]==0?s:n[1]+s)))}function jo(e,t){
return(n,s,i,l,o)=>{let u=t.find(L=>o>=L[0])||t[t.length-1],p,m,g,b,v,S;return s.map(L=>{let P=e(L),D=P.getFullYear(),j=P.
getMonth(),M=P.getDate(),W=P.getHours(),T=P.getMinutes(),Z=P.getSeconds(),N=D!=p&&u[2]||j!=m&&u[3]||M!=g&&u[4]||W!=b&&u[5]||
T!=v&&u[6]||Z!=S&&u[7]||u[1];return p=D,m=j,g=M,b=W,v=T,S=Z,N(P)})}}function ld(e,t){let n=Ul(t);return(s,i,l,o,u)=>i.map(
p=>n(e(p)))}function El(e,t,n){return new Date(e,t,n)}function Wo(e,t){return t(e)}var rd="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Uo(e,t){return(n,s,i,l)=>l==null?Vl:t(e(s))}function od(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function ad(e,t){return e.series[t].fill(e,t)}var cd={show:!0,live:!0,isolate:!1,mount:Lp,
markers:{show:!0,width:2,stroke:od,fill:ad,dash:"solid"},idx:null,idxs:null,values:[]};function ud(e,t){let n=e.cursor.points,
s=Et(),i=n.size(e,t);ke(s,Os,i),ke(s,Ns,i);let l=i/-2;ke(s,"marginLeft",l),ke(s,"marginTop",l);let o=n.width(e,t,i);return o&&
ke(s,"borderWidth",o),s}function pd(e,t){let n=e.series[t].points;return n._fill||n._stroke}function dd(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function fd(e,t){return e.series[t].points.size}var Ml=[0,0];function md(e,t,n){return Ml[0]=
t,Ml[1]=n,Ml}function di(e,t,n,s=!0){return i=>{i.button==0&&(!s||i.target==t)&&n(i)}}function Tl(e,t,n,s=!0){return i=>{
(!s||i.target==t)&&n(i)}}var hd={show:!0,x:!0,y:!0,lock:!1,move:md,points:{one:!1,show:ud,size:fd,width:0,stroke:dd,fill:pd},
bind:{mousedown:di,mouseup:di,click:di,dblclick:di,mousemove:Tl,mouseleave:Tl,mouseenter:Tl},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,s,i)=>s-
i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ea={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Il=De({},Ea,{filter:ua}),Ma=De({},Il,{size:10}),Ta=De({},Ea,{show:!1}),Bl='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',_a="bold "+Bl,La=1.5,Go={show:!0,scale:"x",stroke:Hl,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:_a,side:2,grid:Il,ticks:Ma,border:Ta,font:Bl,lineGap:La,rotate:0},gd="\
Value",bd="Time",Io={show:!0,scale:"x",auto:!1,sorted:1,min:ge,max:-ge,idxs:[]};function wd(e,t,n,s,i){return t.map(l=>l==
null?"":jl(l))}function vd(e,t,n,s,i,l,o){let u=[],p=gn.get(i)||0;n=o?n:be(vi(n,i),p);for(let m=n;m<=s;m=be(m+i,p))u.push(
Object.is(m,-0)?0:m);return u}function Al(e,t,n,s,i,l,o){let u=[],p=e.scales[e.axes[t].scale].log,m=p==10?sn:oa,g=ht(m(n));
i=ps(p,g),p==10&&(i=On[Nt(i,On)]);let b=n,v=i*p;p==10&&(v=On[Nt(v,On)]);do u.push(b),b=b+i,p==10&&!gn.has(b)&&(b=be(b,gn.
get(i))),b>=v&&(i=b,v=i*p,p==10&&(v=On[Nt(v,On)]));while(b<=s);return u}function xd(e,t,n,s,i,l,o){let p=e.scales[e.axes[t].
scale].asinh,m=s>p?Al(e,t,lt(p,n),s,i):[p],g=s>=0&&n<=0?[0]:[];return(n<-p?Al(e,t,lt(p,-s),-n,i):[p]).reverse().map(v=>-v).
concat(g,m)}var Pa=/./,yd=/[12357]/,kd=/[125]/,Bo=/1/,Rl=(e,t,n,s)=>e.map((i,l)=>t==4&&i==0||l%s==0&&n.test(i.toExponential()[i<
0?1:0])?i:null);function Sd(e,t,n,s,i){let l=e.axes[n],o=l.scale,u=e.scales[o],p=e.valToPos,m=l._space,g=p(10,o),b=p(9,o)-
g>=m?Pa:p(7,o)-g>=m?yd:p(5,o)-g>=m?kd:Bo;if(b==Bo){let v=Ve(p(1,o)-g);if(v<m)return Rl(t.slice().reverse(),u.distr,b,Mt(
m/v)).reverse()}return Rl(t,u.distr,b,1)}function Ed(e,t,n,s,i){let l=e.axes[n],o=l.scale,u=l._space,p=e.valToPos,m=Ve(p(
1,o)-p(2,o));return m<u?Rl(t.slice().reverse(),3,Pa,Mt(u/m)).reverse():t}function Md(e,t,n,s){return s==null?Vl:t==null?
"":jl(t)}var Ko={show:!0,scale:"y",stroke:Hl,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:_a,side:3,
grid:Il,ticks:Ma,border:Ta,font:Bl,lineGap:La,rotate:0};function Td(e,t){let n=3+(e||1)*2;return be(n*t,3)}function _d(e,t){
let{scale:n,idxs:s}=e.series[0],i=e._data[0],l=e.valToPos(i[s[0]],n,!0),o=e.valToPos(i[s[1]],n,!0),u=Ve(o-l),p=e.series[t],
m=u/(p.points.space*ce);return s[1]-s[0]<=m}var Yo={scale:null,auto:!0,sorted:0,min:ge,max:-ge},Ca=(e,t,n,s,i)=>i,Jo={show:!0,
auto:!0,sorted:0,gaps:Ca,alpha:1,facets:[De({},Yo,{scale:"x"}),De({},Yo,{scale:"y"})]},Qo={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:Ca,alpha:1,points:{show:_d,filter:null},values:null,min:ge,max:-ge,idxs:[],path:null,clip:null};function Ld(e,t,n,s,i){
return n/10}var $a={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Pd=De({},$a,{time:!1,ori:1}),Zo={};
function Aa(e,t){let n=Zo[e];return n||(n={key:e,plots:[],sub(s){n.plots.push(s)},unsub(s){n.plots=n.plots.filter(i=>i!=
s)},pub(s,i,l,o,u,p,m){for(let g=0;g<n.plots.length;g++)n.plots[g]!=i&&n.plots[g].pub(s,i,l,o,u,p,m)}},e!=null&&(Zo[e]=n)),
n}var ms=1,Dl=2;function zn(e,t,n){let s=e.mode,i=e.series[t],l=s==2?e._data[t]:e._data,o=e.scales,u=e.bbox,p=l[0],m=s==
2?l[1]:l[t],g=s==2?o[i.facets[0].scale]:o[e.series[0].scale],b=s==2?o[i.facets[1].scale]:o[i.scale],v=u.left,S=u.top,L=u.
width,P=u.height,D=e.valToPosH,j=e.valToPosV;return g.ori==0?n(i,p,m,g,b,D,j,v,S,L,P,ki,gs,Ei,Da,Na):n(i,p,m,g,b,j,D,S,v,
P,L,Si,bs,Jl,Oa,Ha)}function Kl(e,t){let n=0,s=0,i=oe(e.bands,Wl);for(let l=0;l<i.length;l++){let o=i[l];o.series[0]==t?
n=o.dir:o.series[1]==t&&(o.dir==1?s|=1:s|=2)}return[n,s==1?-1:s==2?1:s==3?2:0]}function Cd(e,t,n,s,i){let l=e.mode,o=e.series[t],
u=l==2?o.facets[1].scale:o.scale,p=e.scales[u];return i==-1?p.min:i==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function ln(e,t,n,s,i,l){
return zn(e,t,(o,u,p,m,g,b,v,S,L,P,D)=>{let j=o.pxRound,M=m.dir*(m.ori==0?1:-1),W=m.ori==0?gs:bs,T,Z;M==1?(T=n,Z=s):(T=s,
Z=n);let N=j(b(u[T],m,P,S)),X=j(v(p[T],g,D,L)),Y=j(b(u[Z],m,P,S)),ne=j(v(l==1?g.max:g.min,g,D,L)),K=new Path2D(i);return W(
K,Y,ne),W(K,N,ne),W(K,N,X),K})}function yi(e,t,n,s,i,l){let o=null;if(e.length>0){o=new Path2D;let u=t==0?Ei:Jl,p=n;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let S=v[0]-p;S>0&&u(o,p,s,S,s+l),p=v[1]}}let m=n+i-p,g=10;m>0&&u(o,p,s-g/2,m,s+l+
g)}return o}function $d(e,t,n){let s=e[e.length-1];s&&s[0]==t?s[1]=n:e.push([t,n])}function Yl(e,t,n,s,i,l,o){let u=[],p=e.
length;for(let m=i==1?n:s;m>=n&&m<=s;m+=i)if(t[m]===null){let b=m,v=m;if(i==1)for(;++m<=s&&t[m]===null;)v=m;else for(;--m>=
n&&t[m]===null;)v=m;let S=l(e[b]),L=v==b?S:l(e[v]),P=b-i;S=o<=0&&P>=0&&P<p?l(e[P]):S;let j=v+i;L=o>=0&&j>=0&&j<p?l(e[j]):
L,L>=S&&u.push([S,L])}return u}function Xo(e){return e==0?ca:e==1?He:t=>Dn(t,e)}function Ra(e){let t=e==0?ki:Si,n=e==0?(i,l,o,u,p,m)=>{
i.arcTo(l,o,u,p,m)}:(i,l,o,u,p,m)=>{i.arcTo(o,l,p,u,m)},s=e==0?(i,l,o,u,p)=>{i.rect(l,o,u,p)}:(i,l,o,u,p)=>{i.rect(o,l,p,
u)};return(i,l,o,u,p,m=0,g=0)=>{m==0&&g==0?s(i,l,o,u,p):(m=Ht(m,u/2,p/2),g=Ht(g,u/2,p/2),t(i,l+m,o),n(i,l+u,o,l+u,o+p,m),
n(i,l+u,o+p,l,o+p,g),n(i,l,o+p,l,o,g),n(i,l,o,l+u,o,m),i.closePath())}}var ki=(e,t,n)=>{e.moveTo(t,n)},Si=(e,t,n)=>{e.moveTo(
n,t)},gs=(e,t,n)=>{e.lineTo(t,n)},bs=(e,t,n)=>{e.lineTo(n,t)},Ei=Ra(0),Jl=Ra(1),Da=(e,t,n,s,i,l)=>{e.arc(t,n,s,i,l)},Oa=(e,t,n,s,i,l)=>{
e.arc(n,t,s,i,l)},Na=(e,t,n,s,i,l,o)=>{e.bezierCurveTo(t,n,s,i,l,o)},Ha=(e,t,n,s,i,l,o)=>{e.bezierCurveTo(n,t,i,s,o,l)};
function Va(e){return(t,n,s,i,l)=>zn(t,n,(o,u,p,m,g,b,v,S,L,P,D)=>{let{pxRound:j,points:M}=o,W,T;m.ori==0?(W=ki,T=Da):(W=
Si,T=Oa);let Z=be(M.width*ce,3),N=(M.size-M.width)/2*ce,X=be(N*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:_,width:Q,height:H}=t.
bbox;Ei(ne,K-X,_-X,Q+X*2,H+X*2);let I=q=>{if(p[q]!=null){let ie=j(b(u[q],m,P,S)),F=j(v(p[q],g,D,L));W(Y,ie+N,F),T(Y,ie,F,
N,0,fi*2)}};if(l)l.forEach(I);else for(let q=s;q<=i;q++)I(q);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:ms|Dl}})}function za(e){
return(t,n,s,i,l,o)=>{s!=i&&(l!=s&&o!=s&&e(t,n,s),l!=i&&o!=i&&e(t,n,i),e(t,n,o))}}var Ad=za(gs),Rd=za(bs);function Fa(e){
let t=oe(e?.alignGaps,0);return(n,s,i,l)=>zn(n,s,(o,u,p,m,g,b,v,S,L,P,D)=>{[i,l]=bi(p,i,l);let j=o.pxRound,M=H=>j(b(H,m,
P,S)),W=H=>j(v(H,g,D,L)),T,Z;m.ori==0?(T=gs,Z=Ad):(T=bs,Z=Rd);let N=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:ms},Y=X.stroke,ne=!1;if(l-i>=P*4){let H=V=>n.posToVal(V,m.key,!0),I=null,q=null,ie,F,
rt,Se=M(u[N==1?i:l]),le=M(u[i]),me=M(u[l]),ee=H(N==1?le+1:me-1);for(let V=N==1?i:l;V>=i&&V<=l;V+=N){let Oe=u[V],Ee=(N==1?
Oe<ee:Oe>ee)?Se:M(Oe),ue=p[V];Ee==Se?ue!=null?(F=ue,I==null?(T(Y,Ee,W(F)),ie=I=q=F):F<I?I=F:F>q&&(q=F)):ue===null&&(ne=!0):
(I!=null&&Z(Y,Se,W(I),W(q),W(ie),W(F)),ue!=null?(F=ue,T(Y,Ee,W(F)),I=q=ie=F):(I=q=null,ue===null&&(ne=!0)),Se=Ee,ee=H(Se+
N))}I!=null&&I!=q&&rt!=Se&&Z(Y,Se,W(I),W(q),W(ie),W(F))}else for(let H=N==1?i:l;H>=i&&H<=l;H+=N){let I=p[H];I===null?ne=
!0:I!=null&&T(Y,M(u[H]),W(I))}let[_,Q]=Kl(n,s);if(o.fill!=null||_!=0){let H=X.fill=new Path2D(Y),I=o.fillTo(n,s,o.min,o.
max,_),q=W(I),ie=M(u[i]),F=M(u[l]);N==-1&&([F,ie]=[ie,F]),T(H,F,q),T(H,ie,q)}if(!o.spanGaps){let H=[];ne&&H.push(...Yl(u,
p,i,l,N,M,t)),X.gaps=H=o.gaps(n,s,i,l,H),X.clip=yi(H,m.ori,S,L,P,D)}return Q!=0&&(X.band=Q==2?[ln(n,s,i,l,Y,-1),ln(n,s,i,
l,Y,1)]:ln(n,s,i,l,Y,Q)),X})}function Dd(e){let t=oe(e.align,1),n=oe(e.ascDesc,!1),s=oe(e.alignGaps,0),i=oe(e.extend,!1);
return(l,o,u,p)=>zn(l,o,(m,g,b,v,S,L,P,D,j,M,W)=>{[u,p]=bi(b,u,p);let T=m.pxRound,{left:Z,width:N}=l.bbox,X=le=>T(L(le,v,
M,D)),Y=le=>T(P(le,S,W,j)),ne=v.ori==0?gs:bs,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ms},_=K.
stroke,Q=v.dir*(v.ori==0?1:-1),H=Y(b[Q==1?u:p]),I=X(g[Q==1?u:p]),q=I,ie=I;i&&t==-1&&(ie=Z,ne(_,ie,H)),ne(_,I,H);for(let le=Q==
1?u:p;le>=u&&le<=p;le+=Q){let me=b[le];if(me==null)continue;let ee=X(g[le]),V=Y(me);t==1?ne(_,ee,H):ne(_,q,V),ne(_,ee,V),
H=V,q=ee}let F=q;i&&t==1&&(F=Z+N,ne(_,F,H));let[rt,Se]=Kl(l,o);if(m.fill!=null||rt!=0){let le=K.fill=new Path2D(_),me=m.
fillTo(l,o,m.min,m.max,rt),ee=Y(me);ne(le,F,ee),ne(le,ie,ee)}if(!m.spanGaps){let le=[];le.push(...Yl(g,b,u,p,Q,X,s));let me=m.
width*ce/2,ee=n||t==1?me:-me,V=n||t==-1?-me:me;le.forEach(Oe=>{Oe[0]+=ee,Oe[1]+=V}),K.gaps=le=m.gaps(l,o,u,p,le),K.clip=
yi(le,v.ori,D,j,M,W)}return Se!=0&&(K.band=Se==2?[ln(l,o,u,p,_,-1),ln(l,o,u,p,_,1)]:ln(l,o,u,p,_,Se)),K})}function ea(e,t,n,s,i,l,o=ge){
if(e.length>1){let u=null;for(let p=0,m=1/0;p<e.length;p++)if(t[p]!==void 0){if(u!=null){let g=Ve(e[p]-e[u]);g<m&&(m=g,o=
Ve(n(e[p],s,i,l)-n(e[u],s,i,l)))}u=p}}return o}function Od(e){e=e||zs;let t=oe(e.size,[.6,ge,1]),n=e.align||0,s=e.gap||0,
i=e.radius;i=i==null?[0,0]:typeof i=="number"?[i,0]:i;let l=se(i),o=1-t[0],u=oe(t[1],ge),p=oe(t[2],1),m=oe(e.disp,zs),g=oe(
e.each,S=>{}),{fill:b,stroke:v}=m;return(S,L,P,D)=>zn(S,L,(j,M,W,T,Z,N,X,Y,ne,K,_)=>{let Q=j.pxRound,H=n,I=s*ce,q=u*ce,ie=p*
ce,F,rt;T.ori==0?[F,rt]=l(S,L):[rt,F]=l(S,L);let Se=T.dir*(T.ori==0?1:-1),le=T.ori==0?Ei:Jl,me=T.ori==0?g:(R,we,Ne,Un,kn,Ft,Sn)=>{
g(R,we,Ne,kn,Un,Sn,Ft)},ee=oe(S.bands,Wl).find(R=>R.series[0]==L),V=ee!=null?ee.dir:0,Oe=j.fillTo(S,L,j.min,j.max,V),et=Q(
X(Oe,Z,_,ne)),Ee,ue,Lt,ct=K,Le=Q(j.width*ce),zt=!1,Jt=null,bt=null,rn=null,qn=null;b!=null&&(Le==0||v!=null)&&(zt=!0,Jt=
b.values(S,L,P,D),bt=new Map,new Set(Jt).forEach(R=>{R!=null&&bt.set(R,new Path2D)}),Le>0&&(rn=v.values(S,L,P,D),qn=new Map,
new Set(rn).forEach(R=>{R!=null&&qn.set(R,new Path2D)})));let{x0:jn,size:xs}=m;if(jn!=null&&xs!=null){H=1,M=jn.values(S,
L,P,D),jn.unit==2&&(M=M.map(Ne=>S.posToVal(Y+Ne*K,T.key,!0)));let R=xs.values(S,L,P,D);xs.unit==2?ue=R[0]*K:ue=N(R[0],T,
K,Y)-N(0,T,K,Y),ct=ea(M,W,N,T,K,Y,ct),Lt=ct-ue+I}else ct=ea(M,W,N,T,K,Y,ct),Lt=ct*o+I,ue=ct-Lt;Lt<1&&(Lt=0),Le>=ue/2&&(Le=
0),Lt<5&&(Q=ca);let Gs=Lt>0,xn=ct-Lt-(Gs?Le:0);ue=Q($l(xn,ie,q)),Ee=(H==0?ue/2:H==Se?0:ue)-H*Se*((H==0?I/2:0)+(Gs?Le/2:0));
let tt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Wn=zt?null:new Path2D,Qt=null;if(ee!=null)Qt=S.data[ee.
series[1]];else{let{y0:R,y1:we}=m;R!=null&&we!=null&&(W=we.values(S,L,P,D),Qt=R.values(S,L,P,D))}let yn=F*ue,J=rt*ue;for(let R=Se==
1?P:D;R>=P&&R<=D;R+=Se){let we=W[R];if(we==null)continue;if(Qt!=null){let ot=Qt[R]??0;if(we-ot==0)continue;et=X(ot,Z,_,ne)}
let Ne=T.distr!=2||m!=null?M[R]:R,Un=N(Ne,T,K,Y),kn=X(oe(we,Oe),Z,_,ne),Ft=Q(Un-Ee),Sn=Q(lt(kn,et)),ut=Q(Ht(kn,et)),wt=Sn-
ut;if(we!=null){let ot=we<0?J:yn,Pt=we<0?yn:J;zt?(Le>0&&rn[R]!=null&&le(qn.get(rn[R]),Ft,ut+ht(Le/2),ue,lt(0,wt-Le),ot,Pt),
Jt[R]!=null&&le(bt.get(Jt[R]),Ft,ut+ht(Le/2),ue,lt(0,wt-Le),ot,Pt)):le(Wn,Ft,ut+ht(Le/2),ue,lt(0,wt-Le),ot,Pt),me(S,L,R,
Ft-Le/2,ut,ue+Le,wt)}}return Le>0?tt.stroke=zt?qn:Wn:zt||(tt._fill=j.width==0?j._fill:j._stroke??j._fill,tt.width=0),tt.
fill=zt?bt:Wn,tt})}function Nd(e,t){let n=oe(t?.alignGaps,0);return(s,i,l,o)=>zn(s,i,(u,p,m,g,b,v,S,L,P,D,j)=>{[l,o]=bi(
m,l,o);let M=u.pxRound,W=F=>M(v(F,g,D,L)),T=F=>M(S(F,b,j,P)),Z,N,X;g.ori==0?(Z=ki,X=gs,N=Na):(Z=Si,X=bs,N=Ha);let Y=g.dir*
(g.ori==0?1:-1),ne=W(p[Y==1?l:o]),K=ne,_=[],Q=[];for(let F=Y==1?l:o;F>=l&&F<=o;F+=Y)if(m[F]!=null){let Se=p[F],le=W(Se);
_.push(K=le),Q.push(T(m[F]))}let H={stroke:e(_,Q,Z,X,N,M),fill:null,clip:null,band:null,gaps:null,flags:ms},I=H.stroke,[
q,ie]=Kl(s,i);if(u.fill!=null||q!=0){let F=H.fill=new Path2D(I),rt=u.fillTo(s,i,u.min,u.max,q),Se=T(rt);X(F,K,Se),X(F,ne,
Se)}if(!u.spanGaps){let F=[];F.push(...Yl(p,m,l,o,Y,W,n)),H.gaps=F=u.gaps(s,i,l,o,F),H.clip=yi(F,g.ori,L,P,D,j)}return ie!=
0&&(H.band=ie==2?[ln(s,i,l,o,I,-1),ln(s,i,l,o,I,1)]:ln(s,i,l,o,I,ie)),H})}function Hd(e){return Nd(Vd,e)}function Vd(e,t,n,s,i,l){
let o=e.length;if(o<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),o==2)s(u,e[1],t[1]);else{let p=Array(o),m=Array(o-1),
g=Array(o-1),b=Array(o-1);for(let v=0;v<o-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];p[0]=m[0];for(let v=1;v<
o-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?p[v]=0:(p[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(p[v])||(p[v]=0));p[o-1]=m[o-2];for(let v=0;v<o-1;v++)i(u,e[v]+b[v]/3,t[v]+p[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-p[v+
1]*b[v]/3,e[v+1],t[v+1])}return u}var Ol=new Set;function ta(){for(let e of Ol)e.syncRect(!0)}hs&&(Hn(wp,us,ta),Hn(vp,us,
ta,!0),Hn(mi,us,()=>{Je.pxRatio=ce}));var zd=Fa(),Fd=Va();function na(e,t,n,s){return(s?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((l,o)=>Nl(l,o,t,n))}function qd(e,t){return e.map((n,s)=>s==0?{}:De({},t,n))}function Nl(e,t,n,s){
return De({},t==0?n:s,e)}function qa(e,t,n){return t==null?ds:[t,n]}var jd=qa;function Wd(e,t,n){return t==null?ds:hi(t,
n,ql,!0)}function ja(e,t,n,s){return t==null?ds:wi(t,n,e.scales[s].log,!1)}var Ud=ja;function Wa(e,t,n,s){return t==null?
ds:Fl(t,n,e.scales[s].log,!1)}var Gd=Wa;function Id(e,t,n,s,i){let l=lt(Do(e),Do(t)),o=t-e,u=Nt(i/s*o,n);do{let p=n[u],m=s*
p/o;if(m>=i&&l+(p<5?gn.get(p):0)<=17)return[p,m]}while(++u<n.length);return[0,0]}function sa(e){let t,n;return e=e.replace(
/(\d+)px/,(s,i)=>(t=He((n=+i)*ce))+"px"),[e,t,n]}function Bd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=be(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Je(e,t,n){let s={mode:oe(e.mode,1)},i=s.mode;function l(a,c,d,f){
let h=c.valToPct(a);return f+d*(c.dir==-1?1-h:h)}function o(a,c,d,f){let h=c.valToPct(a);return f+d*(c.dir==-1?h:1-h)}function u(a,c,d,f){
return c.ori==0?l(a,c,d,f):o(a,c,d,f)}s.valToPosH=l,s.valToPosV=o;let p=!1;s.status=0;let m=s.root=Et(ep);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let a=Et(sp,m);a.textContent=e.title}let g=Ot("canvas"),b=s.ctx=g.getContext("2d"),v=Et(
ip,m);Hn("click",v,a=>{a.target===L&&(ve!=ts||Me!=ns)&&Ke.click(s,a)},!0);let S=s.under=Et(lp,v);v.appendChild(g);let L=s.
over=Et(rp,v);e=fs(e);let P=+oe(e.pxAlign,1),D=Xo(P);(e.plugins||[]).forEach(a=>{a.opts&&(e=a.opts(s,e)||e)});let j=e.ms||
.001,M=s.series=i==1?na(e.series||[],Io,Qo,!1):qd(e.series||[null],Jo),W=s.axes=na(e.axes||[],Go,Ko,!0),T=s.scales={},Z=s.
bands=e.bands||[];Z.forEach(a=>{a.fill=se(a.fill||null),a.dir=oe(a.dir,-1)});let N=i==2?M[1].facets[0].scale:M[0].scale,
X={axes:nu,series:Qc},Y=(e.drawOrder||["axes","series"]).map(a=>X[a]);function ne(a){let c=a.distr==3?d=>sn(d>0?d:a.clamp(
s,d,a.min,a.max,a.key)):a.distr==4?d=>Sl(d,a.asinh):a.distr==100?d=>a.fwd(d):d=>d;return d=>{let f=c(d),{_min:h,_max:w}=a,
x=w-h;return(f-h)/x}}function K(a){let c=T[a];if(c==null){let d=(e.scales||zs)[a]||zs;if(d.from!=null){K(d.from);let f=De(
{},T[d.from],d,{key:a});f.valToPct=ne(f),T[a]=f}else{c=T[a]=De({},a==N?$a:Pd,d),c.key=a;let f=c.time,h=c.range,w=hn(h);if((a!=
N||i==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?$o:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?$o:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&xi(h))){let x=h;h=(k,E,C)=>E==null?ds:hi(E,C,x)}c.range=se(h||(f?jd:a==N?c.distr==3?Ud:c.
distr==4?Gd:qa:c.distr==3?ja:c.distr==4?Wa:Wd)),c.auto=se(w?!1:c.auto),c.clamp=se(c.clamp||Ld),c._min=c._max=null,c.valToPct=
ne(c)}}}K("x"),K("y"),i==1&&M.forEach(a=>{K(a.scale)}),W.forEach(a=>{K(a.scale)});for(let a in e.scales)K(a);let _=T[N],
Q=_.distr,H,I;_.ori==0?(mt(m,tp),H=l,I=o):(mt(m,np),H=o,I=l);let q={};for(let a in T){let c=T[a];(c.min!=null||c.max!=null)&&
(q[a]={min:c.min,max:c.max},c.min=c.max=null)}let ie=e.tzDate||(a=>new Date(He(a/j))),F=e.fmtDate||Ul,rt=j==1?td(ie):id(
ie),Se=jo(ie,qo(j==1?ed:sd,F)),le=Uo(ie,Wo(rd,F)),me=[],ee=s.legend=De({},cd,e.legend),V=s.cursor=De({},hd,{drag:{y:i==2}},
e.cursor),Oe=ee.show,et=V.show,Ee=ee.markers;ee.idxs=me,Ee.width=se(Ee.width),Ee.dash=se(Ee.dash),Ee.stroke=se(Ee.stroke),
Ee.fill=se(Ee.fill);let ue,Lt,ct,Le=[],zt=[],Jt,bt=!1,rn={};if(ee.live){let a=M[1]?M[1].values:null;bt=a!=null,Jt=bt?a(s,
1,0):{_:0};for(let c in Jt)rn[c]=Vl}if(Oe)if(ue=Ot("table",dp,m),ct=Ot("tbody",null,ue),ee.mount(s,ue),bt){Lt=Ot("thead",
null,ue,ct);let a=Ot("tr",null,Lt);Ot("th",null,a);for(var qn in Jt)Ot("th",wo,a).textContent=qn}else mt(ue,mp),ee.live&&
mt(ue,fp);let jn={show:!0},xs={show:!1};function Gs(a,c){if(c==0&&(bt||!ee.live||i==2))return ds;let d=[],f=Ot("tr",hp,ct,
ct.childNodes[c]);mt(f,a.class),a.show||mt(f,Nn);let h=Ot("th",null,f);if(Ee.show){let k=Et(gp,h);if(c>0){let E=Ee.width(
s,c);E&&(k.style.border=E+"px "+Ee.dash(s,c)+" "+Ee.stroke(s,c)),k.style.background=Ee.fill(s,c)}}let w=Et(wo,h);a.label instanceof
HTMLElement?w.appendChild(a.label):w.textContent=a.label,c>0&&(Ee.show||(w.style.color=a.width>0?Ee.stroke(s,c):Ee.fill(
s,c)),tt("click",h,k=>{if(V._lock)return;Mn(k);let E=M.indexOf(a);if((k.ctrlKey||k.metaKey)!=ee.isolate){let C=M.some((A,O)=>O>
0&&O!=E&&A.show);M.forEach((A,O)=>{O>0&&jt(O,C?O==E?jn:xs:jn,!0,Ae.setSeries)})}else jt(E,{show:!a.show},!0,Ae.setSeries)},
!1),In&&tt(ko,h,k=>{V._lock||(Mn(k),jt(M.indexOf(a),is,!0,Ae.setSeries))},!1));for(var x in Jt){let k=Ot("td",bp,f);k.textContent=
"--",d.push(k)}return[f,d]}let xn=new Map;function tt(a,c,d,f=!0){let h=xn.get(c)||{},w=V.bind[a](s,c,d,f);w&&(Hn(a,c,h[a]=
w),xn.set(c,h))}function Wn(a,c,d){let f=xn.get(c)||{};for(let h in f)(a==null||h==a)&&(Cl(h,c,f[h]),delete f[h]);a==null&&
xn.delete(c)}let Qt=0,yn=0,J=0,R=0,we=0,Ne=0,Un=we,kn=Ne,Ft=J,Sn=R,ut=0,wt=0,ot=0,Pt=0;s.bbox={};let Ni=!1,Is=!1,Gn=!1,En=!1,
Bs=!1,vt=!1;function Hi(a,c,d){(d||a!=s.width||c!=s.height)&&fr(a,c),Qn(!1),Gn=!0,Is=!0,Zn()}function fr(a,c){s.width=Qt=
J=a,s.height=yn=R=c,we=Ne=0,Uc(),Gc();let d=s.bbox;ut=d.left=Dn(we*ce,.5),wt=d.top=Dn(Ne*ce,.5),ot=d.width=Dn(J*ce,.5),Pt=
d.height=Dn(R*ce,.5)}let qc=3;function jc(){let a=!1,c=0;for(;!a;){c++;let d=eu(c),f=tu(c);a=c==qc||d&&f,a||(fr(s.width,
s.height),Is=!0)}}function Wc({width:a,height:c}){Hi(a,c)}s.setSize=Wc;function Uc(){let a=!1,c=!1,d=!1,f=!1;W.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:k}=h,E=x%2,C=h.label!=null?h.labelSize:0,A=k+C;A>0&&(E?(J-=A,x==3?(we+=A,f=!0):d=!0):
(R-=A,x==0?(Ne+=A,a=!0):c=!0))}}),Tn[0]=a,Tn[1]=d,Tn[2]=c,Tn[3]=f,J-=on[1]+on[3],we+=on[3],R-=on[2]+on[0],Ne+=on[0]}function Gc(){
let a=we+J,c=Ne+R,d=we,f=Ne;function h(w,x){switch(w){case 1:return a+=x,a-x;case 2:return c+=x,c-x;case 3:return d-=x,d+
x;case 0:return f-=x,f+x}}W.forEach((w,x)=>{if(w.show&&w._show){let k=w.side;w._pos=h(k,w._size),w.label!=null&&(w._lpos=
h(k,w.labelSize))}})}if(V.dataIdx==null){let a=V.hover,c=a.skip=new Set(a.skip??[]);c.add(void 0);let d=a.prox=se(a.prox),
f=a.bias??=0;V.dataIdx=(h,w,x,k)=>{if(w==0)return x;let E=x,C=d(h,w,x,k)??ge,A=C>=0&&C<ge,O=_.ori==0?J:R,B=V.left,ae=t[0],
re=t[w];if(c.has(re[x])){E=null;let te=null,G=null,z;if(f==0||f==-1)for(z=x;te==null&&z-- >0;)c.has(re[z])||(te=z);if(f==
0||f==1)for(z=x;G==null&&z++<re.length;)c.has(re[z])||(G=z);if(te!=null||G!=null)if(A){let ye=te==null?-1/0:H(ae[te],_,O,
0),Ce=G==null?1/0:H(ae[G],_,O,0),Ue=B-ye,he=Ce-B;Ue<=he?Ue<=C&&(E=te):he<=C&&(E=G)}else E=G==null?te:te==null?G:x-te<=G-
x?te:G}else A&&Ve(B-H(ae[x],_,O,0))>C&&(E=null);return E}}let Mn=a=>{V.event=a};V.idxs=me,V._lock=!1;let Qe=V.points;Qe.
show=se(Qe.show),Qe.size=se(Qe.size),Qe.stroke=se(Qe.stroke),Qe.width=se(Qe.width),Qe.fill=se(Qe.fill);let qt=s.focus=De(
{},e.focus||{alpha:.3},V.focus),In=qt.prox>=0,Bn=In&&Qe.one,xt=[],Kn=[],Yn=[];function mr(a,c){let d=Qe.show(s,c);if(d instanceof
HTMLElement)return mt(d,pp),mt(d,a.class),Yt(d,-10,-10,J,R),L.insertBefore(d,xt[c]),d}function hr(a,c){if(i==1||c>0){let d=i==
1&&T[a.scale].time,f=a.value;a.value=d?Ho(f)?Uo(ie,Wo(f,F)):f||le:f||Md,a.label=a.label||(d?bd:gd)}if(Bn||c>0){a.width=a.
width==null?1:a.width,a.paths=a.paths||zd||Pp,a.fillTo=se(a.fillTo||Cd),a.pxAlign=+oe(a.pxAlign,P),a.pxRound=Xo(a.pxAlign),
a.stroke=se(a.stroke||null),a.fill=se(a.fill||null),a._stroke=a._fill=a._paths=a._focus=null;let d=Td(lt(1,a.width),1),f=a.
points=De({},{size:d,width:lt(1,d*.2),stroke:a.stroke,space:d*2,paths:Fd,_stroke:null,_fill:null},a.points);f.show=se(f.
show),f.filter=se(f.filter),f.fill=se(f.fill),f.stroke=se(f.stroke),f.paths=se(f.paths),f.pxAlign=a.pxAlign}if(Oe){let d=Gs(
a,c);Le.splice(c,0,d[0]),zt.splice(c,0,d[1]),ee.values.push(null)}if(et){me.splice(c,0,null);let d=null;Bn?c==0&&(d=mr(a,
c)):c>0&&(d=mr(a,c)),xt.splice(c,0,d),Kn.splice(c,0,0),Yn.splice(c,0,0)}We("addSeries",c)}function Ic(a,c){c=c??M.length,
a=i==1?Nl(a,c,Io,Qo):Nl(a,c,{},Jo),M.splice(c,0,a),hr(M[c],c)}s.addSeries=Ic;function Bc(a){if(M.splice(a,1),Oe){ee.values.
splice(a,1),zt.splice(a,1);let c=Le.splice(a,1)[0];Wn(null,c.firstChild),c.remove()}et&&(me.splice(a,1),xt.splice(a,1)[0].
remove(),Kn.splice(a,1),Yn.splice(a,1)),We("delSeries",a)}s.delSeries=Bc;let Tn=[!1,!1,!1,!1];function Kc(a,c){if(a._show=
a.show,a.show){let d=a.side%2,f=T[a.scale];f==null&&(a.scale=d?M[1].scale:N,f=T[a.scale]);let h=f.time;a.size=se(a.size),
a.space=se(a.space),a.rotate=se(a.rotate),hn(a.incrs)&&a.incrs.forEach(x=>{!gn.has(x)&&gn.set(x,da(x))}),a.incrs=se(a.incrs||
(f.distr==2?Qp:h?j==1?Xp:nd:On)),a.splits=se(a.splits||(h&&f.distr==1?rt:f.distr==3?Al:f.distr==4?xd:vd)),a.stroke=se(a.
stroke),a.grid.stroke=se(a.grid.stroke),a.ticks.stroke=se(a.ticks.stroke),a.border.stroke=se(a.border.stroke);let w=a.values;
a.values=hn(w)&&!hn(w[0])?se(w):h?hn(w)?jo(ie,qo(w,F)):Ho(w)?ld(ie,w):w||Se:w||wd,a.filter=se(a.filter||(f.distr>=3&&f.log==
10?Sd:f.distr==3&&f.log==2?Ed:ua)),a.font=sa(a.font),a.labelFont=sa(a.labelFont),a._size=a.size(s,null,c,0),a._space=a._rotate=
a._incrs=a._found=a._splits=a._values=null,a._size>0&&(Tn[c]=!0,a._el=Et(op,v))}}function ys(a,c,d,f){let[h,w,x,k]=d,E=c%
2,C=0;return E==0&&(k||w)&&(C=c==0&&!h||c==2&&!x?He(Go.size/3):0),E==1&&(h||x)&&(C=c==1&&!w||c==3&&!k?He(Ko.size/2):0),C}
let gr=s.padding=(e.padding||[ys,ys,ys,ys]).map(a=>se(oe(a,ys))),on=s._padding=gr.map((a,c)=>a(s,c,Tn,0)),Be,ze=null,Fe=null,
Ks=i==1?M[0].idxs:null,Ct=null,ks=!1;function br(a,c){if(t=a??[],s.data=s._data=t,i==2){Be=0;for(let d=1;d<M.length;d++)
Be+=t[d][0].length}else{t.length==0&&(s.data=s._data=t=[[]]),Ct=t[0],Be=Ct.length;let d=t;if(Q==2){d=t.slice();let f=d[0]=
Array(Be);for(let h=0;h<Be;h++)f[h]=h}s._data=t=d}if(Qn(!0),We("setData"),Q==2&&(Gn=!0),c!==!1){let d=_;d.auto(s,ks)?Vi():
cn(N,d.min,d.max),En=En||V.left>=0,vt=!0,Zn()}}s.setData=br;function Vi(){ks=!0;let a,c;i==1&&(Be>0?(ze=Ks[0]=0,Fe=Ks[1]=
Be-1,a=t[0][ze],c=t[0][Fe],Q==2?(a=ze,c=Fe):a==c&&(Q==3?[a,c]=wi(a,a,_.log,!1):Q==4?[a,c]=Fl(a,a,_.log,!1):_.time?c=a+He(
86400/j):[a,c]=hi(a,c,ql,!0))):(ze=Ks[0]=a=null,Fe=Ks[1]=c=null)),cn(N,a,c)}let Ys,Jn,zi,Fi,qi,ji,Wi,Ui,Gi,at;function wr(a,c,d,f,h,w){
a??=xo,d??=Wl,f??="butt",h??=xo,w??="round",a!=Ys&&(b.strokeStyle=Ys=a),h!=Jn&&(b.fillStyle=Jn=h),c!=zi&&(b.lineWidth=zi=
c),w!=qi&&(b.lineJoin=qi=w),f!=ji&&(b.lineCap=ji=f),d!=Fi&&b.setLineDash(Fi=d)}function vr(a,c,d,f){c!=Jn&&(b.fillStyle=
Jn=c),a!=Wi&&(b.font=Wi=a),d!=Ui&&(b.textAlign=Ui=d),f!=Gi&&(b.textBaseline=Gi=f)}function Ii(a,c,d,f,h=0){if(f.length>0&&
a.auto(s,ks)&&(c==null||c.min==null)){let w=oe(ze,0),x=oe(Fe,f.length-1),k=d.min==null?Sp(f,w,x,h,a.distr==3):[d.min,d.max];
a.min=Ht(a.min,d.min=k[0]),a.max=lt(a.max,d.max=k[1])}}let xr={min:null,max:null};function Yc(){for(let f in T){let h=T[f];
q[f]==null&&(h.min==null||q[N]!=null&&h.auto(s,ks))&&(q[f]=xr)}for(let f in T){let h=T[f];q[f]==null&&h.from!=null&&q[h.
from]!=null&&(q[f]=xr)}q[N]!=null&&Qn(!0);let a={};for(let f in q){let h=q[f];if(h!=null){let w=a[f]=fs(T[f],Ap);if(h.min!=
null)De(w,h);else if(f!=N||i==2)if(Be==0&&w.from==null){let x=w.range(s,null,null,f);w.min=x[0],w.max=x[1]}else w.min=ge,
w.max=-ge}}if(Be>0){M.forEach((f,h)=>{if(i==1){let w=f.scale,x=q[w];if(x==null)return;let k=a[w];if(h==0){let E=k.range(
s,k.min,k.max,w);k.min=E[0],k.max=E[1],ze=Nt(k.min,t[0]),Fe=Nt(k.max,t[0]),Fe-ze>1&&(t[0][ze]<k.min&&ze++,t[0][Fe]>k.max&&
Fe--),f.min=Ct[ze],f.max=Ct[Fe]}else f.show&&f.auto&&Ii(k,x,f,t[h],f.sorted);f.idxs[0]=ze,f.idxs[1]=Fe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,k=w.scale,E=x.scale,[C,A]=t[h],O=a[k],B=a[E];O!=null&&Ii(O,q[k],w,C,w.sorted),B!=null&&Ii(B,q[E],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in a){let h=a[f],w=q[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(s,h.min==ge?null:h.min,h.max==-ge?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in a){let h=a[f];if(h.from!=null){
let w=a[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(s,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},d=!1;
for(let f in a){let h=a[f],w=T[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?sn(w.
min):x==4?Sl(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?sn(w.max):x==4?Sl(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=d=!0}}if(d){M.forEach((f,h)=>{i==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)Gn=!0,
We("setScale",f);et&&V.left>=0&&(En=vt=!0)}for(let f in q)q[f]=null}function Jc(a){let c=$l(ze-1,0,Be-1),d=$l(Fe+1,0,Be-
1);for(;a[c]==null&&c>0;)c--;for(;a[d]==null&&d<Be-1;)d++;return[c,d]}function Qc(){if(Be>0){let a=M.some(c=>c._focus)&&
at!=qt.alpha;a&&(b.globalAlpha=at=qt.alpha),M.forEach((c,d)=>{if(d>0&&c.show&&(yr(d,!1),yr(d,!0),c._paths==null)){let f=at;
at!=c.alpha&&(b.globalAlpha=at=c.alpha);let h=i==2?[0,t[d][0].length-1]:Jc(t[d]);c._paths=c.paths(s,d,h[0],h[1]),at!=f&&
(b.globalAlpha=at=f)}}),M.forEach((c,d)=>{if(d>0&&c.show){let f=at;at!=c.alpha&&(b.globalAlpha=at=c.alpha),c._paths!=null&&
kr(d,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(s,d,ze,Fe,h),x=c.points.filter(s,d,w,h);(w||x)&&(c.points.
_paths=c.points.paths(s,d,ze,Fe,x),kr(d,!0))}at!=f&&(b.globalAlpha=at=f),We("drawSeries",d)}}),a&&(b.globalAlpha=at=1)}}
function yr(a,c){let d=c?M[a].points:M[a];d._stroke=d.stroke(s,a),d._fill=d.fill(s,a)}function kr(a,c){let d=c?M[a].points:
M[a],{stroke:f,fill:h,clip:w,flags:x,_stroke:k=d._stroke,_fill:E=d._fill,_width:C=d.width}=d._paths;C=be(C*ce,3);let A=null,
O=C%2/2;c&&E==null&&(E=C>0?"#fff":k);let B=d.pxAlign==1&&O>0;if(B&&b.translate(O,O),!c){let ae=ut-C/2,re=wt-C/2,te=ot+C,
G=Pt+C;A=new Path2D,A.rect(ae,re,te,G)}c?Bi(k,C,d.dash,d.cap,E,f,h,x,w):Zc(a,k,C,d.dash,d.cap,E,f,h,x,A,w),B&&b.translate(
-O,-O)}function Zc(a,c,d,f,h,w,x,k,E,C,A){let O=!1;E!=0&&Z.forEach((B,ae)=>{if(B.series[0]==a){let re=M[B.series[1]],te=t[B.
series[1]],G=(re._paths||zs).band;hn(G)&&(G=B.dir==1?G[0]:G[1]);let z,ye=null;re.show&&G&&Mp(te,ze,Fe)?(ye=B.fill(s,ae)||
w,z=re._paths.clip):G=null,Bi(c,d,f,h,ye,x,k,E,C,A,z,G),O=!0}}),O||Bi(c,d,f,h,w,x,k,E,C,A)}let Sr=ms|Dl;function Bi(a,c,d,f,h,w,x,k,E,C,A,O){
wr(a,c,d,f,h),(E||C||O)&&(b.save(),E&&b.clip(E),C&&b.clip(C)),O?(k&Sr)==Sr?(b.clip(O),A&&b.clip(A),Qs(h,x),Js(a,w,c)):k&
Dl?(Qs(h,x),b.clip(O),Js(a,w,c)):k&ms&&(b.save(),b.clip(O),A&&b.clip(A),Qs(h,x),b.restore(),Js(a,w,c)):(Qs(h,x),Js(a,w,c)),
(E||C||O)&&b.restore()}function Js(a,c,d){d>0&&(c instanceof Map?c.forEach((f,h)=>{b.strokeStyle=Ys=h,b.stroke(f)}):c!=null&&
a&&b.stroke(c))}function Qs(a,c){c instanceof Map?c.forEach((d,f)=>{b.fillStyle=Jn=f,b.fill(d)}):c!=null&&a&&b.fill(c)}function Xc(a,c,d,f){
let h=W[a],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(s,a,c,d,f),k=h._incrs=h.incrs(s,a,c,d,f,x);w=Id(c,d,k,f,x)}return h.
_found=w}function Ki(a,c,d,f,h,w,x,k,E,C){let A=x%2/2;P==1&&b.translate(A,A),wr(k,x,E,C,k),b.beginPath();let O,B,ae,re,te=h+
(f==0||f==3?-w:w);d==0?(B=h,re=te):(O=h,ae=te);for(let G=0;G<a.length;G++)c[G]!=null&&(d==0?O=ae=a[G]:B=re=a[G],b.moveTo(
O,B),b.lineTo(ae,re));b.stroke(),P==1&&b.translate(-A,-A)}function eu(a){let c=!0;return W.forEach((d,f)=>{if(!d.show)return;
let h=T[d.scale];if(h.min==null){d._show&&(c=!1,d._show=!1,Qn(!1));return}else d._show||(c=!1,d._show=!0,Qn(!1));let w=d.
side,x=w%2,{min:k,max:E}=h,[C,A]=Xc(f,k,E,x==0?J:R);if(A==0)return;let O=h.distr==2,B=d._splits=d.splits(s,f,k,E,C,A,O),
ae=h.distr==2?B.map(z=>Ct[z]):B,re=h.distr==2?Ct[B[1]]-Ct[B[0]]:C,te=d._values=d.values(s,d.filter(s,ae,f,A,re),f,A,re);
d._rotate=w==2?d.rotate(s,te,f,A):0;let G=d._size;d._size=Mt(d.size(s,te,f,a)),G!=null&&d._size!=G&&(c=!1)}),c}function tu(a){
let c=!0;return gr.forEach((d,f)=>{let h=d(s,f,Tn,a);h!=on[f]&&(c=!1),on[f]=h}),c}function nu(){for(let a=0;a<W.length;a++){
let c=W[a];if(!c.show||!c._show)continue;let d=c.side,f=d%2,h,w,x=c.stroke(s,a),k=d==0||d==3?-1:1,[E,C]=c._found;if(c.label!=
null){let st=c.labelGap*k,ft=He((c._lpos+st)*ce);vr(c.labelFont[0],x,"center",d==2?"top":vo),b.save(),f==1?(h=w=0,b.translate(
ft,He(wt+Pt/2)),b.rotate((d==3?-fi:fi)/2)):(h=He(ut+ot/2),w=ft);let Pn=aa(c.label)?c.label(s,a,E,C):c.label;b.fillText(Pn,
h,w),b.restore()}if(C==0)continue;let A=T[c.scale],O=f==0?ot:Pt,B=f==0?ut:wt,ae=c._splits,re=A.distr==2?ae.map(st=>Ct[st]):
ae,te=A.distr==2?Ct[ae[1]]-Ct[ae[0]]:E,G=c.ticks,z=c.border,ye=G.show?G.size:0,Ce=He(ye*ce),Ue=He((c.alignTo==2?c._size-
ye-c.gap:c.gap)*ce),he=c._rotate*-fi/180,$e=D(c._pos*ce),pt=(Ce+Ue)*k,nt=$e+pt;w=f==0?nt:0,h=f==1?nt:0;let yt=c.font[0],
$t=c.align==1?as:c.align==2?xl:he>0?as:he<0?xl:f==0?"center":d==3?xl:as,Ut=he||f==1?"middle":d==2?"top":vo;vr(yt,x,$t,Ut);
let dt=c.font[1]*c.lineGap,kt=ae.map(st=>D(u(st,A,O,B))),At=c._values;for(let st=0;st<At.length;st++){let ft=At[st];if(ft!=
null){f==0?h=kt[st]:w=kt[st],ft=""+ft;let Pn=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let it=0;it<Pn.length;it++){let jr=Pn[it];he?(b.save(),b.translate(h,w+it*dt),b.rotate(
he),b.fillText(jr,0,0),b.restore()):b.fillText(jr,h,w+it*dt)}}}G.show&&Ki(kt,G.filter(s,re,a,C,te),f,d,$e,Ce,be(G.width*
ce,3),G.stroke(s,a),G.dash,G.cap);let Gt=c.grid;Gt.show&&Ki(kt,Gt.filter(s,re,a,C,te),f,f==0?2:1,f==0?wt:ut,f==0?Pt:ot,be(
Gt.width*ce,3),Gt.stroke(s,a),Gt.dash,Gt.cap),z.show&&Ki([$e],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Pt:ot,be(z.width*ce,
3),z.stroke(s,a),z.dash,z.cap)}We("drawAxes")}function Qn(a){M.forEach((c,d)=>{d>0&&(c._paths=null,a&&(i==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let Zs=!1,Yi=!1,Ss=[];function su(){Yi=!1;for(let a=0;a<Ss.
length;a++)We(...Ss[a]);Ss.length=0}function Zn(){Zs||(zp(Er),Zs=!0)}function iu(a,c=!1){Zs=!0,Yi=c,a(s),Er(),c&&Ss.length>
0&&queueMicrotask(su)}s.batch=iu;function Er(){if(Ni&&(Yc(),Ni=!1),Gn&&(jc(),Gn=!1),Is){if(ke(S,as,we),ke(S,"top",Ne),ke(
S,Os,J),ke(S,Ns,R),ke(L,as,we),ke(L,"top",Ne),ke(L,Os,J),ke(L,Ns,R),ke(v,Os,Qt),ke(v,Ns,yn),g.width=He(Qt*ce),g.height=He(
yn*ce),W.forEach(({_el:a,_show:c,_size:d,_pos:f,side:h})=>{if(a!=null)if(c){let w=h===3||h===0?d:0,x=h%2==1;ke(a,x?"left":
"top",f-w),ke(a,x?"width":"height",d),ke(a,x?"top":"left",x?Ne:we),ke(a,x?"height":"width",x?R:J),Pl(a,Nn)}else mt(a,Nn)}),
Ys=Jn=zi=qi=ji=Wi=Ui=Gi=Fi=null,at=1,Ts(!0),we!=Un||Ne!=kn||J!=Ft||R!=Sn){Qn(!1);let a=J/Ft,c=R/Sn;if(et&&!En&&V.left>=0){
V.left*=a,V.top*=c,Xn&&Yt(Xn,He(V.left),0,J,R),es&&Yt(es,0,He(V.top),J,R);for(let d=0;d<xt.length;d++){let f=xt[d];f!=null&&
(Kn[d]*=a,Yn[d]*=c,Yt(f,Mt(Kn[d]),Mt(Yn[d]),J,R))}}if(xe.show&&!Bs&&xe.left>=0&&xe.width>0){xe.left*=a,xe.width*=a,xe.top*=
c,xe.height*=c;for(let d in tl)ke(ss,d,xe[d])}Un=we,kn=Ne,Ft=J,Sn=R}We("setSize"),Is=!1}Qt>0&&yn>0&&(b.clearRect(0,0,g.width,
g.height),We("drawClear"),Y.forEach(a=>a()),We("draw")),xe.show&&Bs&&(Xs(xe),Bs=!1),et&&En&&(Ln(null,!0,!1),En=!1),ee.show&&
ee.live&&vt&&(Xi(),vt=!1),p||(p=!0,s.status=1,We("ready")),ks=!1,Zs=!1}s.redraw=(a,c)=>{Gn=c||!1,a!==!1?cn(N,_.min,_.max):
Zn()};function Ji(a,c){let d=T[a];if(d.from==null){if(Be==0){let f=d.range(s,c.min,c.max,a);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Be>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;a==N&&d.distr==2&&Be>
0&&(c.min=Nt(c.min,t[0]),c.max=Nt(c.max,t[0]),c.min==c.max&&c.max++),q[a]=c,Ni=!0,Zn()}}s.setScale=Ji;let Qi,Zi,Xn,es,Mr,
Tr,ts,ns,_r,Lr,ve,Me,an=!1,Ke=V.drag,qe=Ke.x,je=Ke.y;et&&(V.x&&(Qi=Et(cp,L)),V.y&&(Zi=Et(up,L)),_.ori==0?(Xn=Qi,es=Zi):(Xn=
Zi,es=Qi),ve=V.left,Me=V.top);let xe=s.select=De({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ss=xe.show?Et(
ap,xe.over?L:S):null;function Xs(a,c){if(xe.show){for(let d in a)xe[d]=a[d],d in tl&&ke(ss,d,a[d]);c!==!1&&We("setSelect")}}
s.setSelect=Xs;function lu(a){if(M[a].show)Oe&&Pl(Le[a],Nn);else if(Oe&&mt(Le[a],Nn),et){let d=Bn?xt[0]:xt[a];d!=null&&Yt(
d,-10,-10,J,R)}}function cn(a,c,d){Ji(a,{min:c,max:d})}function jt(a,c,d,f){c.focus!=null&&uu(a),c.show!=null&&M.forEach(
(h,w)=>{w>0&&(a==w||a==null)&&(h.show=c.show,lu(w),i==2?(cn(h.facets[0].scale,null,null),cn(h.facets[1].scale,null,null)):
cn(h.scale,null,null),Zn())}),d!==!1&&We("setSeries",a,c),f&&_s("setSeries",s,a,c)}s.setSeries=jt;function ru(a,c){De(Z[a],
c)}function ou(a,c){a.fill=se(a.fill||null),a.dir=oe(a.dir,-1),c=c??Z.length,Z.splice(c,0,a)}function au(a){a==null?Z.length=
0:Z.splice(a,1)}s.addBand=ou,s.setBand=ru,s.delBand=au;function cu(a,c){M[a].alpha=c,et&&xt[a]!=null&&(xt[a].style.opacity=
c),Oe&&Le[a]&&(Le[a].style.opacity=c)}let Zt,un,_n,is={focus:!0};function uu(a){if(a!=_n){let c=a==null,d=qt.alpha!=1;M.
forEach((f,h)=>{if(i==1||h>0){let w=c||h==0||h==a;f._focus=c?null:w,d&&cu(h,w?1:qt.alpha)}}),_n=a,d&&Zn()}}Oe&&In&&tt(So,
ue,a=>{V._lock||(Mn(a),_n!=null&&jt(null,is,!0,Ae.setSeries))});function Wt(a,c,d){let f=T[c];d&&(a=a/ce-(f.ori==1?Ne:we));
let h=J;f.ori==1&&(h=R,a=h-a),f.dir==-1&&(a=h-a);let w=f._min,x=f._max,k=a/h,E=w+(x-w)*k,C=f.distr;return C==3?ps(10,E):
C==4?_p(E,f.asinh):C==100?f.bwd(E):E}function pu(a,c){let d=Wt(a,N,c);return Nt(d,t[0],ze,Fe)}s.valToIdx=a=>Nt(a,t[0]),s.
posToIdx=pu,s.posToVal=Wt,s.valToPos=(a,c,d)=>T[c].ori==0?l(a,T[c],d?ot:J,d?ut:0):o(a,T[c],d?Pt:R,d?wt:0),s.setCursor=(a,c,d)=>{
ve=a.left,Me=a.top,Ln(null,c,d)};function Pr(a,c){ke(ss,as,xe.left=a),ke(ss,Os,xe.width=c)}function Cr(a,c){ke(ss,"top",
xe.top=a),ke(ss,Ns,xe.height=c)}let Es=_.ori==0?Pr:Cr,Ms=_.ori==1?Pr:Cr;function du(){if(Oe&&ee.live)for(let a=i==2?1:0;a<
M.length;a++){if(a==0&&bt)continue;let c=ee.values[a],d=0;for(let f in c)zt[a][d++].firstChild.nodeValue=c[f]}}function Xi(a,c){
if(a!=null&&(a.idxs?a.idxs.forEach((d,f)=>{me[f]=d}):$p(a.idx)||me.fill(a.idx),ee.idx=me[0]),Oe&&ee.live){for(let d=0;d<
M.length;d++)(d>0||i==1&&!bt)&&fu(d,me[d]);du()}vt=!1,c!==!1&&We("setLegend")}s.setLegend=Xi;function fu(a,c){let d=M[a],
f=a==0&&Q==2?Ct:t[a],h;bt?h=d.values(s,a,c)??rn:(h=d.value(s,c==null?null:f[c],a,c),h=h==null?rn:{_:h}),ee.values[a]=h}function Ln(a,c,d){
_r=ve,Lr=Me,[ve,Me]=V.move(s,ve,Me),V.left=ve,V.top=Me,et&&(Xn&&Yt(Xn,He(ve),0,J,R),es&&Yt(es,0,He(Me),J,R));let f,h=ze>
Fe;Zt=ge,un=null;let w=_.ori==0?J:R,x=_.ori==1?J:R;if(ve<0||Be==0||h){f=V.idx=null;for(let k=0;k<M.length;k++){let E=xt[k];
E!=null&&Yt(E,-10,-10,J,R)}In&&jt(null,is,!0,a==null&&Ae.setSeries),ee.live&&(me.fill(f),vt=!0)}else{let k,E,C;i==1&&(k=
_.ori==0?ve:Me,E=Wt(k,N),f=V.idx=Nt(E,t[0],ze,Fe),C=H(t[0][f],_,w,0));let A=-10,O=-10,B=0,ae=0,re=!0,te="",G="";for(let z=i==
2?1:0;z<M.length;z++){let ye=M[z],Ce=me[z],Ue=Ce==null?null:i==1?t[z][Ce]:t[z][1][Ce],he=V.dataIdx(s,z,f,E),$e=he==null?
null:i==1?t[z][he]:t[z][1][he];if(vt=vt||$e!=Ue||he!=Ce,me[z]=he,z>0&&ye.show){let pt=he==null?-10:he==f?C:H(i==1?t[0][he]:
t[z][0][he],_,w,0),nt=$e==null?-10:I($e,i==1?T[ye.scale]:T[ye.facets[1].scale],x,0);if(In&&$e!=null){let yt=_.ori==1?ve:
Me,$t=Ve(qt.dist(s,z,he,nt,yt));if($t<Zt){let Ut=qt.bias;if(Ut!=0){let dt=Wt(yt,ye.scale),kt=$e>=0?1:-1,At=dt>=0?1:-1;At==
kt&&(At==1?Ut==1?$e>=dt:$e<=dt:Ut==1?$e<=dt:$e>=dt)&&(Zt=$t,un=z)}else Zt=$t,un=z}}if(vt||Bn){let yt,$t;_.ori==0?(yt=pt,
$t=nt):(yt=nt,$t=pt);let Ut,dt,kt,At,Gt,st,ft=!0,Pn=Qe.bbox;if(Pn!=null){ft=!1;let it=Pn(s,z);kt=it.left,At=it.top,Ut=it.
width,dt=it.height}else kt=yt,At=$t,Ut=dt=Qe.size(s,z);if(st=Qe.fill(s,z),Gt=Qe.stroke(s,z),Bn)z==un&&Zt<=qt.prox&&(A=kt,
O=At,B=Ut,ae=dt,re=ft,te=st,G=Gt);else{let it=xt[z];it!=null&&(Kn[z]=kt,Yn[z]=At,Co(it,Ut,dt,ft),Lo(it,st,Gt),Yt(it,Mt(kt),
Mt(At),J,R))}}}}if(Bn){let z=qt.prox,ye=_n==null?Zt<=z:Zt>z||un!=_n;if(vt||ye){let Ce=xt[0];Ce!=null&&(Kn[0]=A,Yn[0]=O,Co(
Ce,B,ae,re),Lo(Ce,te,G),Yt(Ce,Mt(A),Mt(O),J,R))}}}if(xe.show&&an)if(a!=null){let[k,E]=Ae.scales,[C,A]=Ae.match,[O,B]=a.cursor.
sync.scales,ae=a.cursor.drag;if(qe=ae._x,je=ae._y,qe||je){let{left:re,top:te,width:G,height:z}=a.select,ye=a.scales[O].ori,
Ce=a.posToVal,Ue,he,$e,pt,nt,yt=k!=null&&C(k,O),$t=E!=null&&A(E,B);yt&&qe?(ye==0?(Ue=re,he=G):(Ue=te,he=z),$e=T[k],pt=H(
Ce(Ue,O),$e,w,0),nt=H(Ce(Ue+he,O),$e,w,0),Es(Ht(pt,nt),Ve(nt-pt))):Es(0,w),$t&&je?(ye==1?(Ue=re,he=G):(Ue=te,he=z),$e=T[E],
pt=I(Ce(Ue,B),$e,x,0),nt=I(Ce(Ue+he,B),$e,x,0),Ms(Ht(pt,nt),Ve(nt-pt))):Ms(0,x)}else nl()}else{let k=Ve(_r-Mr),E=Ve(Lr-Tr);
if(_.ori==1){let B=k;k=E,E=B}qe=Ke.x&&k>=Ke.dist,je=Ke.y&&E>=Ke.dist;let C=Ke.uni;C!=null?qe&&je&&(qe=k>=C,je=E>=C,!qe&&
!je&&(E>k?je=!0:qe=!0)):Ke.x&&Ke.y&&(qe||je)&&(qe=je=!0);let A,O;qe&&(_.ori==0?(A=ts,O=ve):(A=ns,O=Me),Es(Ht(A,O),Ve(O-A)),
je||Ms(0,x)),je&&(_.ori==1?(A=ts,O=ve):(A=ns,O=Me),Ms(Ht(A,O),Ve(O-A)),qe||Es(0,w)),!qe&&!je&&(Es(0,0),Ms(0,0))}if(Ke._x=
qe,Ke._y=je,a==null){if(d){if(qr!=null){let[k,E]=Ae.scales;Ae.values[0]=k!=null?Wt(_.ori==0?ve:Me,k):null,Ae.values[1]=E!=
null?Wt(_.ori==1?ve:Me,E):null}_s(yl,s,ve,Me,J,R,f)}if(In){let k=d&&Ae.setSeries,E=qt.prox;_n==null?Zt<=E&&jt(un,is,!0,k):
Zt>E?jt(null,is,!0,k):un!=_n&&jt(un,is,!0,k)}}vt&&(ee.idx=f,Xi()),c!==!1&&We("setCursor")}let pn=null;Object.defineProperty(
s,"rect",{get(){return pn==null&&Ts(!1),pn}});function Ts(a=!1){a?pn=null:(pn=L.getBoundingClientRect(),We("syncRect",pn))}
function $r(a,c,d,f,h,w,x){V._lock||an&&a!=null&&a.movementX==0&&a.movementY==0||(el(a,c,d,f,h,w,x,!1,a!=null),a!=null?Ln(
null,!0,!0):Ln(c,!0,!1))}function el(a,c,d,f,h,w,x,k,E){if(pn==null&&Ts(!1),Mn(a),a!=null)d=a.clientX-pn.left,f=a.clientY-
pn.top;else{if(d<0||f<0){ve=-10,Me=-10;return}let[C,A]=Ae.scales,O=c.cursor.sync,[B,ae]=O.values,[re,te]=O.scales,[G,z]=Ae.
match,ye=c.axes[0].side%2==1,Ce=_.ori==0?J:R,Ue=_.ori==1?J:R,he=ye?w:h,$e=ye?h:w,pt=ye?f:d,nt=ye?d:f;if(re!=null?d=G(C,re)?
u(B,T[C],Ce,0):-10:d=Ce*(pt/he),te!=null?f=z(A,te)?u(ae,T[A],Ue,0):-10:f=Ue*(nt/$e),_.ori==1){let yt=d;d=f,f=yt}}E&&(c==
null||c.cursor.event.type==yl)&&((d<=1||d>=J-1)&&(d=Dn(d,J)),(f<=1||f>=R-1)&&(f=Dn(f,R))),k?(Mr=d,Tr=f,[ts,ns]=V.move(s,
d,f)):(ve=d,Me=f)}let tl={width:0,height:0,left:0,top:0};function nl(){Xs(tl,!1)}let Ar,Rr,Dr,Or;function Nr(a,c,d,f,h,w,x){
an=!0,qe=je=Ke._x=Ke._y=!1,el(a,c,d,f,h,w,x,!0,!1),a!=null&&(tt(kl,_l,Hr,!1),_s(yo,s,ts,ns,J,R,null));let{left:k,top:E,width:C,
height:A}=xe;Ar=k,Rr=E,Dr=C,Or=A}function Hr(a,c,d,f,h,w,x){an=Ke._x=Ke._y=!1,el(a,c,d,f,h,w,x,!1,!0);let{left:k,top:E,width:C,
height:A}=xe,O=C>0||A>0,B=Ar!=k||Rr!=E||Dr!=C||Or!=A;if(O&&B&&Xs(xe),Ke.setScale&&O&&B){let ae=k,re=C,te=E,G=A;if(_.ori==
1&&(ae=E,re=A,te=k,G=C),qe&&cn(N,Wt(ae,N),Wt(ae+re,N)),je)for(let z in T){let ye=T[z];z!=N&&ye.from==null&&ye.min!=ge&&cn(
z,Wt(te+G,z),Wt(te,z))}nl()}else V.lock&&(V._lock=!V._lock,Ln(c,!0,a!=null));a!=null&&(Wn(kl,_l),_s(kl,s,ve,Me,J,R,null))}
function mu(a,c,d,f,h,w,x){if(V._lock)return;Mn(a);let k=an;if(an){let E=!0,C=!0,A=10,O,B;_.ori==0?(O=qe,B=je):(O=je,B=qe),
O&&B&&(E=ve<=A||ve>=J-A,C=Me<=A||Me>=R-A),O&&E&&(ve=ve<ts?0:J),B&&C&&(Me=Me<ns?0:R),Ln(null,!0,!0),an=!1}ve=-10,Me=-10,me.
fill(null),Ln(null,!0,!0),k&&(an=k)}function Vr(a,c,d,f,h,w,x){V._lock||(Mn(a),Vi(),nl(),a!=null&&_s(Eo,s,ve,Me,J,R,null))}
function zr(){W.forEach(Bd),Hi(s.width,s.height,!0)}Hn(mi,us,zr);let ls={};ls.mousedown=Nr,ls.mousemove=$r,ls.mouseup=Hr,
ls.dblclick=Vr,ls.setSeries=(a,c,d,f)=>{let h=Ae.match[2];d=h(s,c,d),d!=-1&&jt(d,f,!0,!1)},et&&(tt(yo,L,Nr),tt(yl,L,$r),
tt(ko,L,a=>{Mn(a),Ts(!1)}),tt(So,L,mu),tt(Eo,L,Vr),Ol.add(s),s.syncRect=Ts);let ei=s.hooks=e.hooks||{};function We(a,c,d){
Yi?Ss.push([a,c,d]):a in ei&&ei[a].forEach(f=>{f.call(null,s,c,d)})}(e.plugins||[]).forEach(a=>{for(let c in a.hooks)ei[c]=
(ei[c]||[]).concat(a.hooks[c])});let Fr=(a,c,d)=>d,Ae=De({key:null,setSeries:!1,filters:{pub:Oo,sub:Oo},scales:[N,M[1]?M[1].
scale:null],match:[No,No,Fr],values:[null,null]},V.sync);Ae.match.length==2&&Ae.match.push(Fr),V.sync=Ae;let qr=Ae.key,sl=Aa(
qr);function _s(a,c,d,f,h,w,x){Ae.filters.pub(a,c,d,f,h,w,x)&&sl.pub(a,c,d,f,h,w,x)}sl.sub(s);function hu(a,c,d,f,h,w,x){
Ae.filters.sub(a,c,d,f,h,w,x)&&ls[a](null,c,d,f,h,w,x)}s.pub=hu;function gu(){sl.unsub(s),Ol.delete(s),xn.clear(),Cl(mi,
us,zr),m.remove(),ue?.remove(),We("destroy")}s.destroy=gu;function il(){We("init",e,t),br(t||e.data,!1),q[N]?Ji(N,q[N]):
Vi(),Bs=xe.show&&(xe.width>0||xe.height>0),En=vt=!0,Hi(e.width,e.height)}return M.forEach(hr),W.forEach(Kc),n?n instanceof
HTMLElement?(n.appendChild(m),il()):n(s,il):il(),s}Je.assign=De;Je.fmtNum=jl;Je.rangeNum=hi;Je.rangeLog=wi;Je.rangeAsinh=
Fl;Je.orient=zn;Je.pxRatio=ce;Je.join=Vp;Je.fmtDate=Ul,Je.tzDate=Yp;Je.sync=Aa;{Je.addGap=$d,Je.clipGaps=yi;let e=Je.paths=
{points:Va};e.linear=Fa,e.stepped=Dd,e.bars=Od,e.spline=Hd}var Ua=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"log-probability gap",names:["train/logprob_gap"],unit:"\
nats, maximum"},{title:"groups with equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Mi(e){let t=new Set(
e);return Ua.map(s=>({...s,names:s.names.filter(i=>t.has(i))})).filter(s=>s.names.length>0)}function Ga(e){let t=new Set(
Ua.flatMap(s=>s.names)),n=new Map;for(let s of e.filter(i=>!t.has(i)).sort()){let i=Kd(s);n.set(i,[...n.get(i)??[],s])}return n}
function Kd(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}/${t[1]}`:t.length>
1?t[0]:"other"}function Ql(e,t,n){if(t.names.some(l=>l.startsWith("validation/"))&&t.names.length>1)return e.startsWith(
"validation/")?"held-out":"training";let i=n.get(e)?.label??(t.names.length===1?e:e.replace(/^[^/]*\//,""));return t.names.
length===1?i:i.replace(/ seconds$/,"")}function Ia(e,t){let n=e.names.flatMap(i=>t.get(i)??[]);return n.length===0?"":e.
names.some(i=>i.startsWith("validation/"))||n.length===1?n[0].meaning:n.map(i=>`${Ql(i.name,e,t)}: ${i.meaning}`).join("\
; ")}function Ba(e,t){let n=e.filter(l=>l[1]!==null).map(l=>l[0]),s=n.at(-1);if(s===void 0||t===void 0)return;let i=Math.
max(1,...n.slice(1).map((l,o)=>l-n[o]));return t-s>=i?s:void 0}var Ja={stages:[],checkpoints:[],marks:[]},Ka=170,Ti=["--s1","--s2","--s3","--s4","--s5","--s6"],ws=class{constructor(t,n,s,i){
this.options=t;this.lines=n;this.ground=s;this.signal=i;$(this.element,r("h3",null,t.title,t.unit?r("span",{class:"dim"},
" "+t.unit):null),t.about?r("p",{class:"about dim",title:t.about},t.about):null,this.place,this.legend),this.data=Ya(n),
this.values(null);let l=new ResizeObserver(()=>this.fit());l.observe(this.place),i.addEventListener("abort",()=>{l.disconnect(),
this.plot?.destroy()},{once:!0}),ho(()=>this.make(),i)}options;lines;ground;signal;element=r("figure",{class:"chart"});plot;place=r(
"div",{class:"plot"});legend=r("figcaption",null);data=[[]];update(t,n){let s=t.length===this.lines.length&&t.every((i,l)=>i.
label===this.lines[l].label);this.lines=t,this.ground=n,this.data=Ya(t),s&&this.plot?this.plot.setData(this.data):this.make(),
this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||(this.plot?this.plot.setSize({width:t,height:Ka}):
this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.aborted)return;this.plot?.destroy(),this.place.replaceChildren();
let n=this.data[0].length<40,s={stroke:tn("--dim"),grid:{stroke:tn("--grid"),width:1},ticks:{stroke:tn("--grid"),width:1},
font:"11px system-ui, sans-serif"};this.plot=new Je({width:t,height:Ka,legend:{show:!1},padding:[this.ground.stages.length>
1?16:8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:
{}},scales:{x:{time:!1,range:(i,l,o)=>this.reach(i,l,o)},y:{range:(i,l,o)=>this.range(l,o)}},axes:[{...s,size:26,incrs:[
1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},{...s,size:52,values:(i,l)=>l.map(o=>this.text(o))}],series:[{},
...this.lines.map((i,l)=>({label:i.label,stroke:tn(Ti[l%Ti.length]),width:1.5,spanGaps:!0,points:{show:n,size:4}}))],hooks:{
drawClear:[i=>Yd(i,this.ground)],draw:[i=>Qd(i,this.ground)],setCursor:[i=>this.values(i.cursor.idx??null)]}},this.data,
this.place),this.plot.over.addEventListener("click",()=>this.click())}reach(t,n,s){let i=t.data[0],l=n===i[0]&&s===i.at(
-1),o=this.ground.last;return l&&o!==void 0&&o>0?[Math.min(0,n),Math.max(o,s)]:[n,s]}range(t,n){if(this.options.share&&(n??
0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)return[0,1];let s=(n-t)*.06||Math.abs(n)*.1||1;return[t>=0&&t-s<0?
0:t-s,n+s]}text(t){return this.options.share?Ye(t).replace(/\.0 %$/," %"):y(t,3)}click(){let t=this.plot?.cursor.idx;if(t==
null||!this.options.open)return;let n=this.data[0][t];n!==void 0&&this.options.open(n)}values(t){let n=this.data[0],s=t!==
null&&t<n.length?t:null;$(this.legend,r("span",{class:"dim"},s!==null?`step ${y(n[s])}`:"last"),this.lines.map((i,l)=>{let o=[
...this.data[l+1]??[]],u=s!==null?o[s]:o.findLast(m=>m!=null),p=s===null?Ba(i.points,this.ground.last):void 0;return r("\
span",{class:"key"},r("i",{class:"swatch",vars:{"--swatch":`var(${Ti[l%Ti.length]})`}}),i.label===this.options.title?null:
i.label+" ",r("b",null,this.exactly(u)),p===void 0?null:r("span",{class:"dim"},` at step ${y(p)}`))}))}exactly(t){return this.
options.share?Ye(t):y(t)}};function Yd(e,t){let{ctx:n,bbox:s}=e;n.save(),n.font=`${11*devicePixelRatio}px system-ui, san\
s-serif`,t.stages.forEach((i,l)=>{let o=Math.max(s.left,e.valToPos(i.first_step-.5,"x",!0)),u=i.last_step??1/0,p=Number.
isFinite(u)?e.valToPos(u+.5,"x",!0):s.left+s.width,m=Math.min(s.left+s.width,p);m<=o||(l%2===1&&(n.fillStyle=tn("--band"),
n.fillRect(o,s.top,m-o,s.height)),t.stages.length>1&&m-o>40*devicePixelRatio&&(n.fillStyle=tn("--dim"),n.beginPath(),n.save(),
n.rect(o,0,m-o-6*devicePixelRatio,s.top),n.clip(),n.fillText(Rt(i.name.slice(0,40)),o,s.top-4*devicePixelRatio),n.restore()))}),
n.restore()}var Jd={kill:"--bad",resume:"--s1",take_up:"--s1",plugin_restart:"--warn"};function Qd(e,t){let{ctx:n,bbox:s}=e,
i=o=>o>=s.left&&o<=s.left+s.width;n.save();for(let o of t.marks){let u=Jd[o.kind];if(o.step===void 0||!u)continue;let p=e.
valToPos(o.step+.5,"x",!0);i(p)&&(n.strokeStyle=tn(u),n.lineWidth=devicePixelRatio,n.setLineDash([3*devicePixelRatio,3*devicePixelRatio]),
n.beginPath(),n.moveTo(p,s.top),n.lineTo(p,s.top+s.height),n.stroke())}n.setLineDash([]);let l=s.top+s.height;for(let o of t.
checkpoints){let u=e.valToPos(o.step,"x",!0);i(u)&&(n.fillStyle=tn(o.best?"--s2":"--dim"),n.beginPath(),n.moveTo(u,l-(o.
best?9:6)*devicePixelRatio),n.lineTo(u-3.5*devicePixelRatio,l),n.lineTo(u+3.5*devicePixelRatio,l),n.fill())}n.restore()}
function Ya(e){let t=[...new Set(e.flatMap(i=>i.points.map(l=>l[0])))].sort((i,l)=>i-l),n=new Map(t.map((i,l)=>[i,l])),s=e.
map(i=>{let l=new Array(t.length).fill(void 0);for(let[o,u]of i.points)l[n.get(o)]=u;return l});return[t,...s]}var Za=6;async function Xa(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Za);e.title({text:"compare "+t.join(", ")});
let n=(await si(e.signal)).runs,s=r("div",null),i=r("div",null);if($(e.root,r("div",{class:"bar"},r("h1",null,"Compare"),
Zd(t,n)),Xd(t,n),s,i),t.length<2){$(s,r("p",{class:"empty"},"Select a second run."));return}await Promise.all([Te(e,i,async()=>{
let[l,...o]=t,u=[];for(let p of o)u.push(nf(await Xr(l,p,e.signal),l,p));return u}),Te(e,s,()=>ef(e,t))])}function Zd(e,t){
let n=t.filter(i=>!e.includes(i.name)),s=r("select",{"aria-label":"add a run","data-filter":!0},r("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(i=>r("option",{value:i.name},i.name)));return s.disabled=e.length>=Za||n.length===0,
s.addEventListener("change",()=>{s.value!==""&&(location.hash=U(["compare"],{run:[...e,s.value]}))}),s}function Xd(e,t){
return r("div",{class:"sides"},e.map((n,s)=>{let i=t.find(l=>l.name===n);return r("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${s+1})`}},r("h2",null,r("i",{class:"swatch"}),r("a",{href:$n(n)},n)," ",i?As(i):null,r("a",{class:"qui\
et",title:"remove this run",href:U(["compare"],{run:e.filter(l=>l!==n)})},"\xD7")),i?fn([["step",y(i.step)],["held-out s\
uccess",Rs(i)],["adapter",i.adapter],["spec",i.spec]]):r("p",null,"No run with this name in this directory."))}))}async function ef(e,t){
let n=await Promise.all(t.map(g=>Cn(g,e.signal))),s=n.map(g=>new Set(g.metrics??[])),i=[...new Set(n.flatMap(g=>g.metrics??
[]))],l=i.filter(g=>s.every(b=>b.has(g))),o=i.filter(g=>!s.every(b=>b.has(g))),u=Mi(i).flatMap(g=>g.names),p=g=>{let b=r(
"div",null);return Te(e,b,async()=>r("div",{class:"grid"},await tf(e,t,g))),b},m=l.filter(g=>!u.includes(g)).sort().slice(
0,60);return[p(u),m.length>0?Pe(`${fe(m.length,"other metric")} of all runs`,()=>p(m)):null,o.filter(g=>!u.includes(g)).
length>0?Pe("metrics of some runs only",()=>p(o.filter(g=>!u.includes(g)).sort().slice(0,60))):null]}async function tf(e,t,n){
if(n.length===0)return[];let s=await Promise.all(t.map(i=>ii(i,n,void 0,e.signal)));return n.map(i=>new ws({title:i,sync:"\
compare",share:i.endsWith("success_rate")},t.map((l,o)=>({label:l,points:s[o].series[i]??[]})),Ja,e.signal).element)}function nf(e,t,n){
let s=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],i=new Set(
e.unrecorded??[]),l=s.filter(([o,u])=>(u??[]).length===0&&!i.has(o)).map(([o])=>o);return de(`Differences between ${t} a\
nd ${n}`,e.same_digest?r("p",null,"Their newest checkpoints are identical."):null,l.length>0?r("p",null,`Equal in both: ${l.
join(", ")}.`):null,i.size>0?r("p",{class:"dim"},`Not compared, because a run of an earlier version does not record it: ${[
...i].join(", ")}.`):null,s.filter(([,o])=>(o??[]).length>0).map(([o,u])=>[r("h3",null,o),_e([{title:"",half:!0,cell:p=>r(
"code",null,p.path)},{title:t,half:!0,cell:p=>Qa(p.a)},{title:n,half:!0,cell:p=>Qa(p.b)}],u.slice(0,300))]))}function Qa(e){
if(e===void 0)return r("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return r("span",{class:"\
value"},t.length>300?t.slice(0,300)+" \u2026":t)}async function ec(e,t,n){let s=[];for(let i of t){let l=await os(e,i,n).catch(()=>null);l&&s.push(l)}return sf(s)}function sf(e){
let t=[_i(e,s=>s.failure?.detail&&`\u201C${nc(s.failure.detail)}\u201D`),_i(e,s=>s.limit?.words),_i(e,s=>lf(s)),_i(e,s=>rf(
s))].filter(s=>s!==null);if(t.length===0)return null;let n=t.map(s=>s.of===e.length?s.words:`${s.words} (${y(s.of)} of t\
hem)`);return`In a sample of ${y(e.length)}: ${n.join("; ")}.`}function _i(e,t){let n=new Map;for(let l of e){let o=t(l);
o&&n.set(o,(n.get(o)??0)+1)}let[s,i]=[...n].sort((l,o)=>o[1]-l[1])[0]??["",0];return 2*i>e.length?{words:s,of:i}:null}function tc(e){
return(e.transcripts??[]).flatMap(t=>t.messages)}function lf(e){let[t]=tc(e).flatMap(n=>n.malformed??[]);return t&&`\u201C${nc(
t.reason)}\u201D`}function rf(e){let t=tc(e),n=new Set(t.map(i=>i.tool_call_id)),s=t.flatMap(i=>i.tool_calls??[]).find(i=>!n.
has(i.id));return s&&`the call of ${s.name} has no result`}function nc(e){return e.length>160?e.slice(0,160)+"\u2026":e}var of=.7,af=1;function ic(e,t,n){let s=t.findings??[],i=Zl(n),l=t.not_checked??[];return s.length+i.length+l.length===0?
null:de("Findings",s.length===0?r("p",{class:"dim"},"No rule has found anything wrong."):null,s.map(o=>uf(e,t,o)),i.length===
0?null:r("ul",{class:"findings"},i.map(o=>ff(e,t,o))),l.length===0?null:Pe(`Not checked: ${fe(l.length,"rule")}`,()=>cf(
l)))}function cf(e){let t=n=>[...n.needs??[],...n.any?[n.any.join(" or ")]:[]].join(", ");return[r("p",{class:"dim"},"Th\
e trainer or the spec does not provide the metrics that these rules need."),_e([{title:"rule",cell:n=>r("code",null,n.id)},
{title:"what it finds",cell:n=>n.title},{title:"needs",wide:!0,cell:n=>r("code",null,t(n))}],e)]}function uf(e,t,n){let s=n.
severity==="error",i=u=>r("a",{href:Ge(t.name,u)},y(u)),l=pf(n),o=(n.episodes??[]).map((u,p)=>[" ",r("a",{href:Ze(t.name,
u),title:u},`example ${p+1}`)]);return r("article",{class:"finding item"+(s?" severe":"")},r("header",null,r("span",{class:"\
badge "+(s?"bad":"warn")},n.severity),r("b",null,n.summary),r("span",{class:"dim"},n.first_step===n.last_step?["step ",i(
n.first_step)]:["steps ",i(n.first_step)," to ",i(n.last_step)],(t.stages??[]).length>1?`, ${n.stage}`:"")),(n.causes??[]).
length===0?null:[r("p",{class:"dim"},"Likely causes:"),r("ul",null,n.causes.map(u=>r("li",null,u)))],r("p",null,r("b",null,
"Remedy: "),n.remedy),o.length===0?null:df(e,t,n),r("p",{class:"more"},o.length===0?null:["Episodes:",o],l?[" ",r("a",{href:U(
["run",t.name,"episodes"],l)},"all such episodes")]:null," ",nn(`awhost docs ${n.docs}`)))}function pf(e){let t="train";
switch(e.id){case"failures":return e.subject?{split:t,class:e.subject}:{split:t,outcome:"FAILED"};case"cut":return{split:t,
outcome:"TRUNCATED"};case"malformed_calls":return{split:t,malformed_min:"1"}}return null}function df(e,t,n){let s=r("div",
{class:"dim","aria-live":"polite"});return ec(t.name,n.episodes,e.signal).then(i=>{i&&!e.signal.aborted&&$(s,i)}),s}function ff(e,t,n){
let s=r("div",{class:"dim","aria-live":"polite"});n.look&&ri(t.name,e.signal).then(l=>{let o=mf(l.settings);o&&!e.signal.
aborted&&$(s,o)},()=>{});let i=U(["run",t.name,"episodes"],n.query);return r("li",{class:"item",data:{href:i}},r("b",null,
n.words)," ",n.advice," ",r("a",{href:i},"Show episodes"),s)}function mf(e){let t=e.filter(s=>s.path.startsWith("environ\
ment.")&&(s.path.endsWith(".ground_truth")&&s.value===!0||JSON.stringify(s.value).includes("task.private")));return t.length===
0?null:`The spec gives the private part of tasks to the environment: ${t.slice(0,5).map(s=>`${s.path} = ${JSON.stringify(
s.value)}`).join("; ")}.`}function Zl(e){return[...hf(e),...bf(e)]}function hf(e){let t=e.map(n=>n.success).filter(n=>typeof n==
"number");return t.length<2||t.some(n=>n!==1)?[]:[{words:"All tasks are solved from the first step on.",advice:"Check wh\
ether a tool or the prompt contains the answer.",query:{split:"train"},look:!0}]}var gf={model:"messages of the policy",
tool:"the environment",reward:"rewards",siblings:"waiting for other samples of the group",host:"awhost"};function bf(e){
let t=new Map;for(let o of e)for(let[u,p]of Object.entries(o.parts??{}))u!=="queue"&&t.set(u,(t.get(u)??0)+p);let n=sc([
...t.values()]),[s,i]=[...t].sort((o,u)=>u[1]-o[1])[0]??["",0],l=i/Math.max(1,sc(e.map(o=>o.episodes)));return n===0||i<
of*n||s==="model"||l<af?[]:[{words:`${Ye(i/n)} of the episodes' time went into ${gf[s]??s}`,advice:`(${Ie(l)} per episod\
e).`,query:{split:"train",sort:"-seconds"}}]}function sc(e){return e.reduce((t,n)=>t+(n??0),0)}var lc=25;async function ac(e,t){e.title({text:t});let n=await Cn(t,e.signal),s=r("div",null),i=r("div",null),l=new Xl(e,
n),o=new er(e,n),u=r("div",null),p=r("div",null),m=r("div",null),g=S=>{$(s,xf(S)),$(m,yf(S)),$(u,_f(S),Tf(S),Lf(S),$f(S),
Af(S)),document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",S.status)};g(n);let b=n.played?r("p",
{class:"dim"},wf):[l.element,o.element];if($(e.root,s,p,m,i,b,u,kf(e,t)),e.key("e","all episodes",()=>{location.hash=U([
"run",t,"episodes"])}),e.key("a","all tasks",()=>{location.hash=U(["run",t,"tasks"])}),e.key("v","validations",()=>{location.
hash=U(["run",t,"validations"])}),e.key("s","the newest step",()=>{location.hash=Ge(t,Math.max(0,n.step))}),n.played||(l.
load(),o.load(),rc(e,n,p)),!n.live)return;oc(e,t,i),e.onLive(t,S=>{v(S)});let v=async S=>{let L=new Set(S.map(D=>D.kind)),
P=await Cn(t,e.signal).catch(()=>null);!P||e.signal.aborted||(Object.assign(n,P),g(P),!n.played&&(L.has("step")||L.has("\
state"))&&(l.refresh(P,L.has("state")),o.refresh(P),rc(e,P,p)),oc(e,t,i))}}var wf="Tasks of awhost debug. Nothing is tra\
ined, so the run has no curves, steps, or checkpoints.",vf=50;async function rc(e,t,n){let s=await Ls(t.name,Math.max(0,
t.step-vf+1),Math.max(0,t.step),e.signal).catch(()=>null);if(e.signal.aborted)return;let i=s?.steps??[],l=JSON.stringify(
[t.findings,t.not_checked,Zl(i)]);n.dataset.drawn!==l&&(n.dataset.drawn=l,$(n,ic(e,t,i)))}function xf(e){let t=[e.step>=
0?`${y(e.step)}${e.steps?` of ${y(e.steps)}`:""}`:"none"];return[r("div",{class:"bar"},r("h1",null,e.name),As(e),r("span",
{class:"grow"}),r("a",{class:"button",href:U(["run",e.name,"episodes"])},"Episodes"),r("a",{class:"button",href:U(["run",
e.name,"tasks"])},"Tasks"),r("a",{class:"button",href:U(["run",e.name,"validations"])},"Validations"),r("a",{class:"butt\
on",href:U(["compare"],{run:[e.name]})},"Compare")),fn([["step",e.played?null:t],["stage",e.stage],["held-out success",e.
played?null:Rs(e)],["episodes",e.episodes===void 0?null:y(e.episodes)],["adapter",e.adapter],["train",e.train],["dataset",
e.played?.dataset],["policy",e.played?.policy],["spec",e.spec],["machine",e.machine],["started",An(e.started)],["duratio\
n",e.live||e.ended?ci(e.started,e.live?void 0:e.ended):null],["disk",Dt(e.disk_bytes)],["digest",e.digest?r("code",null,
e.digest.slice(0,19)):null]]),Sf(e)]}function yf(e){return[e.problem||e.reason?r("p",{class:"warning"},e.problem??e.reason):
null,(e.warnings??[]).map(t=>r("p",{class:"warning",role:"status"},t))]}function kf(e,t){return Pe(r("b",null,"Spec"),()=>{
let n=r("div",null);return Te(e,n,async()=>{let s=(await ri(t,e.signal)).settings.map(u=>[u.path,JSON.stringify(u.value)]),
i=r("div",null),l=r("input",{type:"search",placeholder:"setting or value","aria-label":"filter settings"}),o=()=>{let u=l.
value.trim().toLowerCase(),p=s.filter(([m,g])=>`${m} = ${g}`.toLowerCase().includes(u));$(i,_e([{title:"setting",cell:([
m])=>r("code",null,m)},{title:"value, including defaults",wide:!0,cell:([,m])=>Re(m,400)}],p.slice(0,500)),p.length>500?
r("p",{class:"dim"},`${fe(p.length-500,"more setting")}: refine the filter`):null)};return l.addEventListener("input",o),
o(),[l,i]}),n})}function Sf(e){let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,s)=>s[1]-n[1]);return t.
length===0?null:r("p",{class:"chips"},r("span",{class:"dim"},"Failed: "),t.map(([n,s])=>r("a",{class:"chip bad",href:U([
"run",e.name,"episodes"],{class:n})},`${n.toLowerCase()} `,r("b",null,y(s)))))}var Xl=class{constructor(t,n){this.view=t;
this.run=n}view;run;element=r("section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";about=new Map;async load(){
this.drawn=(this.run.metrics??[]).join(`
`),this.about=new Map((this.run.about??[]).map(s=>[s.name,s]));let t=Mi(this.run.metrics??[]),n=r("div",{class:"grid"});
await Te(this.view,this.element,async()=>(await this.fetch(t.flatMap(s=>s.names)),$(n,t.map(s=>this.chart(s))),t.length===
0?r("p",{class:"empty"},"No curves: no step has ended."):[n,[...Ga(this.run.metrics??[])].map(([s,i])=>this.part(s,i))]))}part(t,n){
let s=[r("b",null,t),r("span",{class:"dim"},` ${fe(n.length,"metric")}`)];return Pe(s,()=>{let i=r("div",null),l=24,o=u=>Te(
this.view,i,async()=>{let p=n.slice(u,u+l);return await this.fetch(p),[r("div",{class:"grid"},p.map(m=>this.chart(this.alone(
m)))),n.length>l?r("div",{class:"pager"},r("button",{disabled:u===0,onclick:()=>{o(u-l)}},"\u2190"),r("span",null,`${u+1}\
 to ${u+p.length} of ${n.length}`),r("button",{disabled:u+l>=n.length,onclick:()=>{o(u+l)}},"\u2192")):null]});return o(
0),i})}alone(t){let n=this.about.get(t);return{title:n?.label??t,names:[t],unit:n?.unit,share:n?.unit==="fraction"}}chart(t){
let n=new ws({title:t.title,about:Ia(t,this.about),unit:t.unit,share:t.share,sync:"run",open:s=>{location.hash=Ge(this.run.
name,s)}},this.lines(t),this.ground(),this.view.signal);return this.charts.push({of:t,chart:n}),n.element}lines(t){return t.
names.map(n=>({label:Ql(n,t,this.about),points:this.points.get(n)??[]}))}ground(){return{stages:this.run.stages??[],checkpoints:this.
run.checkpoints??[],marks:this.run.marks??[],last:this.run.step}}async fetch(t,n){if(t.length===0)return;let{series:s}=await ii(
this.run.name,t,n,this.view.signal);for(let[i,l]of Object.entries(s)){let o=n===void 0?[]:(this.points.get(i)??[]).filter(
u=>u[0]<=n);this.points.set(i,[...o,...l])}}async refresh(t,n){if(this.run=t,this.drawn===""||this.charts.length===0&&(t.
metrics??[]).length>0)return this.load();let s=[...new Set(this.charts.flatMap(l=>l.of.names))],i=Math.max(-1,...s.flatMap(
l=>(this.points.get(l)??[]).slice(-1).map(o=>o[0])));try{await this.fetch(s,n||i<1?void 0:i-1)}catch{return}for(let{of:l,
chart:o}of this.charts)o.update(this.lines(l),this.ground())}},er=class{constructor(t,n){this.view=t;this.run=n;this.element.
append(this.place)}view;run;element=de("Steps");place=r("div",null);top;load(){return Te(this.view,this.place,()=>this.draw())}async refresh(t){
if(this.run=t,this.top===void 0&&!this.place.contains(document.activeElement)){let n=await this.draw().catch(()=>null);n&&
!this.view.signal.aborted&&$(this.place,n)}}async draw(){let t=this.top??this.run.step,n=Math.max(0,t-lc+1),{steps:s}=await Ls(
this.run.name,n,Math.max(0,t),this.view.signal);if(s.length===0)return r("p",{class:"empty"},"No steps: none has ended.");
let i=l=>{let o=t+l*lc;this.top=o>=this.run.step?void 0:o,this.load()};return[Ef(this.run.name,[...s].sort((l,o)=>o.step-
l.step)),n>0||this.top!==void 0?r("div",{class:"pager"},r("button",{disabled:this.top===void 0,onclick:()=>i(1)},"\u2190 Newe\
r"),r("span",null,`steps ${n} to ${t}`),r("button",{disabled:n===0,onclick:()=>i(-1)},"Older \u2192")):null]}};function Ef(e,t){
let n=[...new Set(t.flatMap(s=>Object.keys(s.seconds??{})))];return _e([{title:"step",right:!0,cell:s=>r("a",{href:Ge(e,
s.step)},y(s.step))},{title:"stage",cell:s=>s.stage??"\u2013"},{title:"episodes",right:!0,cell:s=>y(s.episodes)},{title:"\
reward",right:!0,cell:s=>y(s.reward)},{title:"success",right:!0,cell:s=>Ye(s.success)},{title:"failed",right:!0,cell:s=>Li(
s.failed)},{title:"truncated",right:!0,cell:s=>Li(s.truncated)},...n.map(s=>({title:s.replaceAll("_"," "),right:!0,cell:i=>Ie(
i.seconds?.[s])})),{title:"",wide:!0,cell:()=>""}],t,s=>Ge(e,s.step))}function Li(e){return e?r("span",{class:"bad"},y(e)):
y(e)}var Mf={start:"started",resume:"resumed",kill:"killed",end:"ended",take_up:"trainer reattached",stage:"stage",plugin_restart:"\
plugin restarted"};function Tf(e){let t=[...e.marks??[]].sort((i,l)=>l.time.localeCompare(i.time));if(t.length===0)return null;
let n=i=>_e([{title:"time",cell:l=>An(l.time)},{title:"step",right:!0,cell:l=>y(l.step)},{title:"what",cell:l=>r("span",
{class:"badge "+(l.kind==="kill"?"bad":"")},Mf[l.kind]??l.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:l=>l.text}],
i),s=10;return de("Events",n(t.slice(0,s)),t.length>s?Pe(`${fe(Math.min(t.length,500)-s,"earlier entry").replace("entrys",
"entries")}`,()=>n(t.slice(s,500))):null)}function _f(e){let t=[...e.tools??[]].sort((n,s)=>s.errors-n.errors||s.calls-n.
calls);return t.length===0&&!e.malformed?null:de("Tools",t.length===0?null:_e([{title:"tool",cell:n=>r("code",{class:"sh\
ort",title:n.name},n.name)},{title:"calls",right:!0,cell:n=>y(n.calls)},{title:"errors",right:!0,cell:n=>Li(n.errors)},{
title:"error share",right:!0,cell:n=>n.calls>0?Ye(n.errors/n.calls):"\u2013"},{title:"",wide:!0,cell:()=>""}],t),e.malformed?
r("p",null,r("b",null,fe(e.malformed,"malformed call"))," could not be parsed, so that their tools are unknown. ",r("a",
{href:U(["run",e.name,"episodes"],{split:"train",malformed_min:"1"})},"Show episodes")):null)}function Lf(e){return(e.plugins??
[]).length===0?null:de("Plugins",_e([{title:"address",cell:t=>r("code",null,t.address)},{title:"plugin",cell:t=>`${t.name??
""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>Li(
t.restarts)},{title:"CPU",right:!0,cell:Pf},{title:"memory",right:!0,cell:t=>Dt(t.rss_bytes)},...e.plugins.some(t=>t.gpus)?
[{title:"GPU memory",right:!0,cell:t=>Cf(t)}]:[],{title:"last output",wide:!0,cell:t=>t.last_words?r("div",{class:"words"},
Re(t.last_words,400)):""}],e.plugins),e.played?null:r("p",{class:"dim"},"Output of all plugins: ",nn(`awhost logs ${e.name}`)))}
function Pf(e){return e.cpu_percent===void 0?Ie(e.cpu_seconds):[Ie(e.cpu_seconds),r("span",{class:"dim"},` ${Math.round(
e.cpu_percent)} %`)]}function Cf(e){return(e.gpus??[]).map(t=>r("div",null,r("span",{class:"dim"},`${t.index}: `),Dt(t.bytes)))}
function $f(e){return(e.gpus??[]).length===0?null:de("GPUs",_e([{title:"",right:!0,cell:t=>String(t.index)},{title:"name",
cell:t=>t.name??"\u2013"},{title:"memory",cell:t=>[`${Dt(t.used_bytes)} of ${Dt(t.total_bytes)}`,t.total_bytes?r("progre\
ss",{value:t.used_bytes??0,max:t.total_bytes,"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],e.gpus))}function Af(e){
let t=[...e.checkpoints??[]].sort((n,s)=>s.step-n.step).slice(0,200);return t.length===0?null:de("Checkpoints",_e([{title:"\
step",right:!0,cell:n=>r("a",{href:Ge(e.name,n.step)},y(n.step))},{title:"",cell:n=>n.best?r("span",{class:"badge good"},
"best"):""},{title:"path",wide:!0,cell:n=>n.path?nn(n.path):""}],t))}async function oc(e,t,n){let s=await Qr(t,e.signal).
catch(()=>null);if(!s||!s.live||e.signal.aborted)return $(n);if(s.waits.length===0)return $(n);let i=s.waits[0];$(n,Pe([
r("b",null,"Waits: "),Rf(i),s.waits.length>1?`, and ${s.waits.length-1} more`:""],()=>_e([{title:"who",cell:l=>l.episodes?
fe(l.episodes,"episode"):"the "+l.who},{title:"waits for",cell:l=>[l.for," ",l.address??"",l.call?`, ${l.call}`:""]},{title:"\
since",right:!0,cell:l=>Ie(l.seconds)},{title:"longest",cell:l=>l.episode?r("a",{href:Ze(t,l.episode)},l.episode):""},{title:"",
wide:!0,cell:l=>l.detail??""}],s.waits),n.querySelector("details")?.open??!1))}function Rf(e){return`${e.episodes?`${fe(
e.episodes,"episode")} wait`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${Ie(e.seconds)}`}var Vt=e=>({
text:e,href:$n(e)});function Tt(e){let t=e.filter(i=>typeof i=="number"&&Number.isFinite(i)),n=Math.min(0,...t),s=Math.max(1,...t);if(n<0){let i=Math.
max(-n,Math.max(0,...t));return{low:-i,high:i}}return{low:0,high:s}}function Pi(e){return{low:-e,high:e}}function _t(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let s=n.high-
n.low,i=s===0?.5:Math.min(1,Math.max(0,(t-n.low)/s));return e.classList.add(i<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(i-.5)*200)}%`),e}function bn(e,t,n,s=!1){let i=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",l=r("a",
{class:"cell"+(s?" here":""),href:Ze(e,t.id),title:Df(t),"aria-current":s?"true":void 0},i?Xe(t.outcome):t.reward===null||
t.reward===void 0?"none":y(t.reward,3),t.success===!0?r("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?r("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?r("span",{class:"cut","aria-label":"\
malformed calls"},"\u2260"):null);return _t(l,t.outcome==="FAILED"?null:t.reward,n)}function Df(e){let t=e.success===!0?
", solved":e.success===!1?", not solved":"",n=e.class?` (${Xe(e.class)})`:"",s=e.malformed?`, ${fe(e.malformed,"malforme\
d call")}`:"";return`${e.id}: ${Xe(e.outcome)}${n}, reward ${y(e.reward)}${t}${s}`}function Fn(e){let t=e.outcome==="SCO\
RED"&&!e.malformed,n=e.outcome==="FAILED"?"bad":t?"good":"warn";return r("span",{class:"badge "+n},e.outcome?Xe(e.outcome):
"given up",e.class?`: ${Xe(e.class)}`:"",e.malformed?`, ${fe(e.malformed,"malformed call")}`:"")}function cc(e,t){return _t(
r("span",{class:"cell small"},y(e.reward,3)),e.reward,t)}var dc=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],Of=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function fc(e){let t={};for(let n of dc){
let s=e.get(n);s&&(t[n]=s)}return t}function $i(e){return dc.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function mc(e,t,n){
let s=p=>t.get(p)??"",i=(p,m={})=>[...new Set([...Object.keys(m),s(p)])].filter(g=>g!=="").map(g=>[g,`${Xe(g)} (${y(m[g]??
0)})`]),l=["member","task","group","turns_min","turns_max","malformed_min"].some(p=>s(p)!==""),o=r("form",{class:"filter",
role:"search"},Ci("q","text",s("q"),{"data-filter":!0,placeholder:"text in the conversation",type:"search"}),tr("outcome",
s("outcome"),[["","any outcome"],...i("outcome",n.outcomes)]),tr("class",s("class"),[["","any failure"],...i("class",n.failures)]),
tr("sort",s("sort"),Of),pc("reward",s),r("details",{class:"more",open:l},r("summary",null,"more"),r("div",{class:"filter"},
pc("turns",s),Nf("malformed","malformed calls",s),Ci("task","task",s("task")),Ci("group","group",s("group")),Ci("member",
"member",s("member")))),r("button",null,"Filter"),$i(t)?r("a",{class:"button quiet",href:U(e,uc(t))},"Clear"):null),u=()=>{
let p=uc(t);for(let[m,g]of new FormData(o))typeof g=="string"&&g.trim()!==""&&(p[m]=g.trim());location.hash=U(e,p)};return o.
addEventListener("submit",p=>{p.preventDefault(),u()}),o.addEventListener("change",p=>{p.target instanceof HTMLSelectElement&&
u()}),o}function uc(e){let t={};for(let n of["split","layout","expected"]){let s=e.get(n);s&&(t[n]=s)}return t}function Ci(e,t,n,s={}){
return r("label",null,r("span",null,t),r("input",{name:e,value:n,type:"text",autocomplete:"off",...s}))}function Nf(e,t,n){
let s={name:`${e}_min`,value:n(`${e}_min`),type:"number",min:0,placeholder:"from"};return r("label",{class:"range"},r("s\
pan",null,t),r("input",s))}function pc(e,t){let n=(s,i)=>r("input",{name:`${e}_${s}`,value:t(`${e}_${s}`),type:"number",
step:"any",placeholder:i,"aria-label":`${e} ${i}`});return r("label",{class:"range"},r("span",null,e),n("min","from"),n(
"max","to"))}function tr(e,t,n){let s=r("select",{name:e,"aria-label":e},n.map(([i,l])=>r("option",{value:i},l)));return s.
value=t,s}function qs(e,t){let n=new Map;for(let s of e){let i=t(s),l=n.get(i);l?l.push(s):n.set(i,[s])}return n}var Hf=100;async function sr(e,t,n){let s=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(Vt(t),{text:n===void 0?
"episodes":`step ${n}`});let i=await Cn(t,e.signal),l=new nr(e,i,n,s);$(e.root,Vf(e,i,n,s),n===void 0?null:zf(e,t,n),en===
void 0?mc(s,e.query,i):null,n===void 0||$i(e.query)?null:qf(e,t,n),l.element),await l.load(),i.live&&e.onLive(t,o=>l.hear(
o.some(u=>n===void 0||u.step===n)))}function Vf(e,t,n,s){let i=e.query.get("split")??"",l=Object.fromEntries([...e.query].
filter(([m])=>m!=="cursor")),o=(m,g)=>r("a",{class:"tab"+(i===m?" here":""),"aria-current":i===m?"true":void 0,href:U(s,
{...l,split:m})},g),u=e.query.get("layout")??"",p=m=>{location.hash=Ge(t.name,Math.max(0,(n??0)+m),{split:i})};return n!==
void 0&&(e.key("ArrowLeft","previous step",()=>p(-1)),e.key("ArrowRight","next step",()=>p(1))),r("div",{class:"bar"},r(
"h1",null,n===void 0?"Episodes":`Step ${y(n)}`),n===void 0?null:r("span",{class:"turn"},r("button",{disabled:n===0,title:"\
previous step (\u2190)","aria-label":"previous step",onclick:()=>p(-1)},"\u2190"),r("button",{title:"next step (\u2192)",
"aria-label":"next step",onclick:()=>p(1)},"\u2192")),t.played?null:r("span",{class:"tabs"},o("","All"),o("train","Train\
ing"),o("validation","Held-out")),n===void 0?null:r("span",{class:"tabs"},r("a",{class:"tab"+(u===""?" here":""),href:U(
s,{...l,layout:""})},"Groups"),r("a",{class:"tab"+(u==="list"?" here":""),href:U(s,{...l,layout:"list"})},"List")))}function zf(e,t,n){
let s=r("div",null);return Te(e,s,async()=>{let i=(await Ls(t,n,n,e.signal)).steps.find(l=>l.step===n);return i?fn([["st\
age",i.stage],["episodes",y(i.episodes)],["reward",y(i.reward)],["success",Ye(i.success)],["failed",y(i.failed)],["trunc\
ated",y(i.truncated)],...Ff(i)]):r("p",{class:"dim"},"The step has not ended, or belongs to another run.")}),s}function Ff(e){
return Object.entries(e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),Ie(n)])}function qf(e,t,n){let s=r("div",null),
i=e.query.get("split")??void 0,l=u=>Ps(t,{step:n,split:i,sort:u,limit:3},e.signal);Te(e,s,async()=>{let[u,p]=await Promise.
all([l("-reward"),l("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(u).length===0||m(u)[0].reward===
m(p)[0].reward)return null;let g=Tt([...m(u),...m(p)].map(b=>b.reward));return r("div",{class:"extremes"},o("Best",m(u),
g),o("Worst",m(p),g))});let o=(u,p,m)=>de(u,p.map(g=>r("p",{class:"answer"},bn(t,g,m)," ",r("a",{href:Ze(t,g.id),class:"\
quiet"},wn(g.answer)||"no answer"))));return s}var nr=class{constructor(t,n,s,i){this.view=t;this.run=n;this.step=s;this.
path=i;this.element.append(this.news,this.place)}view;run;step;path;element=r("div",null);place=r("div",null);news=r("di\
v",null);load(){return $(this.news),Te(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?$(this.news,
r("p",{class:"news"},r("button",{onclick:()=>{this.load()}},"Show new episodes"))):this.load()}async draw(){let t=this.view.
query.get("cursor")??void 0,n=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),s=n?
{sort:"group"}:{},i=await Ps(this.run.name,{...fc(this.view.query),...s,step:this.step,limit:Hf,cursor:t},this.view.signal);
if(i.episodes.length===0)return r("p",{class:"empty"},this.emptiness());let l=Tt(i.episodes.map(u=>u.reward)),o=i.total===
void 0?"":`${fe(i.total,"episode")}`;return[r("p",{class:"legend"},r("b",null,o),Gf(l),this.asks(n)),this.strip(i.episodes,
l),n?this.groups(i.episodes,l):this.list(i.episodes,l),this.pager(i,t)]}emptiness(){return $i(this.view.query)?"No match\
ing episodes.":this.run.live?"No episodes yet. The list updates automatically.":"No episodes."}strip(t,n){if(this.step!==
void 0||!this.view.query.get("task"))return null;let s=qs([...t].sort((i,l)=>i.step-l.step),i=>i.step);return de("All ep\
isodes of this task",r("div",{class:"strip"},[...s].map(([i,l])=>r("div",null,r("a",{class:"dim",href:Ge(this.run.name,i)},
`step ${i}`),l.map(o=>bn(this.run.name,o,n))))))}groups(t,n){let s=[...qs(t,i=>JSON.stringify([i.split,i.group])).values()].
sort(Uf);return r("div",{class:"groups"},s.map(i=>{let l=i.toSorted((p,m)=>p.sample-m.sample),o=l[0],u=$s(this.run.name,
o.group,o.step,o.split);return r("section",{class:"group item",data:{href:u}},r("div",{class:"of"},r("a",{href:u,title:"\
side by side"},o.split==="validation"?"held-out ":"",`group ${o.group}`),r("a",{class:"task",title:"all episodes of this\
 task",href:U(["run",this.run.name,"episodes"],{task:o.task})},o.task),r("span",{class:"dim"},If(l))),r("div",{class:"ce\
lls"},l.map(p=>bn(this.run.name,p,n))))}))}list(t,n){let s=this.run.name;return _e([...this.step===void 0&&!this.run.played?
[{title:"step",right:!0,cell:i=>r("a",{href:Ge(s,i.step)},y(i.step))}]:[],{title:"episode",cell:i=>r("a",{href:Ze(s,i.id),
title:i.id},js(i))},{title:"reward",right:!0,cell:i=>cc(i,n)},{title:"success",cell:i=>i.success===!0?"solved":i.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:Fn},{title:"task",cell:i=>r("a",{class:"short",href:U(["run",s,"episodes"],
{task:i.task})},i.task)},{title:"answer",wide:!0,cell:i=>r("div",{class:"short",title:i.answer},Wf(i))},...this.expected(),
{title:"turns",right:!0,cell:i=>y(i.turns)},{title:"tokens",right:!0,cell:i=>y(i.tokens)},{title:"duration",right:!0,cell:i=>Ie(
i.seconds)},{title:"attempt",right:!0,cell:i=>y(i.attempt)}],t,i=>Ze(s,i.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,n=Promise.resolve();return[{title:"private part",cell:i=>{let l=JSON.stringify([i.split,i.task]),
o=t.get(l)??n.then(()=>li(this.run.name,i.id,this.view.signal).then(jf),()=>"");t.set(l,o),n=o.catch(()=>{});let u=r("di\
v",{class:"private"},"\u2026");return o.then(p=>{u.title=Rt(p),$(u,wn(p))},p=>$(u,r("span",{class:"bad"},p instanceof Error?
p.message:""))),u}}]}asks(t){if(t||en!==void 0)return null;let n=Object.fromEntries([...this.view.query]),s=!!n.expected;
return r("a",{class:"button quiet",href:U(this.path,{...n,expected:s?"":"1"})},s?"Hide private parts":"Show private part\
s (expected answers)")}pager(t,n){if(!t.next&&!n)return null;let s=Object.fromEntries([...this.view.query].filter(([l])=>l!==
"cursor")),i=()=>{t.next&&(location.hash=U(this.path,{...s,cursor:t.next}))};return this.view.key("n","next page",i),r("\
div",{class:"pager"},r("button",{disabled:!n,onclick:()=>{location.hash=U(this.path,s)}},"First page"),r("button",{disabled:!n,
onclick:()=>history.back()},"\u2190 Back"),r("button",{disabled:!t.next,onclick:i},"Next page \u2192"))}};function js(e){
return`${e.group}, sample ${y(e.sample)}`}function jf(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([n,s])=>`${n}: ${typeof s=="string"?s:JSON.stringify(s)}`).
join(", ")}function Wf(e){let t=e.answer??"",n=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&n?"\u2026 "+wn(
t.slice(-60)):wn(t)}function Uf([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function Gf(e){return r("span",{class:"ramp"},r("span",null,y(e.low)),r("i",null),r("span",null,y(e.high)),r("i",{class:"\
hatched"}),r("span",null,"no reward"))}function If(e){let t=e.map(s=>s.reward).filter(s=>typeof s=="number");if(t.length===
0)return"no rewards";let n=t.reduce((s,i)=>s+i,0)/t.length;return t.length>1&&t.every(s=>s===t[0])?`all ${y(n,3)}: teach\
es nothing`:`mean ${y(n,3)}`}function wn(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var Bf=200;function Ws(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),s=r("div",{class:"conversation"});
if(n.reduce((p,m)=>p+m.messages.length,0)===0)return $(s,r("p",{class:"empty"},"No messages.")),s;let l=Kf(n),o=Yf(e,l),
u=p=>{s.querySelector(":scope > button")?.remove();let m=Math.min(l.length,p+Bf);Kt(s,Jf(l.slice(p,m),t,o)),m<l.length?s.
append(r("button",{onclick:()=>u(m)},`Show more: ${fe(l.length-m,"message")} left`)):e.limit?.cut&&s.append(r("p",{class:"\
cuthere",title:Rt(e.limit.words)},"\u2702 cut here"))};return u(0),s}function Kf(e){let t=[],n=new Map;for(let s of e){let i=s.
agent??"";for(let l of s.messages){let o=JSON.stringify([i,l.tool_call_id]),u=l.role==="tool"?n.get(o):void 0;if(u){u.results.
set(l.tool_call_id,l),n.delete(o);continue}let p={member:i,depth:Math.max(0,s.depth??0),message:l,results:new Map};for(let m of l.
tool_calls??[])n.set(JSON.stringify([i,m.id]),p);t.push(p)}}return t}function Yf(e,t){let n=t.filter(i=>i.message.role===
"assistant"),s=(e.transcripts?.length??1)===1&&n.length===e.episode.turns;return new Map(s?n.map((i,l)=>[i,l+1]):[])}function hc(e){
if(e.querySelector("[data-turn]"))return t=>{let n=e.querySelector(`[data-turn="${t}"]`);for(let s of e.querySelectorAll(
".current"))s.classList.remove("current");n?.classList.add("current"),n?.scrollIntoView({block:"start"})}}function Jf(e,t,n){
let s=r("div",null),i=[{element:s,member:""}];for(let l of e){let o=l.member===""?0:l.depth+1;for(;i.length>o+1||i.length===
o+1&&o>0&&i.at(-1).member!==l.member;)i.pop();for(;i.length<=o;){let u=r("details",{class:"member",open:!0},r("summary",
null,l.member));i.at(-1).element.append(u),i.push({element:u,member:l.member})}i.at(-1).element.append(Qf(l,t,n.get(l)))}
return[...s.childNodes]}function Qf(e,t,n){let s=e.message,i=s.role||"unknown",l=(s.content??"").length;return r("articl\
e",{class:`message item ${Xf(i)}${s.is_error?" error":""}`,data:n?{turn:String(n)}:void 0},r("header",null,r("b",null,i),
s.name?r("span",{class:"dim"},s.name):null,s.is_error?r("span",{class:"badge bad"},"error"):null,l>2e3?r("span",{class:"\
dim"},`${l.toLocaleString("en")} characters`):null),s.reasoning?Pe([r("b",null,"reasoning"),r("span",{class:"dim"}," "+ir(
s.reasoning))],()=>Re(s.reasoning),!1,"thinks"):null,s.content?Re(s.content,t):null,(s.images??[]).map(gc),(s.attachments??
[]).map(o=>wc(o,s.content??"")),(s.tool_calls??[]).map(o=>tm(o,e.results.get(o.id))),(s.malformed??[]).map(o=>r("div",{class:"\
malformed"},r("span",{class:"badge warn"},"malformed call")," ",o.reason,(s.content??"").includes(o.text)?null:Pe("text \
of the call",()=>Re(o.text)))),em(s)?r("p",{class:"dim"},"(nothing)"):null)}var Zf=new Set(["system","user","assistant",
"tool"]);function Xf(e){return Zf.has(e)?e:"other"}function em(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.
attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function tm(e,t){let n=[r("span",{class:"arrow"},"\u2192"),
r("b",null,e.name||"(no name)"),r("span",{class:"dim oneline"},ir(e.arguments)),t?.is_error?r("span",{class:"badge bad"},
"error"):null,r("span",{class:t&&!t.is_error?"result oneline":"oneline bad"},t?"\u2190 "+ir(t.content??""):"no result")];
return Pe(n,()=>r("div",{class:"body"},r("h4",null,"arguments"),Re(nm(e.arguments)),r("h4",null,"result"),t?[t.content?Re(
t.content):r("p",{class:"dim"},"(nothing)"),(t.images??[]).map(gc),(t.attachments??[]).map(s=>wc(s,t.content??""))]:r("p",
{class:"dim"},"The episode ended before the result.")),!1,t?.is_error?"call failed":"call")}function nm(e){if(e.length>1e6)
return e;try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function ir(e){return Cs(e.slice(0,300).replace(
/\s+/g," ").trim())}var sm=new Set(["image/png","image/jpeg","image/gif","image/webp"]),im=8<<20;function gc(e){let t=["\
picture",e.mime_type,e.url,e.data?Dt(Math.floor(e.data.length*3/4)):""];return bc(t.filter(n=>n).join(", "),e.mime_type,
e.data)}function bc(e,t,n){return!n||!t||!sm.has(t)||n.length>im||!/^[A-Za-z0-9+/]+=*$/.test(n)?r("p",{class:"attachment"},
"+ "+e):Pe("+ "+e,()=>{let s=document.createElement("img");return s.alt=Rt(e),s.src=`data:${t};base64,${n}`,s},!1,"attac\
hment")}function wc(e,t){let n=[e.kind||"attachment",e.mime_type,e.name,e.uri,e.size?Dt(e.size):"",e.file?`kept as ${e.file}`:
e.sha256?`not kept, sha256 ${e.sha256}`:""].filter(i=>i).join(", ");if(e.data)return bc(n,e.mime_type,e.data);let s=e.json!==
void 0?JSON.stringify(e.json,null,2):e.text??"";return s===""||s===t?r("p",{class:"attachment"},"+ "+n):Pe("+ "+n,()=>Re(
s),!1,"attachment")}function Ai(e){let t=e.reward,n=t?.total??e.episode.reward,s=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),i=Tt([n,...Object.values(t?.parts??{})]),l=e.episode.success;return r("div",{class:"reward"},r("p",
{class:"total"},_t(r("span",{class:"cell"},y(n)),n,i),l===!0?r("span",{class:"badge good"},"solved"):null,l===!1?r("span",
{class:"badge"},"not solved"):null,n==null?r("span",{class:"dim"},rm(e)):null),t?.expression?r("p",null,r("span",{class:"\
dim"},"expression "),r("code",{class:"expression"},t.expression)):null,s.length===0?null:_e([{title:"part",cell:o=>r("co\
de",null,o.replace(/^reward\./,""))},{title:"value",right:!0,cell:o=>lm(t?.parts?.[o],i)},{title:t?.notes?"notes":"",wide:!0,
cell:o=>t?.notes?.[o]?Re(t.notes[o],400):""}],s),(t?.own_rewards??[]).map(o=>r("p",null,r("code",null,`agent.${o.agent}`),
" reports ",y(o.reward),o.is_success===void 0?"":o.is_success?", solved":", not solved")),om(t?.turn_rewards??[]))}function lm(e,t){
return e===void 0?"":_t(r("span",{class:"cell small"},y(e)),e,t)}function rm(e){return e.failure||e.episode.outcome==="F\
AILED"?"No reward: the episode failed.":"No reward."}function om(e){if(e.length===0)return null;let t=Tt(e.map(n=>n.reward));
return r("p",{class:"cells"},r("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>_t(r("span",{class:"cell small",title:n.
call_id},y(n.reward,3)),n.reward,t)))}var am=360,cm=200;async function vc(e,t,n){let s=Number(e.query.get("step")??0),i=e.query.get("split")??"train";e.title(
Vt(t),{text:`step ${s}`,href:Ge(t,s)},{text:`group ${n}`});let o=(await Ps(t,{step:s,split:i,group:n,limit:cm},e.signal)).
episodes.toSorted((P,D)=>P.sample-D.sample),u=o[0];if(!u){$(e.root,r("p",{class:"empty"},"This group has no episodes."));
return}let p=Tt(o.map(P=>P.reward)),m=r("div",{class:"beside"}),g=o.map(P=>bn(t,P,p)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/am))),S=()=>{let P=o.slice(b,b+v());g.forEach((D,j)=>D.classList.toggle(
"here",j>=b&&j<b+P.length)),$(m,P.map(D=>um(e,t,D)))},L=P=>{b=Math.min(Math.max(0,o.length-v()),Math.max(0,b+P*v())),S()};
e.key("ArrowLeft","previous samples",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),$(e.root,r("div",{class:"bar"},
r("h1",null,`Group ${n}`),r("span",{class:"turn"},r("button",{title:"previous samples (\u2190)","aria-label":"previous s\
amples",onclick:()=>L(-1)},"\u2190"),r("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(
1)},"\u2192"))),r("p",null,"Task ",r("a",{href:U(["run",t,"episodes"],{task:u.task})},u.task)),r("div",{class:"cells"},g),
m),S()}function um(e,t,n){let s=r("div",null);return Te(e,s,async()=>{let i=await os(t,n.id,e.signal);return[Ai(i),Ws(i,
1200)]}),r("section",{class:"panel"},r("h2",null,r("a",{href:Ze(t,n.id)},`sample ${y(n.sample)}`)," ",Fn(n)),s)}function kc(e){let t=e.some(n=>n.model);return _e([{title:"member",cell:n=>r("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>y(n.turns)},{title:"prompt tokens",right:!0,cell:n=>y(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>y(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>mn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${y(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var xc=200;
function Sc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?yc(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),s=qs(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),i=[],l=new Set,o=(s.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;o.length>0;){let g=o.pop();if(l.has(g.call.call_id))continue;l.add(g.call.call_id),
i.push(g);let b=s.get(g.call.call_id)??[],v=b.length>1;for(let S of b.toReversed())o.push({call:S,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)l.has(g.call_id)||i.push({call:g,depth:0,branch:!1});let u=r("div",{class:"forest"}),p=g=>$(u,
i.slice(0,g).map(pm),i.length>g?r("button",{onclick:()=>p(g+xc)},`Show more: ${fe(i.length-g,"call")} left`):null);p(xc);
let m=(s.get("")??[]).length;return[r("p",{class:"dim"},`${fe(t.length,"call")} in ${fe(m,"tree")}. A branch continues a\
n earlier answer. Untrained calls are marked.`),u,(e.chains??[]).length>0?yc(e.chains):null]}function pm({call:e,depth:t,
branch:n}){let s=!e.parent,i=[r("span",{class:"twig"},s?"\u25CF":n?"\u251C":"\u2502"),r("code",null,e.call_id),e.agent?r(
"span",null,e.agent):null,e.auxiliary?r("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?r("span",
{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?r("span",{class:"dim"},Xe(e.finish)):null,r("span",{class:"\
dim"},`${y(e.prompt_tokens)} + ${y(e.output_tokens)} tokens`),r("span",{class:"oneline dim"},(e.text??"").slice(0,200))],
l=Pe(i,()=>e.text?Re(e.text):r("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" untrained":
""));return l.style.setProperty("--depth",String(Math.min(t,24))),l}function yc(e){return Pe([r("b",null,"chains"),r("sp\
an",{class:"dim"},` ${e.length}`)],()=>_e([{title:"chain",cell:t=>r("code",null,t.chain)},{title:"agent",cell:t=>t.agent??
""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>y(t.reward)},
{title:"digest",wide:!0,cell:t=>r("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var vs=1500,dm=150,fm=240,_c=(e,t)=>e?.[t]??null;function Ri(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function vn(e,t,n){
let s=_c(e,n);return s===0&&Ri(t,n)===0?null:s}function Lc(e,t){let[n,s]=[vn(e.logprobs,e,t),vn(e.trainer_logprobs,e,t)];
return n===null||s===null?null:s-n}var lr=(e,t)=>e.reduce((n,s)=>Math.max(n,Math.abs(s)),t),Ec=e=>({low:-lr(e,1),high:0}),
Mc=[{name:"mask",label:"trained",value:Ri,scale:()=>Pi(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>vn(
e.logprobs,e,t),scale:Ec},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>vn(e.trainer_logprobs,e,t),scale:Ec},
{name:"gap",label:"gap",value:Lc,scale:e=>Pi(lr(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>vn(e.advantages,
e,t),scale:e=>Pi(lr(e,1e-6))}],Tc={trained:"The tokens of this episode are not recorded. Adapters report the tokens of s\
ome groups at the steps that tokens_every selects.",played:"The model of this episode returned no tokens. Served models \
return them if their block sets tokens."};function Pc(e,t=!1){if(!e||e.length===0)return r("p",{class:"dim"},t?Tc.played:
Tc.trained);let n=r("div",null),s=l=>$(n,new rr(e[l]).element);if(s(0),e.length===1)return n;let i=r("select",{"aria-lab\
el":"row"},e.slice(0,500).map((l,o)=>r("option",{value:String(o)},`row ${o+1} of ${e.length}${l.chain?`: ${l.chain}`:""}`)));
return i.addEventListener("change",()=>s(Number(i.value))),[i,n]}var rr=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",n=>this.point(n.target)),this.text.addEventListener("click",n=>this.point(n.target)),this.text.addEventListener(
"keydown",n=>{let s={ArrowRight:1,ArrowLeft:-1}[n.key];s!==void 0&&(n.preventDefault(),n.stopPropagation(),this.stand(this.
at<0?this.from:this.at+s))}),$(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=r("div",{class:"tokens"});measure=Mc[0];from=0;text=r("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=r("div",{class:"readout",role:"status"});tabs=r("div",{class:"tabs"});overview=r(
"div",{class:"overview","aria-hidden":"true"});pager=r("div",{class:"pager"});legend=r("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:n}=this,s=[],i=0;for(let p=0;p<this.length;p++){let m=n.value(t,p);m===
null?i++:s.push(m)}let l=n.scale(s);$(this.tabs,Mc.map(p=>r("button",{class:"tab"+(p===n?" here":""),"aria-pressed":p===
n?"true":"false",onclick:()=>{this.measure=p,this.draw()}},p.label))),$(this.legend,s.length===0?r("p",{class:"unknown"},
`${n.label}: unknown, because this framework does not report it.`):this.ramp(l,s,i));let o=Math.min(this.length,this.from+
vs),u=[];for(let p=this.from;p<o;p++)u.push(this.token(p,n.value(t,p),l));$(this.text,u),this.text.children.item(this.at-
this.from)?.classList.add("here"),this.drawOverview(l,o),this.drawPager(o)}drawOverview(t,n){if(this.length<dm)return;let s=Math.
ceil(this.length/fm),i=[];for(let l=0;l<this.length;l+=s){let o=this.extreme(l,Math.min(this.length,l+s)),u=r("i",{class:l<
n&&l+s>this.from?"shown":""});u.addEventListener("click",()=>this.stand(Math.max(o,l))),i.push(_t(u,o<0?null:this.measure.
value(this.row,o),t))}$(this.overview,i)}extreme(t,n){let[s,i]=[-1,-1];for(let l=t;l<n;l++){let o=this.measure.value(this.
row,l);o!==null&&Math.abs(o)>i&&([s,i]=[l,Math.abs(o)])}return s}ramp(t,n,s){if(this.measure.name==="mask"){let i=n.reduce(
(l,o)=>l+o,0);return r("p",{class:"ramp"},r("i",{class:"one high"}),`${y(i)} trained`,r("i",{class:"one plain"}),`${y(n.
length-i)} not trained`,s>0?[r("i",{class:"hatched"}),`${y(s)} unknown`]:null,this.cutWords())}return r("p",{class:"ramp"},
y(t.low,3),r("i",null),y(t.high,3),s>0?[r("i",{class:"hatched"}),`${y(s)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:r("span",{class:"badge warn"},`the first ${y(this.length)} of ${y(t)}\
 tokens`)}token(t,n,s){let i=this.row.text?.[t],l=r("span",{class:"token",data:{i:String(t)}},i==null?`\u27E8${this.row.
ids[t]}\u27E9`:mm(i));return i?.includes(`
`)&&l.classList.add("ends"),t===this.row.prompt_length&&l.classList.add("first"),_t(l,n,s)}drawPager(t){let n=i=>{this.from=
Math.max(0,Math.min(i,this.length-1)),this.draw()},s=this.extreme(0,this.length);$(this.pager,r("button",{disabled:this.
from===0,onclick:()=>n(this.from-vs)},"\u2190"),r("span",null,`tokens ${y(this.from+1)} to ${y(t)} of ${y(this.length)}`),
r("button",{disabled:t>=this.length,onclick:()=>n(this.from+vs)},"\u2192"),r("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),s>=0&&this.measure.name!=="mask"?r("button",{onclick:()=>this.stand(s)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Ri(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+vs)&&(this.from=Math.floor(t/vs)*vs,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,s=o=>o===null?r("span",
{class:"unknown"},go):r("b",null,y(o)),i=t<0?null:Ri(n,t),l=t<0?null:_c(n.turn_ids,t);$(this.readout,t<0?r("span",{class:"\
dim"},`${fe(this.length,"token")}: point at a token for its values`):[r("span",null,"token ",r("b",null,y(t))," ",r("cod\
e",null,Cs(n.text?.[t]??"")),r("span",{class:"dim"},` id ${n.ids[t]}`)),r("span",null,i===null?r("span",{class:"unknown"},
"trained: unknown"):i?"trained":"not trained"),l===null||l<0?null:r("span",null,"turn ",r("b",null,y(l+1))),r("span",null,
"sampler ",s(vn(n.logprobs,n,t))),r("span",null,"trainer ",s(vn(n.trainer_logprobs,n,t))),r("span",null,"gap ",s(Lc(n,t))),
r("span",null,"advantage ",s(vn(n.advantages,n,t)))])}};function mm(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Cs(e)}var Cc=150,hm=["queue","model","tool","reward","siblings","host"];function $c(e,t,n){if(e.length===0)return r("p",{class:"\
dim"},"No times recorded.");let s=Math.min(...e.slice(0,5e4).map(p=>p.start_ms)),i=Math.max(...e.slice(0,5e4).map(p=>p.start_ms+
p.ms)),l=Math.max(i-s,1e-9),o=r("div",{class:"waterfall"}),u=p=>$(o,e.slice(0,p).map(m=>bm(m,s,l,n)),e.length>p?r("butto\
n",{onclick:()=>u(p+Cc)},`Show more: ${fe(e.length-p,"bar")} left`):null);return u(Cc),[gm(e),o,r("p",{class:"axis dim"},
r("span",null,"0"),r("span",null,mn(l))),t==="sums"?r("p",{class:"dim"},"Only total times are recorded, without their be\
ginnings."):null]}function or(e){return hm.includes(e)?e:"other"}function gm(e){let t=new Map;for(let i of e)t.set(i.part,
(t.get(i.part)??0)+i.ms);let n=[...t.values()].reduce((i,l)=>i+l,0)||1,s=[...t].sort((i,l)=>l[1]-i[1]);return r("div",null,
r("div",{class:"stack","aria-hidden":"true"},s.map(([i,l])=>r("i",{class:"part "+or(i),vars:{"--share":`${100*l/n}%`}}))),
r("p",{class:"chips"},s.map(([i,l])=>r("span",{class:"key"},r("i",{class:"swatch part "+or(i)}),`${i==="tool"?"environme\
nt":i} `,r("b",null,mn(l)),r("span",{class:"dim"},` ${Math.round(100*l/n)} %`)))))}function bm(e,t,n,s){let i=(e.turn?`t\
urn ${e.turn}: `:"")+(e.label||e.part),l=100*(e.start_ms-t)/n,o=Math.max(.3,100*e.ms/n);return r("div",{class:"wait",title:`${e.
part}: ${i}, ${mn(e.ms)} from ${mn(e.start_ms-t)}`},e.turn&&s?r("button",{class:"name quiet",onclick:()=>s(e.turn)},i):r(
"span",{class:"name"},i),r("span",{class:"lane"},r("i",{class:"part "+or(e.part),vars:{"--left":`${Math.min(l,99.7)}%`,"\
--share":`${Math.min(o,100)}%`}})),r("span",{class:"ms"},mn(e.ms)))}async function Rc(e,t,n){e.title(Vt(t),{text:`episode ${n}`});let s=await os(t,n,e.signal),i=s.episode,l=s.played?{text:"\
episodes",href:U(["run",t,"episodes"])}:{text:`step ${i.step}`,href:Ge(t,i.step,{split:i.split})};e.title(Vt(t),l,{text:js(
i)});let o=s.siblings??[],u=Ws(s);vm(e,t,s),$(e.root,r("div",{class:"bar"},r("h1",{title:n},s.played?js(i):`Step ${y(i.step)}\
, ${js(i)}`),Fn(i),r("span",{class:"grow"}),(s.commands??[]).map(p=>nn(p))),s.failure?r("div",{class:"trouble"},r("h2",null,
`Failed: ${Xe(s.failure.class)}`),Re(s.failure.detail??"")):null,s.limit?wm(s.limit):null,o.length>1?xm(t,s,o):null,r("d\
iv",{class:"episode"},r("div",null,de("Conversation",u),_m(s),Mm(s),Tm(s),Dc(de("Tokens",Pc(s.tokens?.rows,s.played!==void 0)))),
r("aside",null,de("Reward",Ai(s),Sm(s)),Em(s.madness??[]),ym(t,s),de("Time",$c(s.times??[],s.times_are,hc(u))),Lm(s.attempts??
[]),Ac("Environment's state",s.state),Ac("Metadata",s.metadata),en===void 0?Pm(e,t,n):null)))}function wm(e){return r("d\
iv",{class:"trouble truncated"},r("h2",null,`Truncated: ${e.name}${e.value?` = ${e.value}`:""}`),Re(`${e.words[0]?.toUpperCase()??
""}${e.words.slice(1)}.`))}function vm(e,t,n){let s=n.siblings??[],i=s.findIndex(o=>o.id===n.episode.id),l=o=>{let u=s[i+
o];u&&(location.hash=Ze(t,u.id))};e.key("ArrowLeft","previous sample",()=>l(-1)),e.key("ArrowRight","next sample",()=>l(
1)),e.key("b","the group side by side",()=>{location.hash=$s(t,n.episode.group,n.episode.step,n.episode.split)}),e.key("\
o","expand or collapse all calls",()=>{let o=[...document.querySelectorAll(".conversation .message details")],u=!o.some(
p=>p.open);for(let p of o)p.open=u}),e.key("c","copy the terminal command for this episode",()=>{document.querySelector(
"main button.copy")?.click()})}function xm(e,t,n){let s=t.episode,i=Tt(n.map(l=>l.reward));return r("div",{class:"siblin\
gs"},r("a",{href:$s(e,s.group,s.step,s.split)},`group ${s.group}`),r("div",{class:"cells"},n.slice(0,300).map(l=>bn(e,l,
i,l.id===s.id))))}function ym(e,t){let n=t.episode;return de("About",fn([["task",r("a",{href:U(["run",e,"episodes"],{task:n.
task}),title:"all episodes of this task"},n.task)],...km(t),["turns",y(n.turns)],["tokens",y(n.tokens)],["duration",Ie(n.
seconds)],["status",t.played||!n.standing?null:Xe(n.standing)]]))}function km(e){let t=e.episode;return e.played?[["data\
set",e.played.dataset],["policy",e.played.policy],["try",y(t.sample+1)],["environment's seed",e.seeds?.environment]]:[["\
split",t.split==="validation"?"held-out":"training"],["step",y(t.step)],["sample",y(t.sample)]]}function Sm(e){let t=[];
return e.played?null:(e.use&&t.push(`In training: ${Xe(e.use)}.`),e.why&&t.push(`Not trained: ${Xe(e.why)}.`),e.masked&&
!e.use&&t.push("Masked: counts in its group and is not trained."),e.drop_group&&t.push("Group dropped."),t.length>0?r("p",
{class:"dim"},t.join(" ")):null)}function Em(e){return e.length===0?null:de("Failed checks",e.slice(0,100).map(t=>r("p",
null,r("span",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}: ${Xe(t.reason)} in its ${t.part}`,t.near?[",\
 near ",r("code",null,t.near)]:null)))}function Mm(e){return(e.members??[]).length>0?de("Members",kc(e.members)):null}function Tm(e){
let t=Sc(e);return t===null?null:Dc(de("Calls of the program",t))}function Dc(e){return e.classList.add("late"),e}function _m(e){
let t=e.own_steps??[];return t.length===0?null:de("Steps of the agent itself",t.slice(0,200).map((n,s)=>Pe(`step ${s+1}`,
()=>Ws({episode:e.episode,messages:n.messages}))))}function Lm(e){return e.length<2&&!e.some(t=>t.class)?null:de("Attemp\
ts",e.slice(0,100).map(t=>r("div",{class:"attempt"},r("p",null,r("b",null,y(t.attempt))," ",Fn(t),r("span",{class:"dim"},
t.started?` from ${An(t.started)}`:"",t.seconds===void 0?"":`, ${Ie(t.seconds)}`)),t.detail?Re(t.detail,600):null)))}function Ac(e,t){
return t==null?null:de(e,Pe("show",()=>Re(JSON.stringify(t,null,2))))}function Pm(e,t,n){return de("Private part of the \
task",Pe("Show the private part, which can contain the answer",()=>{let s=r("div",null);return Te(e,s,async()=>{let i=await li(
t,n,e.signal);return Re(JSON.stringify("private"in i?i.private:i,null,2))}),s}))}var Oc=100,Cm=["split","solved","same_min","sort"];async function Nc(e,t){e.title(Vt(t),{text:"tasks"});let n=r("div",null);
$(e.root,r("div",{class:"bar"},r("h1",null,"Tasks")),$m(e,t),n),await Te(e,n,()=>Am(e,t))}var cr=e=>["run",e,"tasks"];function ar(e){
return Object.fromEntries(Cm.flatMap(t=>e.query.get(t)?[[t,e.query.get(t)]]:[]))}function $m(e,t){let n=o=>e.query.get(o)??
"",s=(o,u)=>{let p=r("select",{name:o,"aria-label":o},u.map(([m,g])=>r("option",{value:m},g)));return p.value=n(o),p},i=r(
"form",{class:"filter",role:"search"},s("split",[["","training and held-out"],["train","training"],["validation","held-o\
ut"]]),s("solved",[["","solved or not"],["never","never solved"],["always","always solved"]]),r("label",{class:"range"},
r("span",null,"same wrong answer, times"),r("input",{name:"same_min",value:n("same_min"),type:"number",min:0,placeholder:"\
from"})),r("button",null,"Filter")),l=()=>{let o=n("sort")?{sort:n("sort")}:{};for(let[u,p]of new FormData(i))typeof p==
"string"&&p.trim()!==""&&(o[u]=p.trim());location.hash=U(cr(t),o)};return i.addEventListener("submit",o=>{o.preventDefault(),
l()}),i.addEventListener("change",o=>{o.target instanceof HTMLSelectElement&&l()}),i}async function Am(e,t){let n=Number(
e.query.get("cursor")??0),s=await Jr(t,{...ar(e),limit:Oc,cursor:n||void 0},e.signal);if(s.all===0)return r("p",{class:"\
empty"},"No tasks: no episode has ended.");let i=u=>{u!==void 0&&(location.hash=U(cr(t),{...ar(e),cursor:u}))};e.key("n",
"next page",()=>i(s.next));let l=e.query.get("split")??"",o=u=>U(["run",t,"episodes"],{task:u.task,split:l});return[r("p",
{class:"legend"},s.total===s.all?fe(s.all,"task"):`${y(s.total)} of ${fe(s.all,"task")}`),s.tasks.length===0?r("p",{class:"\
empty"},"No matching tasks."):_e(Rm(e,t,o),s.tasks,o),s.total>s.tasks.length?r("div",{class:"pager"},r("button",{disabled:n===
0,onclick:()=>i(String(Math.max(0,n-Oc)))},"\u2190"),r("span",null,`${y(n+1)} to ${y(n+s.tasks.length)} of ${y(s.total)}`),
r("button",{disabled:!s.next,onclick:()=>i(s.next)},"\u2192")):null]}function Rm(e,t,n){let s=e.query.get("sort")??"task",
i=(l,o)=>{let u=s===l?`-${l}`:l,p=s===l?" \u2191":s===`-${l}`?" \u2193":"";return r("a",{class:"quiet",href:U(cr(t),{...ar(
e),sort:u})},o+p)};return[{title:i("task","task"),cell:l=>r("a",{class:"short",title:l.task,href:n(l)},l.task)},{title:i(
"tries","tries"),right:!0,cell:l=>y(l.tries)},{title:i("solved","solved"),right:!0,cell:l=>l.judged>0?y(l.solved):"\u2013"},
{title:i("success","success"),right:!0,cell:l=>Ye(l.success)},{title:i("reward","reward"),right:!0,cell:l=>y(l.reward)},
{title:i("seconds","duration"),right:!0,cell:l=>Ie(l.seconds)},{title:i("same","same wrong answer"),right:!0,cell:l=>l.same_wrong>
1?`${l.same_wrong} \xD7`:"\u2013"},{title:"last answers",wide:!0,cell:l=>l.answers.map(o=>r("span",{class:"short"},wn(o)))}]}var Dm=240;async function Vc(e,t){e.title(Vt(t),{text:"validations"});let n=r("div",null);$(e.root,r("div",{class:"bar"},
r("h1",null,"Validations"),Om(e)),n),await Te(e,n,()=>Nm(e,t))}var Us=()=>{};function Om(e){return e.key("ArrowLeft","pr\
evious validations",()=>Us(-1)),e.key("ArrowRight","next validations",()=>Us(1)),r("span",{class:"turn"},r("button",{title:"\
previous validations (\u2190)","aria-label":"previous validations",onclick:()=>Us(-1)},"\u2190"),r("button",{title:"next\
 validations (\u2192)","aria-label":"next validations",onclick:()=>Us(1)},"\u2192"))}async function Nm(e,t){let n=e.query.
get("cursor")??void 0,s=await Yr(t,n,e.signal);if(s.tasks.length===0)return r("p",{class:"empty"},"This run has no valid\
ations.");let i=r("div",null),l=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/Dm)),o=Math.max(0,s.
steps.length-l()),u=()=>$(i,Hm(t,s,s.steps.slice(o,o+l())));Us=g=>{o=Math.min(Math.max(0,s.steps.length-l()),Math.max(0,
o+g*l())),u()},u();let p=["run",t,"validations"],m=()=>{s.next&&(location.hash=U(p,{cursor:s.next}))};return e.key("n","\
next page",m),[i,s.next||n?r("div",{class:"pager"},r("button",{disabled:!n,onclick:()=>{location.hash=U(p)}},"First page"),
r("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),r("button",{disabled:!s.next,onclick:m},"Next page \u2192")):
null]}function Hm(e,t,n){let s=Tt(t.tasks.flatMap(i=>i.episodes.map(l=>l.reward)));return r("div",{class:"scroll"},r("ta\
ble",{class:"answers"},r("thead",null,r("tr",null,r("th",null,"task"),n.map(i=>r("th",null,r("a",{href:Ge(e,i,{split:"va\
lidation"})},`after step ${y(i)}`))))),r("tbody",null,t.tasks.map(i=>r("tr",{class:"item",data:{href:Hc(e,i.task)}},r("t\
h",null,r("a",{href:Hc(e,i.task)},i.task)),n.map(l=>r("td",null,i.episodes.filter(o=>o.step===l).map(o=>_t(r("a",{class:"\
cell answer",href:Ze(e,o.id)},r("b",null,y(o.reward,3),o.success===!0?" \u2713":""),r("span",null,wn(o.answer)||"no answ\
er")),o.reward,s)))))))))}var Hc=(e,t)=>U(["run",e,"episodes"],{task:t,split:"validation"});var Oi=r("main",{tabindex:"-1"}),dr=r("nav",{class:"crumbs","aria-label":"Breadcrumbs"}),pr=r("span",{class:"connection",
role:"status"}),ur=new AbortController;function Vm(){mo(),zc(),Kt(document.body,[r("header",null,r("a",{class:"home",href:U(
[])},"awhost"),dr,pr,r("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>fl()},"?"),r("button",{class:"\
quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:wl},"\u25D0")),Oi]),ao(),dn("j","next item",()=>dl(
1)),dn("k","previous item",()=>dl(-1)),dn("Enter","expand or collapse the item",()=>co()),dn("/","go to the filter",zm),
dn("u","go up one level",Fm),dn("t","light or dark",wl),dn("?","show keys and symbols",()=>fl()),addEventListener("hashc\
hange",()=>{zc(),Di()}),Di()}function zc(){let e=bl(location.hash);e&&(rl(e.token),history.replaceState(null,"",e.rest))}
function zm(){Oi.querySelector("[data-filter]")?.focus()}function Fm(){let e=dr.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??U([])}function Di(){if(ur.abort(),ur=new AbortController,oo(),Fc("off"),!Gr()){Wm();return}let{path:e,
query:t}=gl(en!==void 0&&/^(#\/?)?$/.test(location.hash)?en:location.hash),n=qm(t,ur.signal),s=n.root;$(Oi,s),scrollTo(0,
0),jm(n,e).catch(i=>{n.signal.aborted||$(s,vl(i,Di))})}function qm(e,t){return{root:r("div",{class:"view"}),signal:t,query:e,
key:(n,s,i)=>ro(n,s,()=>{t.aborted||i()}),onLive:(n,s)=>{en===void 0&&po(n,t,s,i=>{t.aborted||Fc(i)})},title:(...n)=>{document.
title=[...n].reverse().map(s=>s.text).concat("awhost").join(" \xB7 "),$(dr,n.map(s=>[r("span",{class:"slash","aria-hidde\
n":"true"},"/"),s.href?r("a",{href:s.href},s.text):r("span",{"aria-current":"page"},s.text)]))}}}async function jm(e,t){
let[n,s,i,l]=t;if(n===void 0)return bo(e);if(n==="compare")return Xa(e);if(n==="run"&&s!==void 0){if(i===void 0)return ac(
e,s);if(i==="step"&&/^\d+$/.test(l??""))return sr(e,s,Number(l));if(i==="episodes")return sr(e,s,void 0);if(i==="group"&&
l!==void 0)return vc(e,s,l);if(i==="episode"&&l!==void 0)return Rc(e,s,l);if(i==="tasks")return Nc(e,s);if(i==="validati\
ons")return Vc(e,s)}e.title({text:"not found"}),$(e.root,r("section",{class:"trouble"},r("h2",null,"Page not found."),r(
"p",null,"The address is incomplete or belongs to another version of awhost. ",r("a",{href:U([])},"All runs"))))}function Fc(e){
pr.className="connection "+e,$(pr,{live:"live",lost:"no connection, retrying",off:""}[e])}function Wm(){let e=r("input",
{type:"password","aria-label":"token",autocomplete:"off",size:40}),t=r("form",null,e,r("button",null,"Open"));t.addEventListener(
"submit",n=>{n.preventDefault();let s=e.value.trim();rl(bl(s.slice(Math.max(0,s.indexOf("#"))))?.token??s),Di()}),$(Oi,r(
"section",{class:"trouble"},r("h2",null,"This page needs a token."),r("p",null,"Open the link that awhost ui prints, or \
paste the link or its token here. The token is valid for this tab until you close it."),t)),e.focus()}Vm();})();
