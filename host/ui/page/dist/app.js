"use strict";(()=>{function ql(e){let t=e.getElementById("awhost-data");return t?pu(JSON.parse(t.textContent??"{}")):null}function pu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(i,n={})=>fu(i,t.get(du(i)),n)}}function du(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function fu(e,t,i){if(t===void 0)return;let n=e.split("/");switch(n.length===
4?n[3]:""){case"episodes":return mu(t.episodes,i);case"steps":{let{steps:s}=t;return{steps:s.filter(r=>r.step>=Number(i.
from)&&r.step<=Number(i.to))}}case"metrics":{let s=new Set([i.name??[]].flat().map(String)),{series:r}=t;return{series:Object.
fromEntries(Object.entries(r).filter(([a])=>s.size===0||s.has(a)))}}}return t}function mu(e,t){let i=["step","split","gr\
oup","task","outcome","class"].filter(p=>t[p]!==void 0),n=e.filter(p=>i.every(m=>String(p[m]??"")===String(t[m]))),s=String(
t.sort??"order"),r=s.replace(/^-/,"");(r==="reward"||r==="turns"||r==="seconds")&&n.sort(hu(r,s.startsWith("-")?-1:1));let a=Number(
t.cursor??0),u=s==="group"?n.length:a+Number(t.limit??100);return{episodes:n.slice(a,u),next:u<n.length?String(u):void 0,
total:n.length}}function hu(e,t){return(i,n)=>{let[s,r]=[i[e],n[e]];return typeof s!="number"||typeof r!="number"?+(typeof r==
"number")-+(typeof s=="number"):t*(s-r)}}function ns(e,t){try{return e().getItem(t)}catch{return null}}function is(e,t,i){try{e().setItem(t,i)}catch{}}var jl="awhost-token",li=ql(document),rr=li?"":ns(()=>sessionStorage,jl)??"";function lr(e){rr=e,is(()=>sessionStorage,jl,
e)}function Wl(){return rr!==""||li!==null}var Qt=li?.open,Jt=class extends Error{constructor(i,n,s){super(n);this.status=
i;this.summary=n;this.detail=s}status;summary;detail};function gu(e,t){let i=new URLSearchParams;for(let[s,r]of Object.entries(
t??{}))for(let a of Array.isArray(r)?r:[r])a!==void 0&&a!==""&&i.append(s,String(a));let n=i.toString();return n===""?e:
`${e}?${n}`}async function Gl(e,t,i){if(li)throw Il();let n;try{n=await fetch(gu(e,t),{signal:i,headers:{Authorization:`\
Bearer ${rr}`},cache:"no-store",credentials:"omit",redirect:"error"})}catch(s){throw i.aborted?s:new Jt(0,"No response f\
rom the server.","Start awhost ui, or the command with --ui, again, and open the link that it prints.")}if(!n.ok)throw await bu(
n);return n}async function bu(e){let t=await e.json().catch(()=>null);return new Jt(e.status,t?.error?.summary??`Server \
error ${e.status}.`,t?.error?.detail??"")}async function $t(e,t,i){return li?wu(e,t):await(await Gl(e,t,i)).json()}function wu(e,t){
let i=li.answer(e,t);if(i!==void 0)return i;throw Il()}function Il(){return new Jt(404,"Not in this file.","To see the w\
hole run, start awhost ui in its directory.")}var Zt=e=>`api/runs/${encodeURIComponent(e)}`,Ul=(e,t)=>`${Zt(e)}/episodes\
/${encodeURIComponent(t)}`,ss=e=>$t("api/runs",void 0,e),Ln=(e,t)=>$t(Zt(e),void 0,t),rs=(e,t,i,n)=>$t(`${Zt(e)}/metrics`,
{name:t,after:i},n),Ci=(e,t,i,n)=>$t(`${Zt(e)}/steps`,{from:t,to:i},n),Pn=(e,t,i)=>$t(`${Zt(e)}/episodes`,t,i),oi=(e,t,i)=>$t(
Ul(e,t),void 0,i),ls=(e,t,i)=>$t(`${Ul(e,t)}/private`,void 0,i),Bl=(e,t,i)=>$t(`${Zt(e)}/validations`,{cursor:t},i),os=(e,t)=>$t(
`${Zt(e)}/spec`,void 0,t),Kl=(e,t)=>$t(`${Zt(e)}/waits`,void 0,t),Yl=(e,t)=>Gl(`${Zt(e)}/live`,void 0,t);async function Jl(e,t,i){
let n=await $t("api/compare",{run:[e,t]},i);return"comparison"in n?n.comparison:n}var vu=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
Xl=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,xu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
yu=/^[\n\t -~]*$/,Ql=/\p{M}/u,Zl=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,or=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),ku=4;function cr(e){if(yu.test(e))return[{text:e,escaped:!1}];let t=new ar;for(let i=0;i<e.length;)i+=
t.take(e,i);return t.done()}function Rt(e){return cr(e).map(t=>t.text).join("")}function Ai(e){return Rt(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var ar=class{out=[];shown="";before="";marks=0;take(t,i){let n=t.codePointAt(i);if(n===13&&
t[i+1]===`
`)return 1;if(n===27||n===155){let r=vu.exec(t.slice(i,i+512));if(r)return this.escape(Su(r[0])),r[0].length}let s=String.
fromCodePoint(n);return this.isShown(s,t,i+s.length)?(this.marks=Ql.test(s)?this.marks+1:0,this.shown+=s,this.before=s):
this.escape(eo(n)),s.length}done(){return this.flush(),this.out}isShown(t,i,n){if(t===`
`||t==="	"||!xu.test(t))return!0;if(Ql.test(t)&&!Xl.test(t))return this.marks<ku;let s=n<i.length?String.fromCodePoint(i.
codePointAt(n)):"";switch(t){case"\u200D":return Zl.test(this.before)&&Zl.test(s)||or.test(this.before);case"\u200C":return or.
test(this.before)&&or.test(s);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let i=this.out.at(-1);i?.escaped?i.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function Su(e){return[...e].map(t=>Xl.test(t)?eo(t.codePointAt(
0)):t).join("")}function eo(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function o(e,t,...i){let n=document.createElement(e);for(let[s,r]of Object.entries(t??{}))Eu(n,s,r);return It(n,i),n}function Eu(e,t,i){
if(!(i==null||i===!1)){switch(t){case"class":e.className=String(i);return;case"onclick":e.addEventListener("click",i);return;case"\
vars":for(let[n,s]of Object.entries(i))e.style.setProperty(n,s);return;case"data":Object.assign(e.dataset,i);return;case"\
href":if(!String(i).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(i));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,i===
!0?"":Rt(String(i)))}}function It(e,t){for(let i of t)i==null||i===!1||(Array.isArray(i)?It(e,i):i instanceof Node?e.appendChild(
i):e.appendChild(document.createTextNode(Rt(String(i)))))}function R(e,...t){e.replaceChildren(),It(e,t)}var Mu=6e3,Tu=1e5;
function $e(e,t=Mu){let i=o("div",{class:"prose",dir:"auto"}),n=0,s=u=>{let p=_u(e,Math.min(u,e.length));for(let m of cr(
e.slice(n,p)))i.append(m.escaped?o("span",{class:"escape"},m.text):m.text);n=p};if(s(t),n===e.length)return i;let r=o("b\
utton",{class:"quiet",onclick:()=>{s(n+Tu),n===e.length?r.remove():a()}}),a=()=>R(r,`Show more: ${to(e.length-n)} of ${to(
e.length)} characters left`);return a(),o("div",null,i,r)}function to(e){return e.toLocaleString("en")}function _u(e,t){
let i=e.charCodeAt(t-1);return t<e.length&&i>=55296&&i<=56319?t+1:t}var as=new Map,pr=new Map;function io(e,t,i){as.set(e,{what:t,act:i})}function pn(e,t,i){pr.set(e,{what:t,act:i})}function so(){
as.clear()}function ro(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),ur();return}if(Lu(e.target))return;let t=as.
get(e.key)??pr.get(e.key);t&&(e.preventDefault(),t.act())})}function Lu(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function dr(e){let t=[...document.querySelectorAll("main .item")].filter(
s=>s.offsetParent!==null);if(t.length===0)return;let i=t.findIndex(s=>s.classList.contains("current")),n=i<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,i+e));t[i]?.classList.remove("current"),t[n].classList.add("current"),t[n].scrollIntoView(
{block:"nearest"})}function lo(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function fr(){
if(ur())return;let e=[...as,...pr,["Esc",{what:"leave a field, close this dialog"}]],t=o("dialog",{class:"help","aria-la\
bel":"Keys and symbols"},o("h2",null,"Keys"),no(e.map(([i,n])=>[o("kbd",null,Cu[i]??i),n.what])),o("h2",null,"Symbols an\
d terms"),no(Pu),o("button",{onclick:()=>ur()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var Pu=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns, or time ended the episode"],["\
\u2260","malformed calls: invalid calls of the policy, which were not executed"],["hatched","no reward, or unknown"],["\u25B2",
"in a chart: a checkpoint, the best one in another color; dashed lines are kills and resumes"],["dropped","no usable att\
empt: the episode is not trained"],["masked","counts in its group and is not trained"],["filtered","excluded from the up\
date: all samples of its group have the same reward"],["digest","checksum of the newest checkpoint: equal digests mean i\
dentical checkpoints"]];function no(e){return o("table",null,o("tbody",null,e.map(([t,i])=>o("tr",null,o("td",null,t),o(
"td",null,i)))))}var Cu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function ur(){
let e=document.querySelector("dialog.help");return e?.close(),e!==null}var $u=1e3,oo=45e3;function ao(e,t,i,n){Ru(e,t,new mr(i,t),n)}async function Ru(e,t,i,n){let s=500;for(let r=!0;!t.aborted&&
(await Hu(t),!t.aborted);r=!1){try{await Du(e,t,a=>i.take(a),()=>{n("live"),s=500,r||i.take({kind:"state"})})}catch(a){if(a instanceof
Jt&&a.status>=400&&a.status<500)break}if(t.aborted)break;document.hidden||(n("lost"),await Ou(s,t),s=Math.min(2*s,15e3))}
n("off")}async function Du(e,t,i,n){let s=new AbortController,r=()=>s.abort(),a=()=>document.hidden&&r();t.addEventListener(
"abort",r,{once:!0}),document.addEventListener("visibilitychange",a);let u=setTimeout(r,oo);try{let m=(await Yl(e,s.signal)).
body.pipeThrough(new TextDecoderStream).getReader();n();for(let g="";;){let{done:b,value:v}=await m.read();if(b)return;clearTimeout(
u),u=setTimeout(r,oo),g=Nu(g+v,i)}}finally{clearTimeout(u),t.removeEventListener("abort",r),document.removeEventListener(
"visibilitychange",a),s.abort()}}function Nu(e,t){let i=e.replaceAll(`\r
`,`
`).split(`

`),n=i.pop();for(let s of i){let r=s.split(`
`).filter(a=>a.startsWith("data:")).map(a=>a.slice(5).trimStart()).join(`
`);if(r!=="")try{t(JSON.parse(r))}catch{t({kind:"state"})}}return n}var mr=class{constructor(t,i){this.hear=t;this.signal=
i}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let i=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(i)},$u)}};function Hu(e){return new Promise(t=>{let i=()=>{document.hidden&&
!e.aborted||(document.removeEventListener("visibilitychange",i),e.removeEventListener("abort",i),t())};document.addEventListener(
"visibilitychange",i),e.addEventListener("abort",i),i()})}function Ou(e,t){return new Promise(i=>{let n=setTimeout(i,e);
t.addEventListener("abort",()=>{clearTimeout(n),i()},{once:!0})})}function gr(e){let[t="",i=""]=zu(e.replace(/^#/,""));return{path:t.split("/").filter(n=>n!=="").map(hr),query:new URLSearchParams(
i)}}function zu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function hr(e){try{return decodeURIComponent(
e)}catch{return e}}function B(e,t={}){let i=new URLSearchParams;for(let[s,r]of Object.entries(t))for(let a of Array.isArray(
r)?r:[r])a!==void 0&&a!==""&&i.append(s,String(a));let n=i.toString();return"#/"+e.map(s=>encodeURIComponent(s)).join("/")+
(n?"?"+n:"")}var Cn=e=>B(["run",e]),Ye=(e,t,i={})=>B(["run",e,"step",t],i),at=(e,t)=>B(["run",e,"episode",t]),$i=(e,t,i,n)=>B(
["run",e,"group",t],{step:i,split:n});function br(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:hr(
t[1]),rest:"#"+(t[2]?hr(t[2]):"/")};let{path:i,query:n}=gr(e),s=n.get("token");if(s===null)return null;n.delete("token");
let r=n.toString();return{token:s,rest:"#/"+i.map(encodeURIComponent).join("/")+(r?"?"+r:"")}}var co="awhost-theme";function Vu(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function uo(){let e=ns(()=>localStorage,co);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function wr(){let e=Vu()?"light":"dark";is(()=>localStorage,co,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function po(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function en(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function vr(e,t){let[i,n]=e instanceof Jt?[e.summary,e.detail]:["This part of the page cannot be displayed.",e instanceof
Error?e.message:String(e)];return o("section",{class:"trouble",role:"alert"},o("h2",null,i),o("p",null,n),o("button",{onclick:t},
"Try again"))}async function Pe(e,t,i){t.setAttribute("aria-busy","true");let n=setTimeout(()=>R(t,o("p",{class:"dim"},"\
Loading \u2026")),200);try{let s=await i();e.signal.aborted||R(t,s)}catch(s){e.signal.aborted||R(t,vr(s,()=>{Pe(e,t,i)}))}finally{
clearTimeout(n),t.removeAttribute("aria-busy")}}function me(e,...t){let i=o("section",{class:"panel"},o("h2",null,e));return It(
i,t),i}function Ce(e,t,i=!1,n=""){let s=o("details",{class:"fold "+n},o("summary",null,e)),r=!1,a=()=>{r||!s.open||(r=!0,
It(s,[t()]))};return s.addEventListener("toggle",a),i&&(s.open=!0,a()),s}function He(e,t,i){let n=r=>[r.right?"right":"",
r.wide?"wide":"",r.half?"half":""].join(" ").trim()||void 0,s=o("tbody",null,t.map(r=>{let a=o("tr",null,e.map(u=>o("td",
{class:n(u)},u.cell(r))));return i&&(a.classList.add("item"),a.dataset.href=i(r)),a}));return o("div",{class:"scroll"},o(
"table",null,o("thead",null,o("tr",null,e.map(r=>o("th",{class:n(r)},r.title)))),s))}function dn(e){return o("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,i])=>o("div",null,o("dt",null,t),o("dd",null,i))))}function An(e,t=e){
let i=o("span",null,t),n=o("button",{class:"copy",title:"copy: "+e},i);return n.addEventListener("click",()=>{Fu(e).then(
s=>{n.classList.add("done"),R(i,s?"copied":"not copied: select the text"),setTimeout(()=>{R(i,t),n.classList.remove("don\
e")},1200)})}),n}async function Fu(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var fo="unknown";function k(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return cs(e.toLocaleString("en"));let i=Math.abs(e);return i>=1e6||
i<1e-4?cs(e.toExponential(2)):cs(String(Number(e.toPrecision(t))))}function cs(e){return e.replace(/^-/,"\u2212")}function it(e){
return e==null||!Number.isFinite(e)?"\u2013":cs((100*e).toFixed(1))+" %"}function Dt(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],i=0;for(;e>=1024&&i<t.length-1;i++)e/=1024;return`${i===0?e:e.toPrecision(3)} ${t[i]}`}function fn(e){
return e==null?"\u2013":e<1?`${k(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Je(e/1e3)}function Je(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return qu(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[i,n]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return i>0?`${i} h ${n} min`:`${n} min ${t%60} s`}function qu(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function $n(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let i=n=>String(
n).padStart(2,"0");return`${t.getFullYear()}-${i(t.getMonth()+1)}-${i(t.getDate())} ${i(t.getHours())}:${i(t.getMinutes())}\
:${i(t.getSeconds())}`}function us(e,t){return e?Je(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function Te(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Qe(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var Rn=50,ju=5e3;async function mo(e){e.title();let t=new Set,i=o("div",null),n=o("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),s=o("button",{disabled:!0,onclick:()=>r()},"Comp\
are");R(e.root,o("div",{class:"bar"},o("h1",null,"Runs"),n,s),i);let r=()=>{let v=a.filter(S=>t.has(S.name)).sort((S,L)=>(S.
started??"").localeCompare(L.started??""));v.length>1&&(location.hash=B(["compare"],{run:v.map(S=>S.name)}))};e.key("c",
"compare the selected runs",r),e.key("x","select the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let a=[],u=0,p=()=>R(i,m()),m=()=>{let v=n.value.trim().toLowerCase(),S=a.filter(D=>v===""||Gu(D).includes(v));
u=Math.min(u,Math.max(0,Math.ceil(S.length/Rn)-1));let L=D=>{let j=o("input",{type:"checkbox","aria-label":`compare ${D.
name}`,checked:t.has(D.name)});return j.addEventListener("change",()=>{j.checked?t.add(D.name):t.delete(D.name),s.disabled=
t.size<2,R(s,t.size<2?"Compare":`Compare ${t.size} runs`)}),j},P=D=>{u+=D,p()};return[S.length===0?Iu(a.length):Uu(S.slice(
u*Rn,(u+1)*Rn),L),S.length>Rn?o("div",{class:"pager"},o("button",{disabled:u===0,onclick:()=>P(-1)},"\u2190 Newer"),o("s\
pan",null,`${u*Rn+1} to ${Math.min(S.length,(u+1)*Rn)} of ${S.length}`),o("button",{disabled:(u+1)*Rn>=S.length,onclick:()=>P(
1)},"Older \u2192")):null]};n.addEventListener("input",()=>{u=0,p()});let g=async()=>{a=(await ss(e.signal)).runs};await Pe(
e,i,async()=>(await g(),m()));let b=setInterval(()=>{!a.some(v=>v.live)||document.hidden||i.contains(document.activeElement)||
g().then(()=>Wu(p),()=>{})},ju);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function Wu(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let i of document.querySelectorAll("tr.item"))i.dataset.href===
t&&i.classList.add("current")}function Gu(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function Iu(e){return e>0?o("p",{class:"empty"},"No matching runs."):me("No runs yet",o("p",null,
"Start a run in this directory: "),An("awhost apply"))}function Uu(e,t){let i=e.some(n=>n.machine);return He([{title:"",
cell:t},{title:"run",cell:n=>o("a",{class:"short",href:Cn(n.name),title:n.name},n.name)},{title:"status",cell:n=>[Ri(n),
n.reason?o("div",{class:"reason dim",title:n.reason},n.reason):null]},{title:"step",right:!0,cell:Bu},{title:"reward",right:!0,
cell:n=>k(n.reward)},{title:"held-out success",right:!0,cell:Di},{title:"stage",cell:n=>n.stage??"\u2013"},{title:"adapt\
er",cell:n=>n.adapter??"\u2013"},{title:"spec",wide:!0,cell:n=>n.problem?o("span",{class:"bad"},n.problem):n.spec},...i?
[{title:"machine",cell:n=>n.machine??"\u2013"}]:[],{title:"started",cell:n=>$n(n.started)},{title:"duration",right:!0,cell:n=>n.
live||n.ended?us(n.started,n.live?void 0:n.ended):"\u2013"},{title:"disk",right:!0,cell:n=>Dt(n.disk_bytes)}],e,n=>Cn(n.
name))}function Ri(e){let t=e.status==="failed"||e.outcome==="failed",i=e.live?"live":t?"bad":e.status==="finished"?"goo\
d":"warn",n=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;return o("span",{class:"\
badge "+i},n)}function Bu(e){if(e.step<0)return"\u2013";let t=e.steps?o("progress",{value:e.step,max:e.steps,"aria-hidde\
n":"true"}):null;return[o("span",null,k(e.step),e.steps?o("span",{class:"dim"},` of ${k(e.steps)}`):null),t]}function Di(e){
if(e.success_after===void 0&&e.success_before===void 0)return"\u2013";if(e.success_after===void 0)return[it(e.success_before),
o("span",{class:"dim"}," before")];if(e.success_before===void 0)return it(e.success_after);let t=e.live||e.success_after>
e.success_before||e.success_after===1,i=it(e.success_after);return[o("span",{class:"dim"},`${it(e.success_before)} \u2192 `),
t?i:o("span",{class:"badge warn",title:"not better than at the first validation"},i)]}var Ku="uplot",Yu="u-hz",Ju="u-vt",Qu="u-title",Zu="u-wrap",Xu="u-under",ep="u-over",tp="u-axis",Hn="u-off",np="u-select",
ip="u-cursor-x",sp="u-cursor-y",rp="u-cursor-pt",lp="u-legend",op="u-live",ap="u-inline",cp="u-series",up="u-marker",ho="\
u-label",pp="u-value",Hi="width",Oi="height";var go="bottom",ai="left",xr="right",Or="#000",bo=Or+"0",yr="mousemove",wo="mousedown",kr="mouseup",vo="mouseenter",xo="\
mouseleave",yo="dblclick",dp="resize",fp="scroll",ko="change",hs="dppxchange",zr="--",hi=typeof window<"u",_r=hi?document:
null,ui=hi?window:null,mp=hi?navigator:null,ce,ps;function Lr(){let e=devicePixelRatio;ce!=e&&(ce=e,ps&&Cr(ko,ps,Lr),ps=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),On(ko,ps,Lr),ui.dispatchEvent(new CustomEvent(
hs)))}function mt(e,t){if(t!=null){let i=e.classList;!i.contains(t)&&i.add(t)}}function Pr(e,t){let i=e.classList;i.contains(
t)&&i.remove(t)}function ye(e,t,i){e.style[t]=i+"px"}function Nt(e,t,i,n){let s=_r.createElement(e);return t!=null&&mt(s,
t),i?.insertBefore(s,n),s}function St(e,t){return Nt("div",e,t)}var So=new WeakMap;function Ut(e,t,i,n,s){let r="transla\
te("+t+"px,"+i+"px)",a=So.get(e);r!=a&&(e.style.transform=r,So.set(e,r),t<0||i<0||t>n||i>s?mt(e,Hn):Pr(e,Hn))}var Eo=new WeakMap;
function Mo(e,t,i){let n=t+i,s=Eo.get(e);n!=s&&(Eo.set(e,n),e.style.background=t,e.style.borderColor=i)}var To=new WeakMap;
function _o(e,t,i,n){let s=t+""+i,r=To.get(e);s!=r&&(To.set(e,s),e.style.height=i+"px",e.style.width=t+"px",e.style.marginLeft=
n?-t/2+"px":0,e.style.marginTop=n?-i/2+"px":0)}var Vr={passive:!0},hp={...Vr,capture:!0};function On(e,t,i,n){t.addEventListener(
e,i,n?hp:Vr)}function Cr(e,t,i,n){t.removeEventListener(e,i,Vr)}hi&&Lr();function Ht(e,t,i,n){let s;i=i||0,n=n||t.length-
1;let r=n<=2147483647;for(;n-i>1;)s=r?i+n>>1:ht((i+n)/2),t[s]<e?i=s:n=s;return e-t[i]<=t[n]-e?i:n}function ta(e){return(i,n,s)=>{
let r=-1,a=-1;for(let u=n;u<=s;u++)if(e(i[u])){r=u;break}for(let u=s;u>=n;u--)if(e(i[u])){a=u;break}return[r,a]}}var na=e=>e!=
null,ia=e=>e!=null&&e>0,ws=ta(na),gp=ta(ia);function bp(e,t,i,n=0,s=!1){let r=s?gp:ws,a=s?ia:na;[t,i]=r(e,t,i);let u=e[t],
p=e[t];if(t>-1)if(n==1)u=e[t],p=e[i];else if(n==-1)u=e[i],p=e[t];else for(let m=t;m<=i;m++){let g=e[m];a(g)&&(g<u?u=g:g>
p&&(p=g))}return[u??he,p??-he]}function vs(e,t,i,n){let s=Co(e),r=Co(t);e==t&&(s==-1?(e*=i,t/=i):(e/=i,t*=i));let a=i==10?
tn:sa,u=s==1?ht:Et,p=r==1?Et:ht,m=u(a(ze(e))),g=p(a(ze(t))),b=pi(i,m),v=pi(i,g);return i==10&&(m<0&&(b=ge(b,-m)),g<0&&(v=
ge(v,-g))),n||i==2?(e=b*s,t=v*r):(e=aa(e,b),t=xs(t,v)),[e,t]}function Fr(e,t,i,n){let s=vs(e,t,i,n);return e==0&&(s[0]=0),
t==0&&(s[1]=0),s}var qr=.1,Lo={mode:3,pad:qr},Vi={pad:0,soft:null,mode:0},wp={min:Vi,max:Vi};function gs(e,t,i,n){return ys(
i)?Po(e,t,i):(Vi.pad=i,Vi.soft=n?0:null,Vi.mode=n?3:0,Po(e,t,wp))}function oe(e,t){return e??t}function vp(e,t,i){for(t=
oe(t,0),i=oe(i,e.length-1);t<=i;){if(e[t]!=null)return!0;t++}return!1}function Po(e,t,i){let n=i.min,s=i.max,r=oe(n.pad,
0),a=oe(s.pad,0),u=oe(n.hard,-he),p=oe(s.hard,he),m=oe(n.soft,he),g=oe(s.soft,-he),b=oe(n.mode,0),v=oe(s.mode,0),S=t-e,L=tn(
S),P=st(ze(e),ze(t)),D=tn(P),j=ze(D-L);(S<1e-24||j>10)&&(S=0,(e==0||t==0)&&(S=1e-24,b==2&&m!=he&&(r=0),v==2&&g!=-he&&(a=
0)));let M=S||P||1e3,W=tn(M),T=pi(10,ht(W)),Z=M*(S==0?e==0?.1:1:r),H=ge(aa(e-Z,T/10),24),X=e>=m&&(b==1||b==3&&H<=m||b==2&&
H>=m)?m:he,Y=st(u,H<X&&e>=X?X:Ot(X,H)),ne=M*(S==0?t==0?.1:1:a),K=ge(xs(t+ne,T/10),24),_=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-he,Q=Ot(p,K>_&&t<=_?_:st(_,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var xp=new Intl.NumberFormat(hi?mp.language:"en-US"),
jr=e=>xp.format(e),gt=Math,ms=gt.PI,ze=gt.abs,ht=gt.floor,Oe=gt.round,Et=gt.ceil,Ot=gt.min,st=gt.max,pi=gt.pow,Co=gt.sign,
tn=gt.log10,sa=gt.log2,yp=(e,t=1)=>gt.sinh(e)*t,Sr=(e,t=1)=>gt.asinh(e/t),he=1/0;function Ao(e){return(tn((e^e>>31)-(e>>
31))|0)+1}function Ar(e,t,i){return Ot(st(e,t),i)}function ra(e){return typeof e=="function"}function ie(e){return ra(e)?
e:()=>e}var kp=()=>{},la=e=>e,oa=(e,t)=>t,Sp=e=>null,$o=e=>!0,Ro=(e,t)=>e==t,Ep=/\.\d*?(?=9{6,}|0{6,})/gm,zn=e=>{if(ua(e)||
hn.has(e))return e;let t=`${e}`,i=t.match(Ep);if(i==null)return e;let n=i[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.
split("e");return+`${zn(s)}e${r}`}return ge(e,n)};function Dn(e,t){return zn(ge(zn(e/t))*t)}function xs(e,t){return zn(Et(
zn(e/t))*t)}function aa(e,t){return zn(ht(zn(e/t))*t)}function ge(e,t=0){if(ua(e))return e;let i=10**t,n=e*i*(1+Number.EPSILON);
return Oe(n)/i}var hn=new Map;function ca(e){return((""+e).split(".")[1]||"").length}function qi(e,t,i,n){let s=[],r=n.map(
ca);for(let a=t;a<i;a++){let u=ze(a),p=ge(pi(e,a),u);for(let m=0;m<n.length;m++){let g=e==10?+`${n[m]}e${a}`:n[m]*p,b=(a>=
0?0:u)+(a>=r[m]?0:r[m]),v=e==10?g:ge(g,b);s.push(v),hn.set(v,b)}}return s}var Fi={},Wr=[],di=[null,null],mn=Array.isArray,
ua=Number.isInteger,Mp=e=>e===void 0;function Do(e){return typeof e=="string"}function ys(e){let t=!1;if(e!=null){let i=e.
constructor;t=i==null||i==Object}return t}function Tp(e){return e!=null&&typeof e=="object"}var _p=Object.getPrototypeOf(
Uint8Array),pa="__proto__";function fi(e,t=ys){let i;if(mn(e)){let n=e.find(s=>s!=null);if(mn(n)||t(n)){i=Array(e.length);
for(let s=0;s<e.length;s++)i[s]=fi(e[s],t)}else i=e.slice()}else if(e instanceof _p)i=e.slice();else if(t(e)){i={};for(let n in e)
n!=pa&&(i[n]=fi(e[n],t))}else i=e;return i}function Re(e){let t=arguments;for(let i=1;i<t.length;i++){let n=t[i];for(let s in n)
s!=pa&&(ys(e[s])?Re(e[s],fi(n[s])):e[s]=fi(n[s]))}return e}var Lp=0,Pp=1,Cp=2;function Ap(e,t,i){for(let n=0,s,r=-1;n<t.
length;n++){let a=t[n];if(a>r){for(s=a-1;s>=0&&e[s]==null;)e[s--]=null;for(s=a+1;s<i&&e[s]==null;)e[r=s++]=null}}}function $p(e,t){
if(Np(e)){let a=e[0].slice();for(let u=1;u<e.length;u++)a.push(...e[u].slice(1));return Hp(a[0])||(a=Dp(a)),a}let i=new Set;
for(let a=0;a<e.length;a++){let p=e[a][0],m=p.length;for(let g=0;g<m;g++)i.add(p[g])}let n=[Array.from(i).sort((a,u)=>a-
u)],s=n[0].length,r=new Map;for(let a=0;a<s;a++)r.set(n[0][a],a);for(let a=0;a<e.length;a++){let u=e[a],p=u[0];for(let m=1;m<
u.length;m++){let g=u[m],b=Array(s).fill(void 0),v=t?t[a][m]:Pp,S=[];for(let L=0;L<g.length;L++){let P=g[L],D=r.get(p[L]);
P===null?v!=Lp&&(b[D]=P,v==Cp&&S.push(D)):b[D]=P}Ap(b,S,s),n.push(b)}}return n}var Rp=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function Dp(e){let t=e[0],i=t.length,n=Array(i);for(let r=0;r<n.length;r++)n[r]=r;n.sort(
(r,a)=>t[r]-t[a]);let s=[];for(let r=0;r<e.length;r++){let a=e[r],u=Array(i);for(let p=0;p<i;p++)u[p]=a[n[p]];s.push(u)}
return s}function Np(e){let t=e[0][0],i=t.length;for(let n=1;n<e.length;n++){let s=e[n][0];if(s.length!=i)return!1;if(s!=
t){for(let r=0;r<i;r++)if(s[r]!=t[r])return!1}}return!0}function Hp(e,t=100){let i=e.length;if(i<=1)return!0;let n=0,s=i-
1;for(;n<=s&&e[n]==null;)n++;for(;s>=n&&e[s]==null;)s--;if(s<=n)return!0;let r=st(1,ht((s-n+1)/t));for(let a=e[n],u=n+r;u<=
s;u+=r){let p=e[u];if(p!=null){if(p<=a)return!1;a=p}}return!0}var da=["January","February","March","April","May","June",
"July","August","September","October","November","December"],fa=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function ma(e){return e.slice(0,3)}var Op=fa.map(ma),zp=da.map(ma),Vp={MMMM:da,MMM:zp,WWWW:fa,WWW:Op};function Ni(e){
return(e<10?"0":"")+e}function Fp(e){return(e<10?"00":e<100?"0":"")+e}var qp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Ni(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Ni(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Ni(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Ni(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Ni(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>Fp(e.getMilliseconds())};function Gr(e,t){t=t||Vp;let i=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(
e);)i.push(s[0][0]=="{"?qp[s[1]]:s[0]);return r=>{let a="";for(let u=0;u<i.length;u++)a+=typeof i[u]=="string"?i[u]:i[u](
r,t);return a}}var jp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Wp(e,t){let i;return t=="UTC"||t=="E\
tc/UTC"?i=new Date(+e+e.getTimezoneOffset()*6e4):t==jp?i=e:(i=new Date(e.toLocaleString("en-US",{timeZone:t})),i.setMilliseconds(
e.getMilliseconds())),i}var ha=e=>e%1==0,bs=[1,2,2.5,5],Gp=qi(10,-32,0,bs),ga=qi(10,0,32,bs),Ip=ga.filter(ha),Nn=Gp.concat(
ga),Ir=`
`,ba="{YYYY}",No=Ir+ba,wa="{M}/{D}",zi=Ir+wa,ds=zi+"/{YY}",va="{aa}",Up="{h}:{mm}",ci=Up+va,Ho=Ir+ci,Oo=":{ss}",pe=null;
function xa(e){let t=e*1e3,i=t*60,n=i*60,s=n*24,r=s*30,a=s*365,p=(e==1?qi(10,0,3,bs).filter(ha):qi(10,-3,0,bs)).concat([
t,t*5,t*10,t*15,t*30,i,i*5,i*10,i*15,i*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*
3,r*4,r*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),m=[[a,ba,pe,pe,pe,pe,pe,pe,1],[s*28,"{MMM}",No,pe,pe,pe,pe,pe,1],[s,wa,No,pe,
pe,pe,pe,pe,1],[n,"{h}"+va,ds,pe,zi,pe,pe,pe,1],[i,ci,ds,pe,zi,pe,pe,pe,1],[t,Oo,ds+" "+ci,pe,zi+" "+ci,pe,Ho,pe,1],[e,Oo+
".{fff}",ds+" "+ci,pe,zi+" "+ci,pe,Ho,pe,1]];function g(b){return(v,S,L,P,D,j)=>{let M=[],W=D>=a,T=D>=r&&D<a,Z=b(L),H=ge(
Z*e,3),X=Er(Z.getFullYear(),W?0:Z.getMonth(),T||W?1:Z.getDate()),Y=ge(X*e,3);if(T||W){let ne=T?D/r:0,K=W?D/a:0,_=H==Y?H:
ge(Er(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(Oe(_/e)),O=Q.getFullYear(),I=Q.getMonth();for(let q=0;_<=P;q++){
let se=Er(O+K*q,I+ne*q,1),F=se-b(ge(se*e,3));_=ge((+se+F)*e,3),_<=P&&M.push(_)}}else{let ne=D>=s?s:D,K=ht(L)-ht(H),_=Y+K+
xs(H-Y,ne);M.push(_);let Q=b(_),O=Q.getHours()+Q.getMinutes()/i+Q.getSeconds()/n,I=D/n,q=v.axes[S]._space,se=j/q;for(;_=
ge(_+D,e==1?0:3),!(_>P);)if(I>1){let F=ht(ge(O+I,6))%24,re=b(_).getHours()-F;re>1&&(re=-1),_-=re*n,O=(O+I)%24;let de=M[M.
length-1];ge((_-de)/D,3)*se>=.7&&M.push(_)}else M.push(_)}return M}}return[p,m,g]}var[Bp,Kp,Yp]=xa(1),[Jp,Qp,Zp]=xa(.001);
qi(2,-53,53,[1]);function zo(e,t){return e.map(i=>i.map((n,s)=>s==0||s==8||n==null?n:t(s==1||i[8]==0?n:i[1]+n)))}function Vo(e,t){
return(i,n,s,r,a)=>{let u=t.find(L=>a>=L[0])||t[t.length-1],p,m,g,b,v,S;return n.map(L=>{let P=e(L),D=P.getFullYear(),j=P.
getMonth(),M=P.getDate(),W=P.getHours(),T=P.getMinutes(),Z=P.getSeconds(),H=D!=p&&u[2]||j!=m&&u[3]||M!=g&&u[4]||W!=b&&u[5]||
T!=v&&u[6]||Z!=S&&u[7]||u[1];return p=D,m=j,g=M,b=W,v=T,S=Z,H(P)})}}function Xp(e,t){let i=Gr(t);return(n,s,r,a,u)=>s.map(
p=>i(e(p)))}function Er(e,t,i){return new Date(e,t,i)}function Fo(e,t){return t(e)}var ed="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function qo(e,t){return(i,n,s,r)=>r==null?zr:t(e(n))}function td(e,t){let i=e.series[t];return i.width?i.stroke(e,t):i.points.
width?i.points.stroke(e,t):null}function nd(e,t){return e.series[t].fill(e,t)}var id={show:!0,live:!0,isolate:!1,mount:kp,
markers:{show:!0,width:2,stroke:td,fill:nd,dash:"solid"},idx:null,idxs:null,values:[]};function sd(e,t){let i=e.cursor.points,
n=St(),s=i.size(e,t);ye(n,Hi,s),ye(n,Oi,s);let r=s/-2;ye(n,"marginLeft",r),ye(n,"marginTop",r);let a=i.width(e,t,s);return a&&
ye(n,"borderWidth",a),n}function rd(e,t){let i=e.series[t].points;return i._fill||i._stroke}function ld(e,t){let i=e.series[t].
points;return i._stroke||i._fill}function od(e,t){return e.series[t].points.size}var Mr=[0,0];function ad(e,t,i){return Mr[0]=
t,Mr[1]=i,Mr}function fs(e,t,i,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&i(s)}}function Tr(e,t,i,n=!0){return s=>{
(!n||s.target==t)&&i(s)}}var cd={show:!0,x:!0,y:!0,lock:!1,move:ad,points:{one:!1,show:sd,size:od,width:0,stroke:ld,fill:rd},
bind:{mousedown:fs,mouseup:fs,click:fs,dblclick:fs,mousemove:Tr,mouseleave:Tr,mouseenter:Tr},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,i,n,s)=>n-
s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ya={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ur=Re({},ya,{filter:oa}),ka=Re({},Ur,{size:10}),Sa=Re({},ya,{show:!1}),Br='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ea="bold "+Br,Ma=1.5,jo={show:!0,scale:"x",stroke:Or,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ea,side:2,grid:Ur,ticks:ka,border:Sa,font:Br,lineGap:Ma,rotate:0},ud="\
Value",pd="Time",Wo={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function dd(e,t,i,n,s){return t.map(r=>r==
null?"":jr(r))}function fd(e,t,i,n,s,r,a){let u=[],p=hn.get(s)||0;i=a?i:ge(xs(i,s),p);for(let m=i;m<=n;m=ge(m+s,p))u.push(
Object.is(m,-0)?0:m);return u}function $r(e,t,i,n,s,r,a){let u=[],p=e.scales[e.axes[t].scale].log,m=p==10?tn:sa,g=ht(m(i));
s=pi(p,g),p==10&&(s=Nn[Ht(s,Nn)]);let b=i,v=s*p;p==10&&(v=Nn[Ht(v,Nn)]);do u.push(b),b=b+s,p==10&&!hn.has(b)&&(b=ge(b,hn.
get(s))),b>=v&&(s=b,v=s*p,p==10&&(v=Nn[Ht(v,Nn)]));while(b<=n);return u}function md(e,t,i,n,s,r,a){let p=e.scales[e.axes[t].
scale].asinh,m=n>p?$r(e,t,st(p,i),n,s):[p],g=n>=0&&i<=0?[0]:[];return(i<-p?$r(e,t,st(p,-n),-i,s):[p]).reverse().map(v=>-v).
concat(g,m)}var Ta=/./,hd=/[12357]/,gd=/[125]/,Go=/1/,Rr=(e,t,i,n)=>e.map((s,r)=>t==4&&s==0||r%n==0&&i.test(s.toExponential()[s<
0?1:0])?s:null);function bd(e,t,i,n,s){let r=e.axes[i],a=r.scale,u=e.scales[a],p=e.valToPos,m=r._space,g=p(10,a),b=p(9,a)-
g>=m?Ta:p(7,a)-g>=m?hd:p(5,a)-g>=m?gd:Go;if(b==Go){let v=ze(p(1,a)-g);if(v<m)return Rr(t.slice().reverse(),u.distr,b,Et(
m/v)).reverse()}return Rr(t,u.distr,b,1)}function wd(e,t,i,n,s){let r=e.axes[i],a=r.scale,u=r._space,p=e.valToPos,m=ze(p(
1,a)-p(2,a));return m<u?Rr(t.slice().reverse(),3,Ta,Et(u/m)).reverse():t}function vd(e,t,i,n){return n==null?zr:t==null?
"":jr(t)}var Io={show:!0,scale:"y",stroke:Or,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ea,side:3,
grid:Ur,ticks:ka,border:Sa,font:Br,lineGap:Ma,rotate:0};function xd(e,t){let i=3+(e||1)*2;return ge(i*t,3)}function yd(e,t){
let{scale:i,idxs:n}=e.series[0],s=e._data[0],r=e.valToPos(s[n[0]],i,!0),a=e.valToPos(s[n[1]],i,!0),u=ze(a-r),p=e.series[t],
m=u/(p.points.space*ce);return n[1]-n[0]<=m}var Uo={scale:null,auto:!0,sorted:0,min:he,max:-he},_a=(e,t,i,n,s)=>s,Bo={show:!0,
auto:!0,sorted:0,gaps:_a,alpha:1,facets:[Re({},Uo,{scale:"x"}),Re({},Uo,{scale:"y"})]},Ko={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:_a,alpha:1,points:{show:yd,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function kd(e,t,i,n,s){
return i/10}var La={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Sd=Re({},La,{time:!1,ori:1}),Yo={};
function Pa(e,t){let i=Yo[e];return i||(i={key:e,plots:[],sub(n){i.plots.push(n)},unsub(n){i.plots=i.plots.filter(s=>s!=
n)},pub(n,s,r,a,u,p,m){for(let g=0;g<i.plots.length;g++)i.plots[g]!=s&&i.plots[g].pub(n,s,r,a,u,p,m)}},e!=null&&(Yo[e]=i)),
i}var mi=1,Dr=2;function Vn(e,t,i){let n=e.mode,s=e.series[t],r=n==2?e._data[t]:e._data,a=e.scales,u=e.bbox,p=r[0],m=n==
2?r[1]:r[t],g=n==2?a[s.facets[0].scale]:a[e.series[0].scale],b=n==2?a[s.facets[1].scale]:a[s.scale],v=u.left,S=u.top,L=u.
width,P=u.height,D=e.valToPosH,j=e.valToPosV;return g.ori==0?i(s,p,m,g,b,D,j,v,S,L,P,Ss,gi,Ms,Aa,Ra):i(s,p,m,g,b,j,D,S,v,
P,L,Es,bi,Jr,$a,Da)}function Kr(e,t){let i=0,n=0,s=oe(e.bands,Wr);for(let r=0;r<s.length;r++){let a=s[r];a.series[0]==t?
i=a.dir:a.series[1]==t&&(a.dir==1?n|=1:n|=2)}return[i,n==1?-1:n==2?1:n==3?2:0]}function Ed(e,t,i,n,s){let r=e.mode,a=e.series[t],
u=r==2?a.facets[1].scale:a.scale,p=e.scales[u];return s==-1?p.min:s==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function nn(e,t,i,n,s,r){
return Vn(e,t,(a,u,p,m,g,b,v,S,L,P,D)=>{let j=a.pxRound,M=m.dir*(m.ori==0?1:-1),W=m.ori==0?gi:bi,T,Z;M==1?(T=i,Z=n):(T=n,
Z=i);let H=j(b(u[T],m,P,S)),X=j(v(p[T],g,D,L)),Y=j(b(u[Z],m,P,S)),ne=j(v(r==1?g.max:g.min,g,D,L)),K=new Path2D(s);return W(
K,Y,ne),W(K,H,ne),W(K,H,X),K})}function ks(e,t,i,n,s,r){let a=null;if(e.length>0){a=new Path2D;let u=t==0?Ms:Jr,p=i;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let S=v[0]-p;S>0&&u(a,p,n,S,n+r),p=v[1]}}let m=i+s-p,g=10;m>0&&u(a,p,n-g/2,m,n+r+
g)}return a}function Md(e,t,i){let n=e[e.length-1];n&&n[0]==t?n[1]=i:e.push([t,i])}function Yr(e,t,i,n,s,r,a){let u=[],p=e.
length;for(let m=s==1?i:n;m>=i&&m<=n;m+=s)if(t[m]===null){let b=m,v=m;if(s==1)for(;++m<=n&&t[m]===null;)v=m;else for(;--m>=
i&&t[m]===null;)v=m;let S=r(e[b]),L=v==b?S:r(e[v]),P=b-s;S=a<=0&&P>=0&&P<p?r(e[P]):S;let j=v+s;L=a>=0&&j>=0&&j<p?r(e[j]):
L,L>=S&&u.push([S,L])}return u}function Jo(e){return e==0?la:e==1?Oe:t=>Dn(t,e)}function Ca(e){let t=e==0?Ss:Es,i=e==0?(s,r,a,u,p,m)=>{
s.arcTo(r,a,u,p,m)}:(s,r,a,u,p,m)=>{s.arcTo(a,r,p,u,m)},n=e==0?(s,r,a,u,p)=>{s.rect(r,a,u,p)}:(s,r,a,u,p)=>{s.rect(a,r,p,
u)};return(s,r,a,u,p,m=0,g=0)=>{m==0&&g==0?n(s,r,a,u,p):(m=Ot(m,u/2,p/2),g=Ot(g,u/2,p/2),t(s,r+m,a),i(s,r+u,a,r+u,a+p,m),
i(s,r+u,a+p,r,a+p,g),i(s,r,a+p,r,a,g),i(s,r,a,r+u,a,m),s.closePath())}}var Ss=(e,t,i)=>{e.moveTo(t,i)},Es=(e,t,i)=>{e.moveTo(
i,t)},gi=(e,t,i)=>{e.lineTo(t,i)},bi=(e,t,i)=>{e.lineTo(i,t)},Ms=Ca(0),Jr=Ca(1),Aa=(e,t,i,n,s,r)=>{e.arc(t,i,n,s,r)},$a=(e,t,i,n,s,r)=>{
e.arc(i,t,n,s,r)},Ra=(e,t,i,n,s,r,a)=>{e.bezierCurveTo(t,i,n,s,r,a)},Da=(e,t,i,n,s,r,a)=>{e.bezierCurveTo(i,t,s,n,a,r)};
function Na(e){return(t,i,n,s,r)=>Vn(t,i,(a,u,p,m,g,b,v,S,L,P,D)=>{let{pxRound:j,points:M}=a,W,T;m.ori==0?(W=Ss,T=Aa):(W=
Es,T=$a);let Z=ge(M.width*ce,3),H=(M.size-M.width)/2*ce,X=ge(H*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:_,width:Q,height:O}=t.
bbox;Ms(ne,K-X,_-X,Q+X*2,O+X*2);let I=q=>{if(p[q]!=null){let se=j(b(u[q],m,P,S)),F=j(v(p[q],g,D,L));W(Y,se+H,F),T(Y,se,F,
H,0,ms*2)}};if(r)r.forEach(I);else for(let q=n;q<=s;q++)I(q);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:mi|Dr}})}function Ha(e){
return(t,i,n,s,r,a)=>{n!=s&&(r!=n&&a!=n&&e(t,i,n),r!=s&&a!=s&&e(t,i,s),e(t,i,a))}}var Td=Ha(gi),_d=Ha(bi);function Oa(e){
let t=oe(e?.alignGaps,0);return(i,n,s,r)=>Vn(i,n,(a,u,p,m,g,b,v,S,L,P,D)=>{[s,r]=ws(p,s,r);let j=a.pxRound,M=O=>j(b(O,m,
P,S)),W=O=>j(v(O,g,D,L)),T,Z;m.ori==0?(T=gi,Z=Td):(T=bi,Z=_d);let H=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:mi},Y=X.stroke,ne=!1;if(r-s>=P*4){let O=z=>i.posToVal(z,m.key,!0),I=null,q=null,se,F,
rt,ke=M(u[H==1?s:r]),re=M(u[s]),de=M(u[r]),ee=O(H==1?re+1:de-1);for(let z=H==1?s:r;z>=s&&z<=r;z+=H){let De=u[z],Se=(H==1?
De<ee:De>ee)?ke:M(De),ue=p[z];Se==ke?ue!=null?(F=ue,I==null?(T(Y,Se,W(F)),se=I=q=F):F<I?I=F:F>q&&(q=F)):ue===null&&(ne=!0):
(I!=null&&Z(Y,ke,W(I),W(q),W(se),W(F)),ue!=null?(F=ue,T(Y,Se,W(F)),I=q=se=F):(I=q=null,ue===null&&(ne=!0)),ke=Se,ee=O(ke+
H))}I!=null&&I!=q&&rt!=ke&&Z(Y,ke,W(I),W(q),W(se),W(F))}else for(let O=H==1?s:r;O>=s&&O<=r;O+=H){let I=p[O];I===null?ne=
!0:I!=null&&T(Y,M(u[O]),W(I))}let[_,Q]=Kr(i,n);if(a.fill!=null||_!=0){let O=X.fill=new Path2D(Y),I=a.fillTo(i,n,a.min,a.
max,_),q=W(I),se=M(u[s]),F=M(u[r]);H==-1&&([F,se]=[se,F]),T(O,F,q),T(O,se,q)}if(!a.spanGaps){let O=[];ne&&O.push(...Yr(u,
p,s,r,H,M,t)),X.gaps=O=a.gaps(i,n,s,r,O),X.clip=ks(O,m.ori,S,L,P,D)}return Q!=0&&(X.band=Q==2?[nn(i,n,s,r,Y,-1),nn(i,n,s,
r,Y,1)]:nn(i,n,s,r,Y,Q)),X})}function Ld(e){let t=oe(e.align,1),i=oe(e.ascDesc,!1),n=oe(e.alignGaps,0),s=oe(e.extend,!1);
return(r,a,u,p)=>Vn(r,a,(m,g,b,v,S,L,P,D,j,M,W)=>{[u,p]=ws(b,u,p);let T=m.pxRound,{left:Z,width:H}=r.bbox,X=re=>T(L(re,v,
M,D)),Y=re=>T(P(re,S,W,j)),ne=v.ori==0?gi:bi,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:mi},_=K.
stroke,Q=v.dir*(v.ori==0?1:-1),O=Y(b[Q==1?u:p]),I=X(g[Q==1?u:p]),q=I,se=I;s&&t==-1&&(se=Z,ne(_,se,O)),ne(_,I,O);for(let re=Q==
1?u:p;re>=u&&re<=p;re+=Q){let de=b[re];if(de==null)continue;let ee=X(g[re]),z=Y(de);t==1?ne(_,ee,O):ne(_,q,z),ne(_,ee,z),
O=z,q=ee}let F=q;s&&t==1&&(F=Z+H,ne(_,F,O));let[rt,ke]=Kr(r,a);if(m.fill!=null||rt!=0){let re=K.fill=new Path2D(_),de=m.
fillTo(r,a,m.min,m.max,rt),ee=Y(de);ne(re,F,ee),ne(re,se,ee)}if(!m.spanGaps){let re=[];re.push(...Yr(g,b,u,p,Q,X,n));let de=m.
width*ce/2,ee=i||t==1?de:-de,z=i||t==-1?-de:de;re.forEach(De=>{De[0]+=ee,De[1]+=z}),K.gaps=re=m.gaps(r,a,u,p,re),K.clip=
ks(re,v.ori,D,j,M,W)}return ke!=0&&(K.band=ke==2?[nn(r,a,u,p,_,-1),nn(r,a,u,p,_,1)]:nn(r,a,u,p,_,ke)),K})}function Qo(e,t,i,n,s,r,a=he){
if(e.length>1){let u=null;for(let p=0,m=1/0;p<e.length;p++)if(t[p]!==void 0){if(u!=null){let g=ze(e[p]-e[u]);g<m&&(m=g,a=
ze(i(e[p],n,s,r)-i(e[u],n,s,r)))}u=p}}return a}function Pd(e){e=e||Fi;let t=oe(e.size,[.6,he,1]),i=e.align||0,n=e.gap||0,
s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=ie(s),a=1-t[0],u=oe(t[1],he),p=oe(t[2],1),m=oe(e.disp,Fi),g=oe(
e.each,S=>{}),{fill:b,stroke:v}=m;return(S,L,P,D)=>Vn(S,L,(j,M,W,T,Z,H,X,Y,ne,K,_)=>{let Q=j.pxRound,O=i,I=n*ce,q=u*ce,se=p*
ce,F,rt;T.ori==0?[F,rt]=r(S,L):[rt,F]=r(S,L);let ke=T.dir*(T.ori==0?1:-1),re=T.ori==0?Ms:Jr,de=T.ori==0?g:($,be,Ne,Gn,xn,Vt,yn)=>{
g($,be,Ne,xn,Gn,yn,Vt)},ee=oe(S.bands,Wr).find($=>$.series[0]==L),z=ee!=null?ee.dir:0,De=j.fillTo(S,L,j.min,j.max,z),Ze=Q(
X(De,Z,_,ne)),Se,ue,_t,ct=K,Me=Q(j.width*ce),zt=!1,Bt=null,bt=null,rn=null,qn=null;b!=null&&(Me==0||v!=null)&&(zt=!0,Bt=
b.values(S,L,P,D),bt=new Map,new Set(Bt).forEach($=>{$!=null&&bt.set($,new Path2D)}),Me>0&&(rn=v.values(S,L,P,D),qn=new Map,
new Set(rn).forEach($=>{$!=null&&qn.set($,new Path2D)})));let{x0:jn,size:ki}=m;if(jn!=null&&ki!=null){O=1,M=jn.values(S,
L,P,D),jn.unit==2&&(M=M.map(Ne=>S.posToVal(Y+Ne*K,T.key,!0)));let $=ki.values(S,L,P,D);ki.unit==2?ue=$[0]*K:ue=H($[0],T,
K,Y)-H(0,T,K,Y),ct=Qo(M,W,H,T,K,Y,ct),_t=ct-ue+I}else ct=Qo(M,W,H,T,K,Y,ct),_t=ct*a+I,ue=ct-_t;_t<1&&(_t=0),Me>=ue/2&&(Me=
0),_t<5&&(Q=la);let Ui=_t>0,wn=ct-_t-(Ui?Me:0);ue=Q(Ar(wn,se,q)),Se=(O==0?ue/2:O==ke?0:ue)-O*ke*((O==0?I/2:0)+(Ui?Me/2:0));
let Xe={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Wn=zt?null:new Path2D,Kt=null;if(ee!=null)Kt=S.data[ee.
series[1]];else{let{y0:$,y1:be}=m;$!=null&&be!=null&&(W=be.values(S,L,P,D),Kt=$.values(S,L,P,D))}let vn=F*ue,J=rt*ue;for(let $=ke==
1?P:D;$>=P&&$<=D;$+=ke){let be=W[$];if(be==null)continue;if(Kt!=null){let lt=Kt[$]??0;if(be-lt==0)continue;Ze=X(lt,Z,_,ne)}
let Ne=T.distr!=2||m!=null?M[$]:$,Gn=H(Ne,T,K,Y),xn=X(oe(be,De),Z,_,ne),Vt=Q(Gn-Se),yn=Q(st(xn,Ze)),ut=Q(Ot(xn,Ze)),wt=yn-
ut;if(be!=null){let lt=be<0?J:vn,Lt=be<0?vn:J;zt?(Me>0&&rn[$]!=null&&re(qn.get(rn[$]),Vt,ut+ht(Me/2),ue,st(0,wt-Me),lt,Lt),
Bt[$]!=null&&re(bt.get(Bt[$]),Vt,ut+ht(Me/2),ue,st(0,wt-Me),lt,Lt)):re(Wn,Vt,ut+ht(Me/2),ue,st(0,wt-Me),lt,Lt),de(S,L,$,
Vt-Me/2,ut,ue+Me,wt)}}return Me>0?Xe.stroke=zt?qn:Wn:zt||(Xe._fill=j.width==0?j._fill:j._stroke??j._fill,Xe.width=0),Xe.
fill=zt?bt:Wn,Xe})}function Cd(e,t){let i=oe(t?.alignGaps,0);return(n,s,r,a)=>Vn(n,s,(u,p,m,g,b,v,S,L,P,D,j)=>{[r,a]=ws(
m,r,a);let M=u.pxRound,W=F=>M(v(F,g,D,L)),T=F=>M(S(F,b,j,P)),Z,H,X;g.ori==0?(Z=Ss,X=gi,H=Ra):(Z=Es,X=bi,H=Da);let Y=g.dir*
(g.ori==0?1:-1),ne=W(p[Y==1?r:a]),K=ne,_=[],Q=[];for(let F=Y==1?r:a;F>=r&&F<=a;F+=Y)if(m[F]!=null){let ke=p[F],re=W(ke);
_.push(K=re),Q.push(T(m[F]))}let O={stroke:e(_,Q,Z,X,H,M),fill:null,clip:null,band:null,gaps:null,flags:mi},I=O.stroke,[
q,se]=Kr(n,s);if(u.fill!=null||q!=0){let F=O.fill=new Path2D(I),rt=u.fillTo(n,s,u.min,u.max,q),ke=T(rt);X(F,K,ke),X(F,ne,
ke)}if(!u.spanGaps){let F=[];F.push(...Yr(p,m,r,a,Y,W,i)),O.gaps=F=u.gaps(n,s,r,a,F),O.clip=ks(F,g.ori,L,P,D,j)}return se!=
0&&(O.band=se==2?[nn(n,s,r,a,I,-1),nn(n,s,r,a,I,1)]:nn(n,s,r,a,I,se)),O})}function Ad(e){return Cd($d,e)}function $d(e,t,i,n,s,r){
let a=e.length;if(a<2)return null;let u=new Path2D;if(i(u,e[0],t[0]),a==2)n(u,e[1],t[1]);else{let p=Array(a),m=Array(a-1),
g=Array(a-1),b=Array(a-1);for(let v=0;v<a-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];p[0]=m[0];for(let v=1;v<
a-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?p[v]=0:(p[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(p[v])||(p[v]=0));p[a-1]=m[a-2];for(let v=0;v<a-1;v++)s(u,e[v]+b[v]/3,t[v]+p[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-p[v+
1]*b[v]/3,e[v+1],t[v+1])}return u}var Nr=new Set;function Zo(){for(let e of Nr)e.syncRect(!0)}hi&&(On(dp,ui,Zo),On(fp,ui,
Zo,!0),On(hs,ui,()=>{Be.pxRatio=ce}));var Rd=Oa(),Dd=Na();function Xo(e,t,i,n){return(n?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((r,a)=>Hr(r,a,t,i))}function Nd(e,t){return e.map((i,n)=>n==0?{}:Re({},t,i))}function Hr(e,t,i,n){
return Re({},t==0?i:n,e)}function za(e,t,i){return t==null?di:[t,i]}var Hd=za;function Od(e,t,i){return t==null?di:gs(t,
i,qr,!0)}function Va(e,t,i,n){return t==null?di:vs(t,i,e.scales[n].log,!1)}var zd=Va;function Fa(e,t,i,n){return t==null?
di:Fr(t,i,e.scales[n].log,!1)}var Vd=Fa;function Fd(e,t,i,n,s){let r=st(Ao(e),Ao(t)),a=t-e,u=Ht(s/n*a,i);do{let p=i[u],m=n*
p/a;if(m>=s&&r+(p<5?hn.get(p):0)<=17)return[p,m]}while(++u<i.length);return[0,0]}function ea(e){let t,i;return e=e.replace(
/(\d+)px/,(n,s)=>(t=Oe((i=+s)*ce))+"px"),[e,t,i]}function qd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let i=ge(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,i+"px"),t[1]=i})}function Be(e,t,i){let n={mode:oe(e.mode,1)},s=n.mode;function r(l,c,d,f){
let h=c.valToPct(l);return f+d*(c.dir==-1?1-h:h)}function a(l,c,d,f){let h=c.valToPct(l);return f+d*(c.dir==-1?h:1-h)}function u(l,c,d,f){
return c.ori==0?r(l,c,d,f):a(l,c,d,f)}n.valToPosH=r,n.valToPosV=a;let p=!1;n.status=0;let m=n.root=St(Ku);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let l=St(Qu,m);l.textContent=e.title}let g=Nt("canvas"),b=n.ctx=g.getContext("2d"),v=St(
Zu,m);On("click",v,l=>{l.target===L&&(we!=ti||Ee!=ni)&&Ue.click(n,l)},!0);let S=n.under=St(Xu,v);v.appendChild(g);let L=n.
over=St(ep,v);e=fi(e);let P=+oe(e.pxAlign,1),D=Jo(P);(e.plugins||[]).forEach(l=>{l.opts&&(e=l.opts(n,e)||e)});let j=e.ms||
.001,M=n.series=s==1?Xo(e.series||[],Wo,Ko,!1):Nd(e.series||[null],Bo),W=n.axes=Xo(e.axes||[],jo,Io,!0),T=n.scales={},Z=n.
bands=e.bands||[];Z.forEach(l=>{l.fill=ie(l.fill||null),l.dir=oe(l.dir,-1)});let H=s==2?M[1].facets[0].scale:M[0].scale,
X={axes:Jc,series:Ic},Y=(e.drawOrder||["axes","series"]).map(l=>X[l]);function ne(l){let c=l.distr==3?d=>tn(d>0?d:l.clamp(
n,d,l.min,l.max,l.key)):l.distr==4?d=>Sr(d,l.asinh):l.distr==100?d=>l.fwd(d):d=>d;return d=>{let f=c(d),{_min:h,_max:w}=l,
x=w-h;return(f-h)/x}}function K(l){let c=T[l];if(c==null){let d=(e.scales||Fi)[l]||Fi;if(d.from!=null){K(d.from);let f=Re(
{},T[d.from],d,{key:l});f.valToPct=ne(f),T[l]=f}else{c=T[l]=Re({},l==H?La:Sd,d),c.key=l;let f=c.time,h=c.range,w=mn(h);if((l!=
H||s==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?Lo:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?Lo:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&ys(h))){let x=h;h=(y,E,C)=>E==null?di:gs(E,C,x)}c.range=ie(h||(f?Hd:l==H?c.distr==3?zd:c.
distr==4?Vd:za:c.distr==3?Va:c.distr==4?Fa:Od)),c.auto=ie(w?!1:c.auto),c.clamp=ie(c.clamp||kd),c._min=c._max=null,c.valToPct=
ne(c)}}}K("x"),K("y"),s==1&&M.forEach(l=>{K(l.scale)}),W.forEach(l=>{K(l.scale)});for(let l in e.scales)K(l);let _=T[H],
Q=_.distr,O,I;_.ori==0?(mt(m,Yu),O=r,I=a):(mt(m,Ju),O=a,I=r);let q={};for(let l in T){let c=T[l];(c.min!=null||c.max!=null)&&
(q[l]={min:c.min,max:c.max},c.min=c.max=null)}let se=e.tzDate||(l=>new Date(Oe(l/j))),F=e.fmtDate||Gr,rt=j==1?Yp(se):Zp(
se),ke=Vo(se,zo(j==1?Kp:Qp,F)),re=qo(se,Fo(ed,F)),de=[],ee=n.legend=Re({},id,e.legend),z=n.cursor=Re({},cd,{drag:{y:s==2}},
e.cursor),De=ee.show,Ze=z.show,Se=ee.markers;ee.idxs=de,Se.width=ie(Se.width),Se.dash=ie(Se.dash),Se.stroke=ie(Se.stroke),
Se.fill=ie(Se.fill);let ue,_t,ct,Me=[],zt=[],Bt,bt=!1,rn={};if(ee.live){let l=M[1]?M[1].values:null;bt=l!=null,Bt=bt?l(n,
1,0):{_:0};for(let c in Bt)rn[c]=zr}if(De)if(ue=Nt("table",lp,m),ct=Nt("tbody",null,ue),ee.mount(n,ue),bt){_t=Nt("thead",
null,ue,ct);let l=Nt("tr",null,_t);Nt("th",null,l);for(var qn in Bt)Nt("th",ho,l).textContent=qn}else mt(ue,ap),ee.live&&
mt(ue,op);let jn={show:!0},ki={show:!1};function Ui(l,c){if(c==0&&(bt||!ee.live||s==2))return di;let d=[],f=Nt("tr",cp,ct,
ct.childNodes[c]);mt(f,l.class),l.show||mt(f,Hn);let h=Nt("th",null,f);if(Se.show){let y=St(up,h);if(c>0){let E=Se.width(
n,c);E&&(y.style.border=E+"px "+Se.dash(n,c)+" "+Se.stroke(n,c)),y.style.background=Se.fill(n,c)}}let w=St(ho,h);l.label instanceof
HTMLElement?w.appendChild(l.label):w.textContent=l.label,c>0&&(Se.show||(w.style.color=l.width>0?Se.stroke(n,c):Se.fill(
n,c)),Xe("click",h,y=>{if(z._lock)return;Sn(y);let E=M.indexOf(l);if((y.ctrlKey||y.metaKey)!=ee.isolate){let C=M.some((A,N)=>N>
0&&N!=E&&A.show);M.forEach((A,N)=>{N>0&&qt(N,C?N==E?jn:ki:jn,!0,Ae.setSeries)})}else qt(E,{show:!l.show},!0,Ae.setSeries)},
!1),Un&&Xe(vo,h,y=>{z._lock||(Sn(y),qt(M.indexOf(l),si,!0,Ae.setSeries))},!1));for(var x in Bt){let y=Nt("td",pp,f);y.textContent=
"--",d.push(y)}return[f,d]}let wn=new Map;function Xe(l,c,d,f=!0){let h=wn.get(c)||{},w=z.bind[l](n,c,d,f);w&&(On(l,c,h[l]=
w),wn.set(c,h))}function Wn(l,c,d){let f=wn.get(c)||{};for(let h in f)(l==null||h==l)&&(Cr(h,c,f[h]),delete f[h]);l==null&&
wn.delete(c)}let Kt=0,vn=0,J=0,$=0,be=0,Ne=0,Gn=be,xn=Ne,Vt=J,yn=$,ut=0,wt=0,lt=0,Lt=0;n.bbox={};let Hs=!1,Bi=!1,In=!1,kn=!1,
Ki=!1,vt=!1;function Os(l,c,d){(d||l!=n.width||c!=n.height)&&pl(l,c),Qn(!1),In=!0,Bi=!0,Zn()}function pl(l,c){n.width=Kt=
J=l,n.height=vn=$=c,be=Ne=0,zc(),Vc();let d=n.bbox;ut=d.left=Dn(be*ce,.5),wt=d.top=Dn(Ne*ce,.5),lt=d.width=Dn(J*ce,.5),Lt=
d.height=Dn($*ce,.5)}let Nc=3;function Hc(){let l=!1,c=0;for(;!l;){c++;let d=Kc(c),f=Yc(c);l=c==Nc||d&&f,l||(pl(n.width,
n.height),Bi=!0)}}function Oc({width:l,height:c}){Os(l,c)}n.setSize=Oc;function zc(){let l=!1,c=!1,d=!1,f=!1;W.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:y}=h,E=x%2,C=h.label!=null?h.labelSize:0,A=y+C;A>0&&(E?(J-=A,x==3?(be+=A,f=!0):d=!0):
($-=A,x==0?(Ne+=A,l=!0):c=!0))}}),En[0]=l,En[1]=d,En[2]=c,En[3]=f,J-=ln[1]+ln[3],be+=ln[3],$-=ln[2]+ln[0],Ne+=ln[0]}function Vc(){
let l=be+J,c=Ne+$,d=be,f=Ne;function h(w,x){switch(w){case 1:return l+=x,l-x;case 2:return c+=x,c-x;case 3:return d-=x,d+
x;case 0:return f-=x,f+x}}W.forEach((w,x)=>{if(w.show&&w._show){let y=w.side;w._pos=h(y,w._size),w.label!=null&&(w._lpos=
h(y,w.labelSize))}})}if(z.dataIdx==null){let l=z.hover,c=l.skip=new Set(l.skip??[]);c.add(void 0);let d=l.prox=ie(l.prox),
f=l.bias??=0;z.dataIdx=(h,w,x,y)=>{if(w==0)return x;let E=x,C=d(h,w,x,y)??he,A=C>=0&&C<he,N=_.ori==0?J:$,U=z.left,ae=t[0],
le=t[w];if(c.has(le[x])){E=null;let te=null,G=null,V;if(f==0||f==-1)for(V=x;te==null&&V-- >0;)c.has(le[V])||(te=V);if(f==
0||f==1)for(V=x;G==null&&V++<le.length;)c.has(le[V])||(G=V);if(te!=null||G!=null)if(A){let xe=te==null?-1/0:O(ae[te],_,N,
0),_e=G==null?1/0:O(ae[G],_,N,0),Ge=U-xe,fe=_e-U;Ge<=fe?Ge<=C&&(E=te):fe<=C&&(E=G)}else E=G==null?te:te==null?G:x-te<=G-
x?te:G}else A&&ze(U-O(ae[x],_,N,0))>C&&(E=null);return E}}let Sn=l=>{z.event=l};z.idxs=de,z._lock=!1;let Ke=z.points;Ke.
show=ie(Ke.show),Ke.size=ie(Ke.size),Ke.stroke=ie(Ke.stroke),Ke.width=ie(Ke.width),Ke.fill=ie(Ke.fill);let Ft=n.focus=Re(
{},e.focus||{alpha:.3},z.focus),Un=Ft.prox>=0,Bn=Un&&Ke.one,xt=[],Kn=[],Yn=[];function dl(l,c){let d=Ke.show(n,c);if(d instanceof
HTMLElement)return mt(d,rp),mt(d,l.class),Ut(d,-10,-10,J,$),L.insertBefore(d,xt[c]),d}function fl(l,c){if(s==1||c>0){let d=s==
1&&T[l.scale].time,f=l.value;l.value=d?Do(f)?qo(se,Fo(f,F)):f||re:f||vd,l.label=l.label||(d?pd:ud)}if(Bn||c>0){l.width=l.
width==null?1:l.width,l.paths=l.paths||Rd||Sp,l.fillTo=ie(l.fillTo||Ed),l.pxAlign=+oe(l.pxAlign,P),l.pxRound=Jo(l.pxAlign),
l.stroke=ie(l.stroke||null),l.fill=ie(l.fill||null),l._stroke=l._fill=l._paths=l._focus=null;let d=xd(st(1,l.width),1),f=l.
points=Re({},{size:d,width:st(1,d*.2),stroke:l.stroke,space:d*2,paths:Dd,_stroke:null,_fill:null},l.points);f.show=ie(f.
show),f.filter=ie(f.filter),f.fill=ie(f.fill),f.stroke=ie(f.stroke),f.paths=ie(f.paths),f.pxAlign=l.pxAlign}if(De){let d=Ui(
l,c);Me.splice(c,0,d[0]),zt.splice(c,0,d[1]),ee.values.push(null)}if(Ze){de.splice(c,0,null);let d=null;Bn?c==0&&(d=dl(l,
c)):c>0&&(d=dl(l,c)),xt.splice(c,0,d),Kn.splice(c,0,0),Yn.splice(c,0,0)}We("addSeries",c)}function Fc(l,c){c=c??M.length,
l=s==1?Hr(l,c,Wo,Ko):Hr(l,c,{},Bo),M.splice(c,0,l),fl(M[c],c)}n.addSeries=Fc;function qc(l){if(M.splice(l,1),De){ee.values.
splice(l,1),zt.splice(l,1);let c=Me.splice(l,1)[0];Wn(null,c.firstChild),c.remove()}Ze&&(de.splice(l,1),xt.splice(l,1)[0].
remove(),Kn.splice(l,1),Yn.splice(l,1)),We("delSeries",l)}n.delSeries=qc;let En=[!1,!1,!1,!1];function jc(l,c){if(l._show=
l.show,l.show){let d=l.side%2,f=T[l.scale];f==null&&(l.scale=d?M[1].scale:H,f=T[l.scale]);let h=f.time;l.size=ie(l.size),
l.space=ie(l.space),l.rotate=ie(l.rotate),mn(l.incrs)&&l.incrs.forEach(x=>{!hn.has(x)&&hn.set(x,ca(x))}),l.incrs=ie(l.incrs||
(f.distr==2?Ip:h?j==1?Bp:Jp:Nn)),l.splits=ie(l.splits||(h&&f.distr==1?rt:f.distr==3?$r:f.distr==4?md:fd)),l.stroke=ie(l.
stroke),l.grid.stroke=ie(l.grid.stroke),l.ticks.stroke=ie(l.ticks.stroke),l.border.stroke=ie(l.border.stroke);let w=l.values;
l.values=mn(w)&&!mn(w[0])?ie(w):h?mn(w)?Vo(se,zo(w,F)):Do(w)?Xp(se,w):w||ke:w||dd,l.filter=ie(l.filter||(f.distr>=3&&f.log==
10?bd:f.distr==3&&f.log==2?wd:oa)),l.font=ea(l.font),l.labelFont=ea(l.labelFont),l._size=l.size(n,null,c,0),l._space=l._rotate=
l._incrs=l._found=l._splits=l._values=null,l._size>0&&(En[c]=!0,l._el=St(tp,v))}}function Si(l,c,d,f){let[h,w,x,y]=d,E=c%
2,C=0;return E==0&&(y||w)&&(C=c==0&&!h||c==2&&!x?Oe(jo.size/3):0),E==1&&(h||x)&&(C=c==1&&!w||c==3&&!y?Oe(Io.size/2):0),C}
let ml=n.padding=(e.padding||[Si,Si,Si,Si]).map(l=>ie(oe(l,Si))),ln=n._padding=ml.map((l,c)=>l(n,c,En,0)),Ie,Ve=null,Fe=null,
Yi=s==1?M[0].idxs:null,Pt=null,Ei=!1;function hl(l,c){if(t=l??[],n.data=n._data=t,s==2){Ie=0;for(let d=1;d<M.length;d++)
Ie+=t[d][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),Pt=t[0],Ie=Pt.length;let d=t;if(Q==2){d=t.slice();let f=d[0]=
Array(Ie);for(let h=0;h<Ie;h++)f[h]=h}n._data=t=d}if(Qn(!0),We("setData"),Q==2&&(In=!0),c!==!1){let d=_;d.auto(n,Ei)?zs():
an(H,d.min,d.max),kn=kn||z.left>=0,vt=!0,Zn()}}n.setData=hl;function zs(){Ei=!0;let l,c;s==1&&(Ie>0?(Ve=Yi[0]=0,Fe=Yi[1]=
Ie-1,l=t[0][Ve],c=t[0][Fe],Q==2?(l=Ve,c=Fe):l==c&&(Q==3?[l,c]=vs(l,l,_.log,!1):Q==4?[l,c]=Fr(l,l,_.log,!1):_.time?c=l+Oe(
86400/j):[l,c]=gs(l,c,qr,!0))):(Ve=Yi[0]=l=null,Fe=Yi[1]=c=null)),an(H,l,c)}let Ji,Jn,Vs,Fs,qs,js,Ws,Gs,Is,ot;function gl(l,c,d,f,h,w){
l??=bo,d??=Wr,f??="butt",h??=bo,w??="round",l!=Ji&&(b.strokeStyle=Ji=l),h!=Jn&&(b.fillStyle=Jn=h),c!=Vs&&(b.lineWidth=Vs=
c),w!=qs&&(b.lineJoin=qs=w),f!=js&&(b.lineCap=js=f),d!=Fs&&b.setLineDash(Fs=d)}function bl(l,c,d,f){c!=Jn&&(b.fillStyle=
Jn=c),l!=Ws&&(b.font=Ws=l),d!=Gs&&(b.textAlign=Gs=d),f!=Is&&(b.textBaseline=Is=f)}function Us(l,c,d,f,h=0){if(f.length>0&&
l.auto(n,Ei)&&(c==null||c.min==null)){let w=oe(Ve,0),x=oe(Fe,f.length-1),y=d.min==null?bp(f,w,x,h,l.distr==3):[d.min,d.max];
l.min=Ot(l.min,d.min=y[0]),l.max=st(l.max,d.max=y[1])}}let wl={min:null,max:null};function Wc(){for(let f in T){let h=T[f];
q[f]==null&&(h.min==null||q[H]!=null&&h.auto(n,Ei))&&(q[f]=wl)}for(let f in T){let h=T[f];q[f]==null&&h.from!=null&&q[h.
from]!=null&&(q[f]=wl)}q[H]!=null&&Qn(!0);let l={};for(let f in q){let h=q[f];if(h!=null){let w=l[f]=fi(T[f],Tp);if(h.min!=
null)Re(w,h);else if(f!=H||s==2)if(Ie==0&&w.from==null){let x=w.range(n,null,null,f);w.min=x[0],w.max=x[1]}else w.min=he,
w.max=-he}}if(Ie>0){M.forEach((f,h)=>{if(s==1){let w=f.scale,x=q[w];if(x==null)return;let y=l[w];if(h==0){let E=y.range(
n,y.min,y.max,w);y.min=E[0],y.max=E[1],Ve=Ht(y.min,t[0]),Fe=Ht(y.max,t[0]),Fe-Ve>1&&(t[0][Ve]<y.min&&Ve++,t[0][Fe]>y.max&&
Fe--),f.min=Pt[Ve],f.max=Pt[Fe]}else f.show&&f.auto&&Us(y,x,f,t[h],f.sorted);f.idxs[0]=Ve,f.idxs[1]=Fe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,y=w.scale,E=x.scale,[C,A]=t[h],N=l[y],U=l[E];N!=null&&Us(N,q[y],w,C,w.sorted),U!=null&&Us(U,q[E],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in l){let h=l[f],w=q[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(n,h.min==he?null:h.min,h.max==-he?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in l){let h=l[f];if(h.from!=null){
let w=l[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(n,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},d=!1;
for(let f in l){let h=l[f],w=T[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?tn(w.
min):x==4?Sr(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?tn(w.max):x==4?Sr(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=d=!0}}if(d){M.forEach((f,h)=>{s==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)In=!0,
We("setScale",f);Ze&&z.left>=0&&(kn=vt=!0)}for(let f in q)q[f]=null}function Gc(l){let c=Ar(Ve-1,0,Ie-1),d=Ar(Fe+1,0,Ie-
1);for(;l[c]==null&&c>0;)c--;for(;l[d]==null&&d<Ie-1;)d++;return[c,d]}function Ic(){if(Ie>0){let l=M.some(c=>c._focus)&&
ot!=Ft.alpha;l&&(b.globalAlpha=ot=Ft.alpha),M.forEach((c,d)=>{if(d>0&&c.show&&(vl(d,!1),vl(d,!0),c._paths==null)){let f=ot;
ot!=c.alpha&&(b.globalAlpha=ot=c.alpha);let h=s==2?[0,t[d][0].length-1]:Gc(t[d]);c._paths=c.paths(n,d,h[0],h[1]),ot!=f&&
(b.globalAlpha=ot=f)}}),M.forEach((c,d)=>{if(d>0&&c.show){let f=ot;ot!=c.alpha&&(b.globalAlpha=ot=c.alpha),c._paths!=null&&
xl(d,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(n,d,Ve,Fe,h),x=c.points.filter(n,d,w,h);(w||x)&&(c.points.
_paths=c.points.paths(n,d,Ve,Fe,x),xl(d,!0))}ot!=f&&(b.globalAlpha=ot=f),We("drawSeries",d)}}),l&&(b.globalAlpha=ot=1)}}
function vl(l,c){let d=c?M[l].points:M[l];d._stroke=d.stroke(n,l),d._fill=d.fill(n,l)}function xl(l,c){let d=c?M[l].points:
M[l],{stroke:f,fill:h,clip:w,flags:x,_stroke:y=d._stroke,_fill:E=d._fill,_width:C=d.width}=d._paths;C=ge(C*ce,3);let A=null,
N=C%2/2;c&&E==null&&(E=C>0?"#fff":y);let U=d.pxAlign==1&&N>0;if(U&&b.translate(N,N),!c){let ae=ut-C/2,le=wt-C/2,te=lt+C,
G=Lt+C;A=new Path2D,A.rect(ae,le,te,G)}c?Bs(y,C,d.dash,d.cap,E,f,h,x,w):Uc(l,y,C,d.dash,d.cap,E,f,h,x,A,w),U&&b.translate(
-N,-N)}function Uc(l,c,d,f,h,w,x,y,E,C,A){let N=!1;E!=0&&Z.forEach((U,ae)=>{if(U.series[0]==l){let le=M[U.series[1]],te=t[U.
series[1]],G=(le._paths||Fi).band;mn(G)&&(G=U.dir==1?G[0]:G[1]);let V,xe=null;le.show&&G&&vp(te,Ve,Fe)?(xe=U.fill(n,ae)||
w,V=le._paths.clip):G=null,Bs(c,d,f,h,xe,x,y,E,C,A,V,G),N=!0}}),N||Bs(c,d,f,h,w,x,y,E,C,A)}let yl=mi|Dr;function Bs(l,c,d,f,h,w,x,y,E,C,A,N){
gl(l,c,d,f,h),(E||C||N)&&(b.save(),E&&b.clip(E),C&&b.clip(C)),N?(y&yl)==yl?(b.clip(N),A&&b.clip(A),Zi(h,x),Qi(l,w,c)):y&
Dr?(Zi(h,x),b.clip(N),Qi(l,w,c)):y&mi&&(b.save(),b.clip(N),A&&b.clip(A),Zi(h,x),b.restore(),Qi(l,w,c)):(Zi(h,x),Qi(l,w,c)),
(E||C||N)&&b.restore()}function Qi(l,c,d){d>0&&(c instanceof Map?c.forEach((f,h)=>{b.strokeStyle=Ji=h,b.stroke(f)}):c!=null&&
l&&b.stroke(c))}function Zi(l,c){c instanceof Map?c.forEach((d,f)=>{b.fillStyle=Jn=f,b.fill(d)}):c!=null&&l&&b.fill(c)}function Bc(l,c,d,f){
let h=W[l],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(n,l,c,d,f),y=h._incrs=h.incrs(n,l,c,d,f,x);w=Fd(c,d,y,f,x)}return h.
_found=w}function Ks(l,c,d,f,h,w,x,y,E,C){let A=x%2/2;P==1&&b.translate(A,A),gl(y,x,E,C,y),b.beginPath();let N,U,ae,le,te=h+
(f==0||f==3?-w:w);d==0?(U=h,le=te):(N=h,ae=te);for(let G=0;G<l.length;G++)c[G]!=null&&(d==0?N=ae=l[G]:U=le=l[G],b.moveTo(
N,U),b.lineTo(ae,le));b.stroke(),P==1&&b.translate(-A,-A)}function Kc(l){let c=!0;return W.forEach((d,f)=>{if(!d.show)return;
let h=T[d.scale];if(h.min==null){d._show&&(c=!1,d._show=!1,Qn(!1));return}else d._show||(c=!1,d._show=!0,Qn(!1));let w=d.
side,x=w%2,{min:y,max:E}=h,[C,A]=Bc(f,y,E,x==0?J:$);if(A==0)return;let N=h.distr==2,U=d._splits=d.splits(n,f,y,E,C,A,N),
ae=h.distr==2?U.map(V=>Pt[V]):U,le=h.distr==2?Pt[U[1]]-Pt[U[0]]:C,te=d._values=d.values(n,d.filter(n,ae,f,A,le),f,A,le);
d._rotate=w==2?d.rotate(n,te,f,A):0;let G=d._size;d._size=Et(d.size(n,te,f,l)),G!=null&&d._size!=G&&(c=!1)}),c}function Yc(l){
let c=!0;return ml.forEach((d,f)=>{let h=d(n,f,En,l);h!=ln[f]&&(c=!1),ln[f]=h}),c}function Jc(){for(let l=0;l<W.length;l++){
let c=W[l];if(!c.show||!c._show)continue;let d=c.side,f=d%2,h,w,x=c.stroke(n,l),y=d==0||d==3?-1:1,[E,C]=c._found;if(c.label!=
null){let tt=c.labelGap*y,ft=Oe((c._lpos+tt)*ce);bl(c.labelFont[0],x,"center",d==2?"top":go),b.save(),f==1?(h=w=0,b.translate(
ft,Oe(wt+Lt/2)),b.rotate((d==3?-ms:ms)/2)):(h=Oe(ut+lt/2),w=ft);let _n=ra(c.label)?c.label(n,l,E,C):c.label;b.fillText(_n,
h,w),b.restore()}if(C==0)continue;let A=T[c.scale],N=f==0?lt:Lt,U=f==0?ut:wt,ae=c._splits,le=A.distr==2?ae.map(tt=>Pt[tt]):
ae,te=A.distr==2?Pt[ae[1]]-Pt[ae[0]]:E,G=c.ticks,V=c.border,xe=G.show?G.size:0,_e=Oe(xe*ce),Ge=Oe((c.alignTo==2?c._size-
xe-c.gap:c.gap)*ce),fe=c._rotate*-ms/180,Le=D(c._pos*ce),pt=(_e+Ge)*y,et=Le+pt;w=f==0?et:0,h=f==1?et:0;let yt=c.font[0],
Ct=c.align==1?ai:c.align==2?xr:fe>0?ai:fe<0?xr:f==0?"center":d==3?xr:ai,Wt=fe||f==1?"middle":d==2?"top":go;bl(yt,x,Ct,Wt);
let dt=c.font[1]*c.lineGap,kt=ae.map(tt=>D(u(tt,A,N,U))),At=c._values;for(let tt=0;tt<At.length;tt++){let ft=At[tt];if(ft!=
null){f==0?h=kt[tt]:w=kt[tt],ft=""+ft;let _n=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let nt=0;nt<_n.length;nt++){let Fl=_n[nt];fe?(b.save(),b.translate(h,w+nt*dt),b.rotate(
fe),b.fillText(Fl,0,0),b.restore()):b.fillText(Fl,h,w+nt*dt)}}}G.show&&Ks(kt,G.filter(n,le,l,C,te),f,d,Le,_e,ge(G.width*
ce,3),G.stroke(n,l),G.dash,G.cap);let Gt=c.grid;Gt.show&&Ks(kt,Gt.filter(n,le,l,C,te),f,f==0?2:1,f==0?wt:ut,f==0?Lt:lt,ge(
Gt.width*ce,3),Gt.stroke(n,l),Gt.dash,Gt.cap),V.show&&Ks([Le],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Lt:lt,ge(V.width*ce,
3),V.stroke(n,l),V.dash,V.cap)}We("drawAxes")}function Qn(l){M.forEach((c,d)=>{d>0&&(c._paths=null,l&&(s==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let Xi=!1,Ys=!1,Mi=[];function Qc(){Ys=!1;for(let l=0;l<Mi.
length;l++)We(...Mi[l]);Mi.length=0}function Zn(){Xi||(Rp(kl),Xi=!0)}function Zc(l,c=!1){Xi=!0,Ys=c,l(n),kl(),c&&Mi.length>
0&&queueMicrotask(Qc)}n.batch=Zc;function kl(){if(Hs&&(Wc(),Hs=!1),In&&(Hc(),In=!1),Bi){if(ye(S,ai,be),ye(S,"top",Ne),ye(
S,Hi,J),ye(S,Oi,$),ye(L,ai,be),ye(L,"top",Ne),ye(L,Hi,J),ye(L,Oi,$),ye(v,Hi,Kt),ye(v,Oi,vn),g.width=Oe(Kt*ce),g.height=Oe(
vn*ce),W.forEach(({_el:l,_show:c,_size:d,_pos:f,side:h})=>{if(l!=null)if(c){let w=h===3||h===0?d:0,x=h%2==1;ye(l,x?"left":
"top",f-w),ye(l,x?"width":"height",d),ye(l,x?"top":"left",x?Ne:be),ye(l,x?"height":"width",x?$:J),Pr(l,Hn)}else mt(l,Hn)}),
Ji=Jn=Vs=qs=js=Ws=Gs=Is=Fs=null,ot=1,Li(!0),be!=Gn||Ne!=xn||J!=Vt||$!=yn){Qn(!1);let l=J/Vt,c=$/yn;if(Ze&&!kn&&z.left>=0){
z.left*=l,z.top*=c,Xn&&Ut(Xn,Oe(z.left),0,J,$),ei&&Ut(ei,0,Oe(z.top),J,$);for(let d=0;d<xt.length;d++){let f=xt[d];f!=null&&
(Kn[d]*=l,Yn[d]*=c,Ut(f,Et(Kn[d]),Et(Yn[d]),J,$))}}if(ve.show&&!Ki&&ve.left>=0&&ve.width>0){ve.left*=l,ve.width*=l,ve.top*=
c,ve.height*=c;for(let d in tr)ye(ii,d,ve[d])}Gn=be,xn=Ne,Vt=J,yn=$}We("setSize"),Bi=!1}Kt>0&&vn>0&&(b.clearRect(0,0,g.width,
g.height),We("drawClear"),Y.forEach(l=>l()),We("draw")),ve.show&&Ki&&(es(ve),Ki=!1),Ze&&kn&&(Tn(null,!0,!1),kn=!1),ee.show&&
ee.live&&vt&&(Xs(),vt=!1),p||(p=!0,n.status=1,We("ready")),Ei=!1,Xi=!1}n.redraw=(l,c)=>{In=c||!1,l!==!1?an(H,_.min,_.max):
Zn()};function Js(l,c){let d=T[l];if(d.from==null){if(Ie==0){let f=d.range(n,c.min,c.max,l);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Ie>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;l==H&&d.distr==2&&Ie>
0&&(c.min=Ht(c.min,t[0]),c.max=Ht(c.max,t[0]),c.min==c.max&&c.max++),q[l]=c,Hs=!0,Zn()}}n.setScale=Js;let Qs,Zs,Xn,ei,Sl,
El,ti,ni,Ml,Tl,we,Ee,on=!1,Ue=z.drag,qe=Ue.x,je=Ue.y;Ze&&(z.x&&(Qs=St(ip,L)),z.y&&(Zs=St(sp,L)),_.ori==0?(Xn=Qs,ei=Zs):(Xn=
Zs,ei=Qs),we=z.left,Ee=z.top);let ve=n.select=Re({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ii=ve.show?St(
np,ve.over?L:S):null;function es(l,c){if(ve.show){for(let d in l)ve[d]=l[d],d in tr&&ye(ii,d,l[d]);c!==!1&&We("setSelect")}}
n.setSelect=es;function Xc(l){if(M[l].show)De&&Pr(Me[l],Hn);else if(De&&mt(Me[l],Hn),Ze){let d=Bn?xt[0]:xt[l];d!=null&&Ut(
d,-10,-10,J,$)}}function an(l,c,d){Js(l,{min:c,max:d})}function qt(l,c,d,f){c.focus!=null&&su(l),c.show!=null&&M.forEach(
(h,w)=>{w>0&&(l==w||l==null)&&(h.show=c.show,Xc(w),s==2?(an(h.facets[0].scale,null,null),an(h.facets[1].scale,null,null)):
an(h.scale,null,null),Zn())}),d!==!1&&We("setSeries",l,c),f&&Pi("setSeries",n,l,c)}n.setSeries=qt;function eu(l,c){Re(Z[l],
c)}function tu(l,c){l.fill=ie(l.fill||null),l.dir=oe(l.dir,-1),c=c??Z.length,Z.splice(c,0,l)}function nu(l){l==null?Z.length=
0:Z.splice(l,1)}n.addBand=tu,n.setBand=eu,n.delBand=nu;function iu(l,c){M[l].alpha=c,Ze&&xt[l]!=null&&(xt[l].style.opacity=
c),De&&Me[l]&&(Me[l].style.opacity=c)}let Yt,cn,Mn,si={focus:!0};function su(l){if(l!=Mn){let c=l==null,d=Ft.alpha!=1;M.
forEach((f,h)=>{if(s==1||h>0){let w=c||h==0||h==l;f._focus=c?null:w,d&&iu(h,w?1:Ft.alpha)}}),Mn=l,d&&Zn()}}De&&Un&&Xe(xo,
ue,l=>{z._lock||(Sn(l),Mn!=null&&qt(null,si,!0,Ae.setSeries))});function jt(l,c,d){let f=T[c];d&&(l=l/ce-(f.ori==1?Ne:be));
let h=J;f.ori==1&&(h=$,l=h-l),f.dir==-1&&(l=h-l);let w=f._min,x=f._max,y=l/h,E=w+(x-w)*y,C=f.distr;return C==3?pi(10,E):
C==4?yp(E,f.asinh):C==100?f.bwd(E):E}function ru(l,c){let d=jt(l,H,c);return Ht(d,t[0],Ve,Fe)}n.valToIdx=l=>Ht(l,t[0]),n.
posToIdx=ru,n.posToVal=jt,n.valToPos=(l,c,d)=>T[c].ori==0?r(l,T[c],d?lt:J,d?ut:0):a(l,T[c],d?Lt:$,d?wt:0),n.setCursor=(l,c,d)=>{
we=l.left,Ee=l.top,Tn(null,c,d)};function _l(l,c){ye(ii,ai,ve.left=l),ye(ii,Hi,ve.width=c)}function Ll(l,c){ye(ii,"top",
ve.top=l),ye(ii,Oi,ve.height=c)}let Ti=_.ori==0?_l:Ll,_i=_.ori==1?_l:Ll;function lu(){if(De&&ee.live)for(let l=s==2?1:0;l<
M.length;l++){if(l==0&&bt)continue;let c=ee.values[l],d=0;for(let f in c)zt[l][d++].firstChild.nodeValue=c[f]}}function Xs(l,c){
if(l!=null&&(l.idxs?l.idxs.forEach((d,f)=>{de[f]=d}):Mp(l.idx)||de.fill(l.idx),ee.idx=de[0]),De&&ee.live){for(let d=0;d<
M.length;d++)(d>0||s==1&&!bt)&&ou(d,de[d]);lu()}vt=!1,c!==!1&&We("setLegend")}n.setLegend=Xs;function ou(l,c){let d=M[l],
f=l==0&&Q==2?Pt:t[l],h;bt?h=d.values(n,l,c)??rn:(h=d.value(n,c==null?null:f[c],l,c),h=h==null?rn:{_:h}),ee.values[l]=h}function Tn(l,c,d){
Ml=we,Tl=Ee,[we,Ee]=z.move(n,we,Ee),z.left=we,z.top=Ee,Ze&&(Xn&&Ut(Xn,Oe(we),0,J,$),ei&&Ut(ei,0,Oe(Ee),J,$));let f,h=Ve>
Fe;Yt=he,cn=null;let w=_.ori==0?J:$,x=_.ori==1?J:$;if(we<0||Ie==0||h){f=z.idx=null;for(let y=0;y<M.length;y++){let E=xt[y];
E!=null&&Ut(E,-10,-10,J,$)}Un&&qt(null,si,!0,l==null&&Ae.setSeries),ee.live&&(de.fill(f),vt=!0)}else{let y,E,C;s==1&&(y=
_.ori==0?we:Ee,E=jt(y,H),f=z.idx=Ht(E,t[0],Ve,Fe),C=O(t[0][f],_,w,0));let A=-10,N=-10,U=0,ae=0,le=!0,te="",G="";for(let V=s==
2?1:0;V<M.length;V++){let xe=M[V],_e=de[V],Ge=_e==null?null:s==1?t[V][_e]:t[V][1][_e],fe=z.dataIdx(n,V,f,E),Le=fe==null?
null:s==1?t[V][fe]:t[V][1][fe];if(vt=vt||Le!=Ge||fe!=_e,de[V]=fe,V>0&&xe.show){let pt=fe==null?-10:fe==f?C:O(s==1?t[0][fe]:
t[V][0][fe],_,w,0),et=Le==null?-10:I(Le,s==1?T[xe.scale]:T[xe.facets[1].scale],x,0);if(Un&&Le!=null){let yt=_.ori==1?we:
Ee,Ct=ze(Ft.dist(n,V,fe,et,yt));if(Ct<Yt){let Wt=Ft.bias;if(Wt!=0){let dt=jt(yt,xe.scale),kt=Le>=0?1:-1,At=dt>=0?1:-1;At==
kt&&(At==1?Wt==1?Le>=dt:Le<=dt:Wt==1?Le<=dt:Le>=dt)&&(Yt=Ct,cn=V)}else Yt=Ct,cn=V}}if(vt||Bn){let yt,Ct;_.ori==0?(yt=pt,
Ct=et):(yt=et,Ct=pt);let Wt,dt,kt,At,Gt,tt,ft=!0,_n=Ke.bbox;if(_n!=null){ft=!1;let nt=_n(n,V);kt=nt.left,At=nt.top,Wt=nt.
width,dt=nt.height}else kt=yt,At=Ct,Wt=dt=Ke.size(n,V);if(tt=Ke.fill(n,V),Gt=Ke.stroke(n,V),Bn)V==cn&&Yt<=Ft.prox&&(A=kt,
N=At,U=Wt,ae=dt,le=ft,te=tt,G=Gt);else{let nt=xt[V];nt!=null&&(Kn[V]=kt,Yn[V]=At,_o(nt,Wt,dt,ft),Mo(nt,tt,Gt),Ut(nt,Et(kt),
Et(At),J,$))}}}}if(Bn){let V=Ft.prox,xe=Mn==null?Yt<=V:Yt>V||cn!=Mn;if(vt||xe){let _e=xt[0];_e!=null&&(Kn[0]=A,Yn[0]=N,_o(
_e,U,ae,le),Mo(_e,te,G),Ut(_e,Et(A),Et(N),J,$))}}}if(ve.show&&on)if(l!=null){let[y,E]=Ae.scales,[C,A]=Ae.match,[N,U]=l.cursor.
sync.scales,ae=l.cursor.drag;if(qe=ae._x,je=ae._y,qe||je){let{left:le,top:te,width:G,height:V}=l.select,xe=l.scales[N].ori,
_e=l.posToVal,Ge,fe,Le,pt,et,yt=y!=null&&C(y,N),Ct=E!=null&&A(E,U);yt&&qe?(xe==0?(Ge=le,fe=G):(Ge=te,fe=V),Le=T[y],pt=O(
_e(Ge,N),Le,w,0),et=O(_e(Ge+fe,N),Le,w,0),Ti(Ot(pt,et),ze(et-pt))):Ti(0,w),Ct&&je?(xe==1?(Ge=le,fe=G):(Ge=te,fe=V),Le=T[E],
pt=I(_e(Ge,U),Le,x,0),et=I(_e(Ge+fe,U),Le,x,0),_i(Ot(pt,et),ze(et-pt))):_i(0,x)}else nr()}else{let y=ze(Ml-Sl),E=ze(Tl-El);
if(_.ori==1){let U=y;y=E,E=U}qe=Ue.x&&y>=Ue.dist,je=Ue.y&&E>=Ue.dist;let C=Ue.uni;C!=null?qe&&je&&(qe=y>=C,je=E>=C,!qe&&
!je&&(E>y?je=!0:qe=!0)):Ue.x&&Ue.y&&(qe||je)&&(qe=je=!0);let A,N;qe&&(_.ori==0?(A=ti,N=we):(A=ni,N=Ee),Ti(Ot(A,N),ze(N-A)),
je||_i(0,x)),je&&(_.ori==1?(A=ti,N=we):(A=ni,N=Ee),_i(Ot(A,N),ze(N-A)),qe||Ti(0,w)),!qe&&!je&&(Ti(0,0),_i(0,0))}if(Ue._x=
qe,Ue._y=je,l==null){if(d){if(Vl!=null){let[y,E]=Ae.scales;Ae.values[0]=y!=null?jt(_.ori==0?we:Ee,y):null,Ae.values[1]=E!=
null?jt(_.ori==1?we:Ee,E):null}Pi(yr,n,we,Ee,J,$,f)}if(Un){let y=d&&Ae.setSeries,E=Ft.prox;Mn==null?Yt<=E&&qt(cn,si,!0,y):
Yt>E?qt(null,si,!0,y):cn!=Mn&&qt(cn,si,!0,y)}}vt&&(ee.idx=f,Xs()),c!==!1&&We("setCursor")}let un=null;Object.defineProperty(
n,"rect",{get(){return un==null&&Li(!1),un}});function Li(l=!1){l?un=null:(un=L.getBoundingClientRect(),We("syncRect",un))}
function Pl(l,c,d,f,h,w,x){z._lock||on&&l!=null&&l.movementX==0&&l.movementY==0||(er(l,c,d,f,h,w,x,!1,l!=null),l!=null?Tn(
null,!0,!0):Tn(c,!0,!1))}function er(l,c,d,f,h,w,x,y,E){if(un==null&&Li(!1),Sn(l),l!=null)d=l.clientX-un.left,f=l.clientY-
un.top;else{if(d<0||f<0){we=-10,Ee=-10;return}let[C,A]=Ae.scales,N=c.cursor.sync,[U,ae]=N.values,[le,te]=N.scales,[G,V]=Ae.
match,xe=c.axes[0].side%2==1,_e=_.ori==0?J:$,Ge=_.ori==1?J:$,fe=xe?w:h,Le=xe?h:w,pt=xe?f:d,et=xe?d:f;if(le!=null?d=G(C,le)?
u(U,T[C],_e,0):-10:d=_e*(pt/fe),te!=null?f=V(A,te)?u(ae,T[A],Ge,0):-10:f=Ge*(et/Le),_.ori==1){let yt=d;d=f,f=yt}}E&&(c==
null||c.cursor.event.type==yr)&&((d<=1||d>=J-1)&&(d=Dn(d,J)),(f<=1||f>=$-1)&&(f=Dn(f,$))),y?(Sl=d,El=f,[ti,ni]=z.move(n,
d,f)):(we=d,Ee=f)}let tr={width:0,height:0,left:0,top:0};function nr(){es(tr,!1)}let Cl,Al,$l,Rl;function Dl(l,c,d,f,h,w,x){
on=!0,qe=je=Ue._x=Ue._y=!1,er(l,c,d,f,h,w,x,!0,!1),l!=null&&(Xe(kr,_r,Nl,!1),Pi(wo,n,ti,ni,J,$,null));let{left:y,top:E,width:C,
height:A}=ve;Cl=y,Al=E,$l=C,Rl=A}function Nl(l,c,d,f,h,w,x){on=Ue._x=Ue._y=!1,er(l,c,d,f,h,w,x,!1,!0);let{left:y,top:E,width:C,
height:A}=ve,N=C>0||A>0,U=Cl!=y||Al!=E||$l!=C||Rl!=A;if(N&&U&&es(ve),Ue.setScale&&N&&U){let ae=y,le=C,te=E,G=A;if(_.ori==
1&&(ae=E,le=A,te=y,G=C),qe&&an(H,jt(ae,H),jt(ae+le,H)),je)for(let V in T){let xe=T[V];V!=H&&xe.from==null&&xe.min!=he&&an(
V,jt(te+G,V),jt(te,V))}nr()}else z.lock&&(z._lock=!z._lock,Tn(c,!0,l!=null));l!=null&&(Wn(kr,_r),Pi(kr,n,we,Ee,J,$,null))}
function au(l,c,d,f,h,w,x){if(z._lock)return;Sn(l);let y=on;if(on){let E=!0,C=!0,A=10,N,U;_.ori==0?(N=qe,U=je):(N=je,U=qe),
N&&U&&(E=we<=A||we>=J-A,C=Ee<=A||Ee>=$-A),N&&E&&(we=we<ti?0:J),U&&C&&(Ee=Ee<ni?0:$),Tn(null,!0,!0),on=!1}we=-10,Ee=-10,de.
fill(null),Tn(null,!0,!0),y&&(on=y)}function Hl(l,c,d,f,h,w,x){z._lock||(Sn(l),zs(),nr(),l!=null&&Pi(yo,n,we,Ee,J,$,null))}
function Ol(){W.forEach(qd),Os(n.width,n.height,!0)}On(hs,ui,Ol);let ri={};ri.mousedown=Dl,ri.mousemove=Pl,ri.mouseup=Nl,
ri.dblclick=Hl,ri.setSeries=(l,c,d,f)=>{let h=Ae.match[2];d=h(n,c,d),d!=-1&&qt(d,f,!0,!1)},Ze&&(Xe(wo,L,Dl),Xe(yr,L,Pl),
Xe(vo,L,l=>{Sn(l),Li(!1)}),Xe(xo,L,au),Xe(yo,L,Hl),Nr.add(n),n.syncRect=Li);let ts=n.hooks=e.hooks||{};function We(l,c,d){
Ys?Mi.push([l,c,d]):l in ts&&ts[l].forEach(f=>{f.call(null,n,c,d)})}(e.plugins||[]).forEach(l=>{for(let c in l.hooks)ts[c]=
(ts[c]||[]).concat(l.hooks[c])});let zl=(l,c,d)=>d,Ae=Re({key:null,setSeries:!1,filters:{pub:$o,sub:$o},scales:[H,M[1]?M[1].
scale:null],match:[Ro,Ro,zl],values:[null,null]},z.sync);Ae.match.length==2&&Ae.match.push(zl),z.sync=Ae;let Vl=Ae.key,ir=Pa(
Vl);function Pi(l,c,d,f,h,w,x){Ae.filters.pub(l,c,d,f,h,w,x)&&ir.pub(l,c,d,f,h,w,x)}ir.sub(n);function cu(l,c,d,f,h,w,x){
Ae.filters.sub(l,c,d,f,h,w,x)&&ri[l](null,c,d,f,h,w,x)}n.pub=cu;function uu(){ir.unsub(n),Nr.delete(n),wn.clear(),Cr(hs,
ui,Ol),m.remove(),ue?.remove(),We("destroy")}n.destroy=uu;function sr(){We("init",e,t),hl(t||e.data,!1),q[H]?Js(H,q[H]):
zs(),Ki=ve.show&&(ve.width>0||ve.height>0),kn=vt=!0,Os(e.width,e.height)}return M.forEach(fl),W.forEach(jc),i?i instanceof
HTMLElement?(i.appendChild(m),sr()):i(n,sr):sr(),n}Be.assign=Re;Be.fmtNum=jr;Be.rangeNum=gs;Be.rangeLog=vs;Be.rangeAsinh=
Fr;Be.orient=Vn;Be.pxRatio=ce;Be.join=$p;Be.fmtDate=Gr,Be.tzDate=Wp;Be.sync=Pa;{Be.addGap=Md,Be.clipGaps=ks;let e=Be.paths=
{points:Na};e.linear=Oa,e.stepped=Ld,e.bars=Pd,e.spline=Ad}var qa=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"log-probability gap",names:["train/logprob_gap"],unit:"\
nats, maximum"},{title:"groups with equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Ts(e){let t=new Set(
e);return qa.map(n=>({...n,names:n.names.filter(s=>t.has(s))})).filter(n=>n.names.length>0)}function ja(e){let t=new Set(
qa.flatMap(n=>n.names)),i=new Map;for(let n of e.filter(s=>!t.has(s)).sort()){let s=jd(n);i.set(s,[...i.get(s)??[],n])}return i}
function jd(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}/${t[1]}`:t.length>
1?t[0]:"other"}function Wa(e,t){return t.names.length===1?e:t.names.some(n=>n.startsWith("validation/"))?e.startsWith("v\
alidation/")?"held-out":"training":e.replace(/^[^/]*\//,"").replace(/_seconds$/,"").replaceAll("_"," ")}function Ga(e,t){
let i=e.filter(r=>r[1]!==null).map(r=>r[0]),n=i.at(-1);if(n===void 0||t===void 0)return;let s=Math.max(1,...i.slice(1).map(
(r,a)=>r-i[a]));return t-n>=s?n:void 0}var Ba={stages:[],checkpoints:[],marks:[]},Ia=170,_s=["--s1","--s2","--s3","--s4","--s5","--s6"],wi=class{constructor(t,i,n,s){
this.options=t;this.lines=i;this.ground=n;this.signal=s;R(this.element,o("h3",null,t.title,t.unit?o("span",{class:"dim"},
" "+t.unit):null),this.place,this.legend),this.data=Ua(i),this.values(null);let r=new ResizeObserver(()=>this.fit());r.observe(
this.place),s.addEventListener("abort",()=>{r.disconnect(),this.plot?.destroy()},{once:!0}),po(()=>this.make(),s)}options;lines;ground;signal;element=o(
"figure",{class:"chart"});plot;place=o("div",{class:"plot"});legend=o("figcaption",null);data=[[]];update(t,i){let n=t.length===
this.lines.length&&t.every((s,r)=>s.label===this.lines[r].label);this.lines=t,this.ground=i,this.data=Ua(t),n&&this.plot?
this.plot.setData(this.data):this.make(),this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||
(this.plot?this.plot.setSize({width:t,height:Ia}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.
aborted)return;this.plot?.destroy(),this.place.replaceChildren();let i=this.data[0].length<40,n={stroke:en("--dim"),grid:{
stroke:en("--grid"),width:1},ticks:{stroke:en("--grid"),width:1},font:"11px system-ui, sans-serif"};this.plot=new Be({width:t,
height:Ia,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},
...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1,range:(s,r,a)=>this.reach(s,r,a)},
y:{range:(s,r,a)=>this.range(r,a)}},axes:[{...n,size:26,incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},
{...n,size:52,values:(s,r)=>r.map(a=>this.text(a))}],series:[{},...this.lines.map((s,r)=>({label:s.label,stroke:en(_s[r%
_s.length]),width:1.5,spanGaps:!0,points:{show:i,size:4}}))],hooks:{drawClear:[s=>Wd(s,this.ground)],draw:[s=>Id(s,this.
ground)],setCursor:[s=>this.values(s.cursor.idx??null)]}},this.data,this.place),this.plot.over.addEventListener("click",
()=>this.click())}reach(t,i,n){let s=t.data[0],r=i===s[0]&&n===s.at(-1),a=this.ground.last;return r&&a!==void 0&&a>0?[Math.
min(0,i),Math.max(a,n)]:[i,n]}range(t,i){if(this.options.share&&(i??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||i===null)
return[0,1];let n=(i-t)*.06||Math.abs(i)*.1||1;return[t>=0&&t-n<0?0:t-n,i+n]}text(t){return this.options.share?it(t).replace(
/\.0 %$/," %"):k(t,3)}click(){let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;let i=this.data[0][t];i!==
void 0&&this.options.open(i)}values(t){let i=this.data[0],n=t!==null&&t<i.length?t:null;R(this.legend,o("span",{class:"d\
im"},n!==null?`step ${k(i[n])}`:"last"),this.lines.map((s,r)=>{let a=[...this.data[r+1]??[]],u=n!==null?a[n]:a.findLast(
m=>m!=null),p=n===null?Ga(s.points,this.ground.last):void 0;return o("span",{class:"key"},o("i",{class:"swatch",vars:{"-\
-swatch":`var(${_s[r%_s.length]})`}}),s.label===this.options.title?null:s.label+" ",o("b",null,this.exactly(u)),p===void 0?
null:o("span",{class:"dim"},` at step ${k(p)}`))}))}exactly(t){return this.options.share?it(t):k(t)}};function Wd(e,t){let{
ctx:i,bbox:n}=e;i.save(),i.font=`${11*devicePixelRatio}px system-ui, sans-serif`,t.stages.forEach((s,r)=>{let a=Math.max(
n.left,e.valToPos(s.first_step-.5,"x",!0)),u=s.last_step??1/0,p=Number.isFinite(u)?e.valToPos(u+.5,"x",!0):n.left+n.width,
m=Math.min(n.left+n.width,p);m<=a||(r%2===1&&(i.fillStyle=en("--band"),i.fillRect(a,n.top,m-a,n.height)),t.stages.length>
1&&m-a>40*devicePixelRatio&&(i.fillStyle=en("--dim"),i.beginPath(),i.save(),i.rect(a,0,m-a-6*devicePixelRatio,n.top),i.clip(),
i.fillText(Rt(s.name.slice(0,40)),a,n.top-4*devicePixelRatio),i.restore()))}),i.restore()}var Gd={kill:"--bad",resume:"-\
-s1",take_up:"--s1",plugin_restart:"--warn"};function Id(e,t){let{ctx:i,bbox:n}=e,s=a=>a>=n.left&&a<=n.left+n.width;i.save();
for(let a of t.marks){let u=Gd[a.kind];if(a.step===void 0||!u)continue;let p=e.valToPos(a.step+.5,"x",!0);s(p)&&(i.strokeStyle=
en(u),i.lineWidth=devicePixelRatio,i.setLineDash([3*devicePixelRatio,3*devicePixelRatio]),i.beginPath(),i.moveTo(p,n.top),
i.lineTo(p,n.top+n.height),i.stroke())}i.setLineDash([]);let r=n.top+n.height;for(let a of t.checkpoints){let u=e.valToPos(
a.step,"x",!0);s(u)&&(i.fillStyle=en(a.best?"--s2":"--dim"),i.beginPath(),i.moveTo(u,r-(a.best?9:6)*devicePixelRatio),i.
lineTo(u-3.5*devicePixelRatio,r),i.lineTo(u+3.5*devicePixelRatio,r),i.fill())}i.restore()}function Ua(e){let t=[...new Set(
e.flatMap(s=>s.points.map(r=>r[0])))].sort((s,r)=>s-r),i=new Map(t.map((s,r)=>[s,r])),n=e.map(s=>{let r=new Array(t.length).
fill(void 0);for(let[a,u]of s.points)r[i.get(a)]=u;return r});return[t,...n]}var Ya=6;async function Ja(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Ya);e.title({text:"compare "+t.join(", ")});
let i=(await ss(e.signal)).runs,n=o("div",null),s=o("div",null);if(R(e.root,o("div",{class:"bar"},o("h1",null,"Compare"),
Ud(t,i)),Bd(t,i),n,s),t.length<2){R(n,o("p",{class:"empty"},"Select a second run."));return}await Promise.all([Pe(e,s,async()=>{
let[r,...a]=t,u=[];for(let p of a)u.push(Jd(await Jl(r,p,e.signal),r,p));return u}),Pe(e,n,()=>Kd(e,t))])}function Ud(e,t){
let i=t.filter(s=>!e.includes(s.name)),n=o("select",{"aria-label":"add a run","data-filter":!0},o("option",{value:""},"a\
dd a run \u2026"),i.slice(0,500).map(s=>o("option",{value:s.name},s.name)));return n.disabled=e.length>=Ya||i.length===0,
n.addEventListener("change",()=>{n.value!==""&&(location.hash=B(["compare"],{run:[...e,n.value]}))}),n}function Bd(e,t){
return o("div",{class:"sides"},e.map((i,n)=>{let s=t.find(r=>r.name===i);return o("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${n+1})`}},o("h2",null,o("i",{class:"swatch"}),o("a",{href:Cn(i)},i)," ",s?Ri(s):null,o("a",{class:"qui\
et",title:"remove this run",href:B(["compare"],{run:e.filter(r=>r!==i)})},"\xD7")),s?dn([["step",k(s.step)],["held-out s\
uccess",Di(s)],["adapter",s.adapter],["spec",s.spec]]):o("p",null,"No run with this name in this directory."))}))}async function Kd(e,t){
let i=await Promise.all(t.map(g=>Ln(g,e.signal))),n=i.map(g=>new Set(g.metrics??[])),s=[...new Set(i.flatMap(g=>g.metrics??
[]))],r=s.filter(g=>n.every(b=>b.has(g))),a=s.filter(g=>!n.every(b=>b.has(g))),u=Ts(s).flatMap(g=>g.names),p=g=>{let b=o(
"div",null);return Pe(e,b,async()=>o("div",{class:"grid"},await Yd(e,t,g))),b},m=r.filter(g=>!u.includes(g)).sort().slice(
0,60);return[p(u),m.length>0?Ce(`${Te(m.length,"other metric")} of all runs`,()=>p(m)):null,a.filter(g=>!u.includes(g)).
length>0?Ce("metrics of some runs only",()=>p(a.filter(g=>!u.includes(g)).sort().slice(0,60))):null]}async function Yd(e,t,i){
if(i.length===0)return[];let n=await Promise.all(t.map(s=>rs(s,i,void 0,e.signal)));return i.map(s=>new wi({title:s,sync:"\
compare",share:s.endsWith("success_rate")},t.map((r,a)=>({label:r,points:n[a].series[s]??[]})),Ba,e.signal).element)}function Jd(e,t,i){
let n=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],s=new Set(
e.unrecorded??[]),r=n.filter(([a,u])=>(u??[]).length===0&&!s.has(a)).map(([a])=>a);return me(`Differences between ${t} a\
nd ${i}`,e.same_digest?o("p",null,"Their newest checkpoints are identical."):null,r.length>0?o("p",null,`Equal in both: ${r.
join(", ")}.`):null,s.size>0?o("p",{class:"dim"},`Not compared, because a run of an earlier version does not record it: ${[
...s].join(", ")}.`):null,n.filter(([,a])=>(a??[]).length>0).map(([a,u])=>[o("h3",null,a),He([{title:"",half:!0,cell:p=>o(
"code",null,p.path)},{title:t,half:!0,cell:p=>Ka(p.a)},{title:i,half:!0,cell:p=>Ka(p.b)}],u.slice(0,300))]))}function Ka(e){
if(e===void 0)return o("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return o("span",{class:"\
value"},t.length>300?t.slice(0,300)+" \u2026":t)}var Qd=8;async function Qa(e,t,i){let n=await Pn(e,{...t,limit:Qd},i).catch(()=>null),s=[];for(let r of n?.episodes??[]){
let a=await oi(e,r.id,i).catch(()=>null);a&&s.push(a)}return Zd(s)}function Zd(e){let t=[Ls(e,n=>n.failure?.detail&&`\u201C${Xa(
n.failure.detail)}\u201D`),Ls(e,n=>n.limit?.words),Ls(e,n=>Xd(n)),Ls(e,n=>ef(n))].filter(n=>n!==null);if(t.length===0)return null;
let i=t.map(n=>n.of===e.length?n.words:`${n.words} (${k(n.of)} of them)`);return`In a sample of ${k(e.length)}: ${i.join(
"; ")}.`}function Ls(e,t){let i=new Map;for(let r of e){let a=t(r);a&&i.set(a,(i.get(a)??0)+1)}let[n,s]=[...i].sort((r,a)=>a[1]-
r[1])[0]??["",0];return 2*s>e.length?{words:n,of:s}:null}function Za(e){return(e.transcripts??[]).flatMap(t=>t.messages)}
function Xd(e){let[t]=Za(e).flatMap(i=>i.malformed??[]);return t&&`\u201C${Xa(t.reason)}\u201D`}function ef(e){let t=Za(
e),i=new Set(t.map(s=>s.tool_call_id)),n=t.flatMap(s=>s.tool_calls??[]).find(s=>!i.has(s.id));return n&&`the call of ${n.
name} has no result`}function Xa(e){return e.length>160?e.slice(0,160)+"\u2026":e}var Qr=.2,tf=.7,nf=1;function ec(e,t,i){let n=lf(t,i);return n.length===0?null:me("Findings",o("ul",{class:"findings"},n.
map(s=>o("li",{class:"item",data:s.query?{href:B(["run",t.name,"episodes"],s.query)}:void 0},o("b",null,s.words)," ",s.advice,
s.query?[" ",o("a",{href:B(["run",t.name,"episodes"],s.query)},"Show episodes")]:null,sf(e,t,s)))))}function sf(e,t,i){if(!i.
look)return null;let n=o("div",{class:"dim","aria-live":"polite"});return(i.look==="episodes"?Qa(t.name,i.query??{},e.signal):
os(t.name,e.signal).then(r=>rf(r.settings),()=>null)).then(r=>{r&&!e.signal.aborted&&R(n,r)}),n}function rf(e){let t=e.filter(
n=>n.path.startsWith("environment.")&&(n.path.endsWith(".ground_truth")&&n.value===!0||JSON.stringify(n.value).includes(
"task.private")));return t.length===0?null:`The spec gives the private part of tasks to the environment: ${t.slice(0,5).
map(n=>`${n.path} = ${JSON.stringify(n.value)}`).join("; ")}.`}function lf(e,t){let i=vi(t.map(p=>p.episodes));if(i===0)
return[];let n=p=>`${k(p)} of ${k(i)} episodes (${it(p/i)})`,s=[],r=vi(t.map(p=>p.failed));if(r>=Qr*i){let[p]=Object.entries(
e.failures??{}).sort((m,g)=>g[1]-m[1])[0]??[];s.push({words:`${n(r)} failed`,advice:p?`most often with class ${p.toLowerCase()}\
. They are not trained.`:"and are not trained.",query:p?{class:p,split:"train"}:{outcome:"FAILED",split:"train"},look:"e\
pisodes"})}let a=vi(t.map(p=>p.truncated));a>=Qr*i&&s.push({words:`${n(a)} were cut by a limit`,advice:"of tokens or tur\
ns. Their conversations show where.",query:{outcome:"TRUNCATED",split:"train"},look:"episodes"});let u=vi(t.map(p=>p.malformed));
return u>=Qr*i&&s.push({words:`${k(u)} tool calls of ${k(i)} episodes are malformed`,advice:"and were not executed. The \
conversations show the reasons.",query:{split:"train",malformed_min:"1"},look:"episodes"}),s.length===0&&s.push(...of(t)),
s.push(...cf(t)),s}function of(e){let t=e.map(s=>s.reward).filter(s=>typeof s=="number");if(t.length<2)return[];let i=e.
map(s=>s.success).filter(s=>typeof s=="number"),n={split:"train"};return i.length>1&&i.every(s=>s===1)?[{words:"All task\
s are solved from the first step on.",advice:"Check whether a tool or the prompt contains the answer.",query:n,look:"spe\
c"}]:t.every(s=>s===t[0])?[{words:`The mean reward is ${k(t[0])} in every step.`,advice:"A group whose samples have equa\
l rewards teaches nothing. Check whether correct answers get a higher reward, and whether the expected answers have the \
right form.",query:{...n,expected:"1"}}]:[]}var af={model:"messages of the policy",tool:"the environment",reward:"reward\
s",siblings:"waiting for other samples of the group",host:"awhost"};function cf(e){let t=new Map;for(let a of e)for(let[
u,p]of Object.entries(a.parts??{}))u!=="queue"&&t.set(u,(t.get(u)??0)+p);let i=vi([...t.values()]),[n,s]=[...t].sort((a,u)=>u[1]-
a[1])[0]??["",0],r=s/Math.max(1,vi(e.map(a=>a.episodes)));return i===0||s<tf*i||n==="model"||r<nf?[]:[{words:`${it(s/i)}\
 of the episodes' time went into ${af[n]??n}`,advice:`(${Je(r)} per episode).`,query:{split:"train",sort:"-seconds"}}]}function vi(e){
return e.reduce((t,i)=>t+(i??0),0)}var tc=25;async function sc(e,t){e.title({text:t});let i=await Ln(t,e.signal),n=o("div",null),s=o("div",null),r=new Zr(e,
i),a=new Xr(e,i),u=o("div",null),p=o("div",null),m=o("div",null),g=S=>{R(n,df(S)),R(m,ff(S)),R(u,wf(S),vf(S),kf(S),Sf(S)),
document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",S.status)};g(i);let b=i.played?o("p",{class:"\
dim"},uf):[r.element,a.element];if(R(e.root,n,p,m,s,b,u,mf(e,t)),e.key("e","all episodes",()=>{location.hash=B(["run",t,
"episodes"])}),e.key("v","validations",()=>{location.hash=B(["run",t,"validations"])}),e.key("s","the newest step",()=>{
location.hash=Ye(t,Math.max(0,i.step))}),i.played||(r.load(),a.load(),nc(e,i,p)),!i.live)return;ic(e,t,s),e.onLive(t,S=>{
v(S)});let v=async S=>{let L=new Set(S.map(D=>D.kind)),P=await Ln(t,e.signal).catch(()=>null);!P||e.signal.aborted||(Object.
assign(i,P),g(P),!i.played&&(L.has("step")||L.has("state"))&&(r.refresh(P,L.has("state")),a.refresh(P),nc(e,P,p)),ic(e,t,
s))}}var uf="Tasks of awhost debug. Nothing is trained, so the run has no curves, steps, or checkpoints.",pf=50;async function nc(e,t,i){
let n=await Ci(t.name,Math.max(0,t.step-pf+1),Math.max(0,t.step),e.signal).catch(()=>null);n&&!e.signal.aborted&&R(i,ec(
e,t,n.steps))}function df(e){let t=[e.step>=0?`${k(e.step)}${e.steps?` of ${k(e.steps)}`:""}`:"none"];return[o("div",{class:"\
bar"},o("h1",null,e.name),Ri(e),o("span",{class:"grow"}),o("a",{class:"button",href:B(["run",e.name,"episodes"])},"Episo\
des"),o("a",{class:"button",href:B(["run",e.name,"validations"])},"Validations"),o("a",{class:"button",href:B(["compare"],
{run:[e.name]})},"Compare")),dn([["step",e.played?null:t],["stage",e.stage],["held-out success",e.played?null:Di(e)],["e\
pisodes",e.episodes===void 0?null:k(e.episodes)],["adapter",e.adapter],["train",e.train],["dataset",e.played?.dataset],[
"policy",e.played?.policy],["spec",e.spec],["machine",e.machine],["started",$n(e.started)],["duration",e.live||e.ended?us(
e.started,e.live?void 0:e.ended):null],["disk",Dt(e.disk_bytes)],["digest",e.digest?o("code",null,e.digest.slice(0,19)):
null]]),hf(e)]}function ff(e){return[e.problem||e.reason?o("p",{class:"warning"},e.problem??e.reason):null,(e.warnings??
[]).map(t=>o("p",{class:"warning",role:"status"},t))]}function mf(e,t){return Ce(o("b",null,"Spec"),()=>{let i=o("div",null);
return Pe(e,i,async()=>{let n=(await os(t,e.signal)).settings.map(u=>[u.path,JSON.stringify(u.value)]),s=o("div",null),r=o(
"input",{type:"search",placeholder:"setting or value","aria-label":"filter settings"}),a=()=>{let u=r.value.trim().toLowerCase(),
p=n.filter(([m,g])=>`${m} = ${g}`.toLowerCase().includes(u));R(s,He([{title:"setting",cell:([m])=>o("code",null,m)},{title:"\
value, including defaults",wide:!0,cell:([,m])=>$e(m,400)}],p.slice(0,500)),p.length>500?o("p",{class:"dim"},`${Te(p.length-
500,"more setting")}: refine the filter`):null)};return r.addEventListener("input",a),a(),[r,s]}),i})}function hf(e){let t=Object.
entries(e.failures??{}).filter(([,i])=>i>0).sort((i,n)=>n[1]-i[1]);return t.length===0?null:o("p",{class:"chips"},o("spa\
n",{class:"dim"},"Failed: "),t.map(([i,n])=>o("a",{class:"chip bad",href:B(["run",e.name,"episodes"],{class:i})},`${i.toLowerCase()}\
 `,o("b",null,k(n)))))}var Zr=class{constructor(t,i){this.view=t;this.run=i}view;run;element=o("section",{class:"curves",
"aria-label":"curves"});charts=[];points=new Map;drawn="";async load(){this.drawn=(this.run.metrics??[]).join(`
`);let t=Ts(this.run.metrics??[]),i=o("div",{class:"grid"});await Pe(this.view,this.element,async()=>(await this.fetch(t.
flatMap(n=>n.names)),R(i,t.map(n=>this.chart(n))),t.length===0?o("p",{class:"empty"},"No curves: no step has ended."):[i,
[...ja(this.run.metrics??[])].map(([n,s])=>this.part(n,s))]))}part(t,i){let n=[o("b",null,t),o("span",{class:"dim"},` ${Te(
i.length,"metric")}`)];return Ce(n,()=>{let s=o("div",null),r=24,a=u=>Pe(this.view,s,async()=>{let p=i.slice(u,u+r);return await this.
fetch(p),[o("div",{class:"grid"},p.map(m=>this.chart({title:m,names:[m]}))),i.length>r?o("div",{class:"pager"},o("button",
{disabled:u===0,onclick:()=>{a(u-r)}},"\u2190"),o("span",null,`${u+1} to ${u+p.length} of ${i.length}`),o("button",{disabled:u+
r>=i.length,onclick:()=>{a(u+r)}},"\u2192")):null]});return a(0),s})}chart(t){let i=new wi({title:t.title,unit:t.unit,share:t.
share,sync:"run",open:n=>{location.hash=Ye(this.run.name,n)}},this.lines(t),this.ground(),this.view.signal);return this.
charts.push({of:t,chart:i}),i.element}lines(t){return t.names.map(i=>({label:Wa(i,t),points:this.points.get(i)??[]}))}ground(){
return{stages:this.run.stages??[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??[],last:this.run.step}}async fetch(t,i){
if(t.length===0)return;let{series:n}=await rs(this.run.name,t,i,this.view.signal);for(let[s,r]of Object.entries(n)){let a=i===
void 0?[]:(this.points.get(s)??[]).filter(u=>u[0]<=i);this.points.set(s,[...a,...r])}}async refresh(t,i){if(this.run=t,this.
drawn===""||this.charts.length===0&&(t.metrics??[]).length>0)return this.load();let n=[...new Set(this.charts.flatMap(r=>r.
of.names))],s=Math.max(-1,...n.flatMap(r=>(this.points.get(r)??[]).slice(-1).map(a=>a[0])));try{await this.fetch(n,i||s<
1?void 0:s-1)}catch{return}for(let{of:r,chart:a}of this.charts)a.update(this.lines(r),this.ground())}},Xr=class{constructor(t,i){
this.view=t;this.run=i;this.element.append(this.place)}view;run;element=me("Steps");place=o("div",null);top;load(){return Pe(
this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.top===void 0&&!this.place.contains(document.activeElement)){
let i=await this.draw().catch(()=>null);i&&!this.view.signal.aborted&&R(this.place,i)}}async draw(){let t=this.top??this.
run.step,i=Math.max(0,t-tc+1),{steps:n}=await Ci(this.run.name,i,Math.max(0,t),this.view.signal);if(n.length===0)return o(
"p",{class:"empty"},"No steps: none has ended.");let s=r=>{let a=t+r*tc;this.top=a>=this.run.step?void 0:a,this.load()};
return[gf(this.run.name,[...n].sort((r,a)=>a.step-r.step)),i>0||this.top!==void 0?o("div",{class:"pager"},o("button",{disabled:this.
top===void 0,onclick:()=>s(1)},"\u2190 Newer"),o("span",null,`steps ${i} to ${t}`),o("button",{disabled:i===0,onclick:()=>s(
-1)},"Older \u2192")):null]}};function gf(e,t){let i=[...new Set(t.flatMap(n=>Object.keys(n.seconds??{})))];return He([{
title:"step",right:!0,cell:n=>o("a",{href:Ye(e,n.step)},k(n.step))},{title:"stage",cell:n=>n.stage??"\u2013"},{title:"ep\
isodes",right:!0,cell:n=>k(n.episodes)},{title:"reward",right:!0,cell:n=>k(n.reward)},{title:"success",right:!0,cell:n=>it(
n.success)},{title:"failed",right:!0,cell:n=>el(n.failed)},{title:"truncated",right:!0,cell:n=>el(n.truncated)},...i.map(
n=>({title:n.replaceAll("_"," "),right:!0,cell:s=>Je(s.seconds?.[n])})),{title:"",wide:!0,cell:()=>""}],t,n=>Ye(e,n.step))}
function el(e){return e?o("span",{class:"bad"},k(e)):k(e)}var bf={start:"started",resume:"resumed",kill:"killed",end:"en\
ded",take_up:"trainer reattached",stage:"stage",plugin_restart:"plugin restarted"};function wf(e){let t=[...e.marks??[]].
sort((s,r)=>r.time.localeCompare(s.time));if(t.length===0)return null;let i=s=>He([{title:"time",cell:r=>$n(r.time)},{title:"\
step",right:!0,cell:r=>k(r.step)},{title:"what",cell:r=>o("span",{class:"badge "+(r.kind==="kill"?"bad":"")},bf[r.kind]??
r.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:r=>r.text}],s),n=10;return me("Events",i(t.slice(0,n)),t.length>n?Ce(
`${Te(Math.min(t.length,500)-n,"earlier entry").replace("entrys","entries")}`,()=>i(t.slice(n,500))):null)}function vf(e){
return(e.plugins??[]).length===0?null:me("Plugins",He([{title:"address",cell:t=>o("code",null,t.address)},{title:"plugin",
cell:t=>`${t.name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",
right:!0,cell:t=>el(t.restarts)},{title:"CPU",right:!0,cell:xf},{title:"memory",right:!0,cell:t=>Dt(t.rss_bytes)},...e.plugins.
some(t=>t.gpus)?[{title:"GPU memory",right:!0,cell:t=>yf(t)}]:[],{title:"last output",wide:!0,cell:t=>t.last_words?o("di\
v",{class:"words"},$e(t.last_words,400)):""}],e.plugins),e.played?null:o("p",{class:"dim"},"Output of all plugins: ",An(
`awhost logs ${e.name}`)))}function xf(e){return e.cpu_percent===void 0?Je(e.cpu_seconds):[Je(e.cpu_seconds),o("span",{class:"\
dim"},` ${Math.round(e.cpu_percent)} %`)]}function yf(e){return(e.gpus??[]).map(t=>o("div",null,o("span",{class:"dim"},`${t.
index}: `),Dt(t.bytes)))}function kf(e){return(e.gpus??[]).length===0?null:me("GPUs",He([{title:"",right:!0,cell:t=>String(
t.index)},{title:"name",cell:t=>t.name??"\u2013"},{title:"memory",cell:t=>[`${Dt(t.used_bytes)} of ${Dt(t.total_bytes)}`,
t.total_bytes?o("progress",{value:t.used_bytes??0,max:t.total_bytes,"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],
e.gpus))}function Sf(e){let t=[...e.checkpoints??[]].sort((i,n)=>n.step-i.step).slice(0,200);return t.length===0?null:me(
"Checkpoints",He([{title:"step",right:!0,cell:i=>o("a",{href:Ye(e.name,i.step)},k(i.step))},{title:"",cell:i=>i.best?o("\
span",{class:"badge good"},"best"):""},{title:"path",wide:!0,cell:i=>i.path?An(i.path):""}],t))}async function ic(e,t,i){
let n=await Kl(t,e.signal).catch(()=>null);if(!n||!n.live||e.signal.aborted)return R(i);if(n.waits.length===0)return R(i);
let s=n.waits[0];R(i,Ce([o("b",null,"Waits: "),Ef(s),n.waits.length>1?`, and ${n.waits.length-1} more`:""],()=>He([{title:"\
who",cell:r=>r.episodes?Te(r.episodes,"episode"):"the "+r.who},{title:"waits for",cell:r=>[r.for," ",r.address??"",r.call?
`, ${r.call}`:""]},{title:"since",right:!0,cell:r=>Je(r.seconds)},{title:"longest",cell:r=>r.episode?o("a",{href:at(t,r.
episode)},r.episode):""},{title:"",wide:!0,cell:r=>r.detail??""}],n.waits),i.querySelector("details")?.open??!1))}function Ef(e){
return`${e.episodes?`${Te(e.episodes,"episode")} wait`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:
""}, ${Je(e.seconds)}`}var sn=e=>({text:e,href:Cn(e)});function Mt(e){let t=e.filter(s=>typeof s=="number"&&Number.isFinite(s)),i=Math.min(0,...t),n=Math.max(1,...t);if(i<0){let s=Math.
max(-i,Math.max(0,...t));return{low:-s,high:s}}return{low:0,high:n}}function Ps(e){return{low:-e,high:e}}function Tt(e,t,i){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let n=i.high-
i.low,s=n===0?.5:Math.min(1,Math.max(0,(t-i.low)/n));return e.classList.add(s<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(s-.5)*200)}%`),e}function gn(e,t,i,n=!1){let s=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",r=o("a",
{class:"cell"+(n?" here":""),href:at(e,t.id),title:Mf(t),"aria-current":n?"true":void 0},s?Qe(t.outcome):t.reward===null||
t.reward===void 0?"none":k(t.reward,3),t.success===!0?o("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?o("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?o("span",{class:"cut","aria-label":"\
malformed calls"},"\u2260"):null);return Tt(r,t.outcome==="FAILED"?null:t.reward,i)}function Mf(e){let t=e.success===!0?
", solved":e.success===!1?", not solved":"",i=e.class?` (${Qe(e.class)})`:"",n=e.malformed?`, ${Te(e.malformed,"malforme\
d call")}`:"";return`${e.id}: ${Qe(e.outcome)}${i}, reward ${k(e.reward)}${t}${n}`}function Fn(e){let t=e.outcome==="SCO\
RED"&&!e.malformed,i=e.outcome==="FAILED"?"bad":t?"good":"warn";return o("span",{class:"badge "+i},e.outcome?Qe(e.outcome):
"given up",e.class?`: ${Qe(e.class)}`:"",e.malformed?`, ${Te(e.malformed,"malformed call")}`:"")}function rc(e,t){return Tt(
o("span",{class:"cell small"},k(e.reward,3)),e.reward,t)}var ac=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],Tf=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function cc(e){let t={};for(let i of ac){
let n=e.get(i);n&&(t[i]=n)}return t}function As(e){return ac.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function uc(e,t,i){
let n=p=>t.get(p)??"",s=(p,m={})=>[...new Set([...Object.keys(m),n(p)])].filter(g=>g!=="").map(g=>[g,`${Qe(g)} (${k(m[g]??
0)})`]),r=["member","task","group","turns_min","turns_max","malformed_min"].some(p=>n(p)!==""),a=o("form",{class:"filter",
role:"search"},Cs("q","text",n("q"),{"data-filter":!0,placeholder:"text in the conversation",type:"search"}),tl("outcome",
n("outcome"),[["","any outcome"],...s("outcome",i.outcomes)]),tl("class",n("class"),[["","any failure"],...s("class",i.failures)]),
tl("sort",n("sort"),Tf),oc("reward",n),o("details",{class:"more",open:r},o("summary",null,"more"),o("div",{class:"filter"},
oc("turns",n),_f("malformed","malformed calls",n),Cs("task","task",n("task")),Cs("group","group",n("group")),Cs("member",
"member",n("member")))),o("button",null,"Filter"),As(t)?o("a",{class:"button quiet",href:B(e,lc(t))},"Clear"):null),u=()=>{
let p=lc(t);for(let[m,g]of new FormData(a))typeof g=="string"&&g.trim()!==""&&(p[m]=g.trim());location.hash=B(e,p)};return a.
addEventListener("submit",p=>{p.preventDefault(),u()}),a.addEventListener("change",p=>{p.target instanceof HTMLSelectElement&&
u()}),a}function lc(e){let t={};for(let i of["split","layout","expected"]){let n=e.get(i);n&&(t[i]=n)}return t}function Cs(e,t,i,n={}){
return o("label",null,o("span",null,t),o("input",{name:e,value:i,type:"text",autocomplete:"off",...n}))}function _f(e,t,i){
let n={name:`${e}_min`,value:i(`${e}_min`),type:"number",min:0,placeholder:"from"};return o("label",{class:"range"},o("s\
pan",null,t),o("input",n))}function oc(e,t){let i=(n,s)=>o("input",{name:`${e}_${n}`,value:t(`${e}_${n}`),type:"number",
step:"any",placeholder:s,"aria-label":`${e} ${s}`});return o("label",{class:"range"},o("span",null,e),i("min","from"),i(
"max","to"))}function tl(e,t,i){let n=o("select",{name:e,"aria-label":e},i.map(([s,r])=>o("option",{value:s},r)));return n.
value=t,n}function ji(e,t){let i=new Map;for(let n of e){let s=t(n),r=i.get(s);r?r.push(n):i.set(s,[n])}return i}var Lf=100;async function il(e,t,i){let n=i===void 0?["run",t,"episodes"]:["run",t,"step",i];e.title(sn(t),{text:i===void 0?
"episodes":`step ${i}`});let s=await Ln(t,e.signal),r=new nl(e,s,i,n);R(e.root,Pf(e,s,i,n),i===void 0?null:Cf(e,t,i),Qt===
void 0?uc(n,e.query,s):null,i===void 0||As(e.query)?null:$f(e,t,i),r.element),await r.load(),s.live&&e.onLive(t,a=>r.hear(
a.some(u=>i===void 0||u.step===i)))}function Pf(e,t,i,n){let s=e.query.get("split")??"",r=Object.fromEntries([...e.query].
filter(([m])=>m!=="cursor")),a=(m,g)=>o("a",{class:"tab"+(s===m?" here":""),"aria-current":s===m?"true":void 0,href:B(n,
{...r,split:m})},g),u=e.query.get("layout")??"",p=m=>{location.hash=Ye(t.name,Math.max(0,(i??0)+m),{split:s})};return i!==
void 0&&(e.key("ArrowLeft","previous step",()=>p(-1)),e.key("ArrowRight","next step",()=>p(1))),o("div",{class:"bar"},o(
"h1",null,i===void 0?"Episodes":`Step ${k(i)}`),i===void 0?null:o("span",{class:"turn"},o("button",{disabled:i===0,title:"\
previous step (\u2190)","aria-label":"previous step",onclick:()=>p(-1)},"\u2190"),o("button",{title:"next step (\u2192)",
"aria-label":"next step",onclick:()=>p(1)},"\u2192")),t.played?null:o("span",{class:"tabs"},a("","All"),a("train","Train\
ing"),a("validation","Held-out")),i===void 0?null:o("span",{class:"tabs"},o("a",{class:"tab"+(u===""?" here":""),href:B(
n,{...r,layout:""})},"Groups"),o("a",{class:"tab"+(u==="list"?" here":""),href:B(n,{...r,layout:"list"})},"List")))}function Cf(e,t,i){
let n=o("div",null);return Pe(e,n,async()=>{let s=(await Ci(t,i,i,e.signal)).steps.find(r=>r.step===i);return s?dn([["st\
age",s.stage],["episodes",k(s.episodes)],["reward",k(s.reward)],["success",it(s.success)],["failed",k(s.failed)],["trunc\
ated",k(s.truncated)],...Af(s)]):o("p",{class:"dim"},"The step has not ended, or belongs to another run.")}),n}function Af(e){
return Object.entries(e.seconds??{}).map(([t,i])=>[t.replaceAll("_"," "),Je(i)])}function $f(e,t,i){let n=o("div",null),
s=e.query.get("split")??void 0,r=u=>Pn(t,{step:i,split:s,sort:u,limit:3},e.signal);Pe(e,n,async()=>{let[u,p]=await Promise.
all([r("-reward"),r("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(u).length===0||m(u)[0].reward===
m(p)[0].reward)return null;let g=Mt([...m(u),...m(p)].map(b=>b.reward));return o("div",{class:"extremes"},a("Best",m(u),
g),a("Worst",m(p),g))});let a=(u,p,m)=>me(u,p.map(g=>o("p",{class:"answer"},gn(t,g,m)," ",o("a",{href:at(t,g.id),class:"\
quiet"},xi(g.answer)||"no answer"))));return n}var nl=class{constructor(t,i,n,s){this.view=t;this.run=i;this.step=n;this.
path=s;this.element.append(this.news,this.place)}view;run;step;path;element=o("div",null);place=o("div",null);news=o("di\
v",null);load(){return R(this.news),Pe(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?R(this.news,
o("p",{class:"news"},o("button",{onclick:()=>{this.load()}},"Show new episodes"))):this.load()}async draw(){let t=this.view.
query.get("cursor")??void 0,i=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),n=i?
{sort:"group"}:{},s=await Pn(this.run.name,{...cc(this.view.query),...n,step:this.step,limit:Lf,cursor:t},this.view.signal);
if(s.episodes.length===0)return o("p",{class:"empty"},this.emptiness());let r=Mt(s.episodes.map(u=>u.reward)),a=s.total===
void 0?"":`${Te(s.total,"episode")}`;return[o("p",{class:"legend"},o("b",null,a),Hf(r),this.asks(i)),this.strip(s.episodes,
r),i?this.groups(s.episodes,r):this.list(s.episodes,r),this.pager(s,t)]}emptiness(){return As(this.view.query)?"No match\
ing episodes.":this.run.live?"No episodes yet. The list updates automatically.":"No episodes."}strip(t,i){if(this.step!==
void 0||!this.view.query.get("task"))return null;let n=ji([...t].sort((s,r)=>s.step-r.step),s=>s.step);return me("All ep\
isodes of this task",o("div",{class:"strip"},[...n].map(([s,r])=>o("div",null,o("a",{class:"dim",href:Ye(this.run.name,s)},
`step ${s}`),r.map(a=>gn(this.run.name,a,i))))))}groups(t,i){let n=[...ji(t,s=>JSON.stringify([s.split,s.group])).values()].
sort(Nf);return o("div",{class:"groups"},n.map(s=>{let r=s.toSorted((p,m)=>p.sample-m.sample),a=r[0],u=$i(this.run.name,
a.group,a.step,a.split);return o("section",{class:"group item",data:{href:u}},o("div",{class:"of"},o("a",{href:u,title:"\
side by side"},a.split==="validation"?"held-out ":"",`group ${a.group}`),o("a",{class:"task",title:"all episodes of this\
 task",href:B(["run",this.run.name,"episodes"],{task:a.task})},a.task),o("span",{class:"dim"},Of(r))),o("div",{class:"ce\
lls"},r.map(p=>gn(this.run.name,p,i))))}))}list(t,i){let n=this.run.name;return He([...this.step===void 0&&!this.run.played?
[{title:"step",right:!0,cell:s=>o("a",{href:Ye(n,s.step)},k(s.step))}]:[],{title:"episode",cell:s=>o("a",{href:at(n,s.id),
title:s.id},Wi(s))},{title:"reward",right:!0,cell:s=>rc(s,i)},{title:"success",cell:s=>s.success===!0?"solved":s.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:Fn},{title:"task",cell:s=>o("a",{class:"short",href:B(["run",n,"episodes"],
{task:s.task})},s.task)},{title:"answer",wide:!0,cell:s=>o("div",{class:"short",title:s.answer},Df(s))},...this.expected(),
{title:"turns",right:!0,cell:s=>k(s.turns)},{title:"tokens",right:!0,cell:s=>k(s.tokens)},{title:"duration",right:!0,cell:s=>Je(
s.seconds)},{title:"attempt",right:!0,cell:s=>k(s.attempt)}],t,s=>at(n,s.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,i=Promise.resolve();return[{title:"private part",cell:s=>{let r=JSON.stringify([s.split,s.task]),
a=t.get(r)??i.then(()=>ls(this.run.name,s.id,this.view.signal).then(Rf),()=>"");t.set(r,a),i=a.catch(()=>{});let u=o("di\
v",{class:"private"},"\u2026");return a.then(p=>{u.title=Rt(p),R(u,xi(p))},p=>R(u,o("span",{class:"bad"},p instanceof Error?
p.message:""))),u}}]}asks(t){if(t||Qt!==void 0)return null;let i=Object.fromEntries([...this.view.query]),n=!!i.expected;
return o("a",{class:"button quiet",href:B(this.path,{...i,expected:n?"":"1"})},n?"Hide private parts":"Show private part\
s (expected answers)")}pager(t,i){if(!t.next&&!i)return null;let n=Object.fromEntries([...this.view.query].filter(([r])=>r!==
"cursor")),s=()=>{t.next&&(location.hash=B(this.path,{...n,cursor:t.next}))};return this.view.key("n","next page",s),o("\
div",{class:"pager"},o("button",{disabled:!i,onclick:()=>{location.hash=B(this.path,n)}},"First page"),o("button",{disabled:!i,
onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!t.next,onclick:s},"Next page \u2192"))}};function Wi(e){
return`${e.group}, sample ${k(e.sample)}`}function Rf(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([i,n])=>`${i}: ${typeof n=="string"?n:JSON.stringify(n)}`).
join(", ")}function Df(e){let t=e.answer??"",i=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&i?"\u2026 "+xi(
t.slice(-60)):xi(t)}function Nf([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function Hf(e){return o("span",{class:"ramp"},o("span",null,k(e.low)),o("i",null),o("span",null,k(e.high)),o("i",{class:"\
hatched"}),o("span",null,"no reward"))}function Of(e){let t=e.map(n=>n.reward).filter(n=>typeof n=="number");if(t.length===
0)return"no rewards";let i=t.reduce((n,s)=>n+s,0)/t.length;return t.length>1&&t.every(n=>n===t[0])?`all ${k(i,3)}: teach\
es nothing`:`mean ${k(i,3)}`}function xi(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var zf=200;function Gi(e,t){let i=e.transcripts??(e.messages?[{messages:e.messages}]:[]),n=o("div",{class:"conversation"});
if(i.reduce((p,m)=>p+m.messages.length,0)===0)return R(n,o("p",{class:"empty"},"No messages.")),n;let r=Vf(i),a=Ff(e,r),
u=p=>{n.querySelector(":scope > button")?.remove();let m=Math.min(r.length,p+zf);It(n,qf(r.slice(p,m),t,a)),m<r.length?n.
append(o("button",{onclick:()=>u(m)},`Show more: ${Te(r.length-m,"message")} left`)):e.limit?.cut&&n.append(o("p",{class:"\
cuthere",title:Rt(e.limit.words)},"\u2702 cut here"))};return u(0),n}function Vf(e){let t=[],i=new Map;for(let n of e){let s=n.
agent??"";for(let r of n.messages){let a=JSON.stringify([s,r.tool_call_id]),u=r.role==="tool"?i.get(a):void 0;if(u){u.results.
set(r.tool_call_id,r),i.delete(a);continue}let p={member:s,depth:Math.max(0,n.depth??0),message:r,results:new Map};for(let m of r.
tool_calls??[])i.set(JSON.stringify([s,m.id]),p);t.push(p)}}return t}function Ff(e,t){let i=t.filter(s=>s.message.role===
"assistant"),n=(e.transcripts?.length??1)===1&&i.length===e.episode.turns;return new Map(n?i.map((s,r)=>[s,r+1]):[])}function pc(e){
if(e.querySelector("[data-turn]"))return t=>{let i=e.querySelector(`[data-turn="${t}"]`);for(let n of e.querySelectorAll(
".current"))n.classList.remove("current");i?.classList.add("current"),i?.scrollIntoView({block:"start"})}}function qf(e,t,i){
let n=o("div",null),s=[{element:n,member:""}];for(let r of e){let a=r.member===""?0:r.depth+1;for(;s.length>a+1||s.length===
a+1&&a>0&&s.at(-1).member!==r.member;)s.pop();for(;s.length<=a;){let u=o("details",{class:"member",open:!0},o("summary",
null,r.member));s.at(-1).element.append(u),s.push({element:u,member:r.member})}s.at(-1).element.append(jf(r,t,i.get(r)))}
return[...n.childNodes]}function jf(e,t,i){let n=e.message,s=n.role||"unknown",r=(n.content??"").length;return o("articl\
e",{class:`message item ${Gf(s)}${n.is_error?" error":""}`,data:i?{turn:String(i)}:void 0},o("header",null,o("b",null,s),
n.name?o("span",{class:"dim"},n.name):null,n.is_error?o("span",{class:"badge bad"},"error"):null,r>2e3?o("span",{class:"\
dim"},`${r.toLocaleString("en")} characters`):null),n.reasoning?Ce([o("b",null,"reasoning"),o("span",{class:"dim"}," "+sl(
n.reasoning))],()=>$e(n.reasoning),!1,"thinks"):null,n.content?$e(n.content,t):null,(n.images??[]).map(dc),(n.attachments??
[]).map(a=>mc(a,n.content??"")),(n.tool_calls??[]).map(a=>Uf(a,e.results.get(a.id))),(n.malformed??[]).map(a=>o("div",{class:"\
malformed"},o("span",{class:"badge warn"},"malformed call")," ",a.reason,(n.content??"").includes(a.text)?null:Ce("text \
of the call",()=>$e(a.text)))),If(n)?o("p",{class:"dim"},"(nothing)"):null)}var Wf=new Set(["system","user","assistant",
"tool"]);function Gf(e){return Wf.has(e)?e:"other"}function If(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.
attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function Uf(e,t){let i=[o("span",{class:"arrow"},"\u2192"),
o("b",null,e.name||"(no name)"),o("span",{class:"dim oneline"},sl(e.arguments)),t?.is_error?o("span",{class:"badge bad"},
"error"):null,o("span",{class:t?"result oneline":"oneline bad"},t?"\u2190 "+sl(t.content??""):"no result")];return Ce(i,
()=>o("div",{class:"body"},o("h4",null,"arguments"),$e(Bf(e.arguments)),o("h4",null,"result"),t?[t.content?$e(t.content):
o("p",{class:"dim"},"(nothing)"),(t.images??[]).map(dc),(t.attachments??[]).map(n=>mc(n,t.content??""))]:o("p",{class:"d\
im"},"The episode ended before the result.")),!1,"call")}function Bf(e){if(e.length>1e6)return e;try{return JSON.stringify(
JSON.parse(e),null,2)}catch{return e}}function sl(e){return Ai(e.slice(0,300).replace(/\s+/g," ").trim())}var Kf=new Set(
["image/png","image/jpeg","image/gif","image/webp"]),Yf=8<<20;function dc(e){let t=["picture",e.mime_type,e.url,e.data?Dt(
Math.floor(e.data.length*3/4)):""];return fc(t.filter(i=>i).join(", "),e.mime_type,e.data)}function fc(e,t,i){return!i||
!t||!Kf.has(t)||i.length>Yf||!/^[A-Za-z0-9+/]+=*$/.test(i)?o("p",{class:"attachment"},"+ "+e):Ce("+ "+e,()=>{let n=document.
createElement("img");return n.alt=Rt(e),n.src=`data:${t};base64,${i}`,n},!1,"attachment")}function mc(e,t){let i=[e.kind||
"attachment",e.mime_type,e.name,e.uri,e.size?Dt(e.size):"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:
""].filter(s=>s).join(", ");if(e.data)return fc(i,e.mime_type,e.data);let n=e.json!==void 0?JSON.stringify(e.json,null,2):
e.text??"";return n===""||n===t?o("p",{class:"attachment"},"+ "+i):Ce("+ "+i,()=>$e(n),!1,"attachment")}function $s(e){let t=e.reward,i=t?.total??e.episode.reward,n=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),s=Mt([i,...Object.values(t?.parts??{})]),r=e.episode.success;return o("div",{class:"reward"},o("p",
{class:"total"},Tt(o("span",{class:"cell"},k(i)),i,s),r===!0?o("span",{class:"badge good"},"solved"):null,r===!1?o("span",
{class:"badge"},"not solved"):null,i==null?o("span",{class:"dim"},Qf(e)):null),t?.expression?o("p",null,o("span",{class:"\
dim"},"expression "),o("code",{class:"expression"},t.expression)):null,n.length===0?null:He([{title:"part",cell:a=>o("co\
de",null,a.replace(/^reward\./,""))},{title:"value",right:!0,cell:a=>Jf(t?.parts?.[a],s)},{title:t?.notes?"notes":"",wide:!0,
cell:a=>t?.notes?.[a]?$e(t.notes[a],400):""}],n),(t?.own_rewards??[]).map(a=>o("p",null,o("code",null,`agent.${a.agent}`),
" reports ",k(a.reward),a.is_success===void 0?"":a.is_success?", solved":", not solved")),Zf(t?.turn_rewards??[]))}function Jf(e,t){
return e===void 0?"":Tt(o("span",{class:"cell small"},k(e)),e,t)}function Qf(e){return e.failure||e.episode.outcome==="F\
AILED"?"No reward: the episode failed.":"No reward."}function Zf(e){if(e.length===0)return null;let t=Mt(e.map(i=>i.reward));
return o("p",{class:"cells"},o("span",{class:"dim"},"by turn "),e.slice(0,500).map(i=>Tt(o("span",{class:"cell small",title:i.
call_id},k(i.reward,3)),i.reward,t)))}var Xf=360,em=200;async function hc(e,t,i){let n=Number(e.query.get("step")??0),s=e.query.get("split")??"train";e.title(
sn(t),{text:`step ${n}`,href:Ye(t,n)},{text:`group ${i}`});let a=(await Pn(t,{step:n,split:s,group:i,limit:em},e.signal)).
episodes.toSorted((P,D)=>P.sample-D.sample),u=a[0];if(!u){R(e.root,o("p",{class:"empty"},"This group has no episodes."));
return}let p=Mt(a.map(P=>P.reward)),m=o("div",{class:"beside"}),g=a.map(P=>gn(t,P,p)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/Xf))),S=()=>{let P=a.slice(b,b+v());g.forEach((D,j)=>D.classList.toggle(
"here",j>=b&&j<b+P.length)),R(m,P.map(D=>tm(e,t,D)))},L=P=>{b=Math.min(Math.max(0,a.length-v()),Math.max(0,b+P*v())),S()};
e.key("ArrowLeft","previous samples",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),R(e.root,o("div",{class:"bar"},
o("h1",null,`Group ${i}`),o("span",{class:"turn"},o("button",{title:"previous samples (\u2190)","aria-label":"previous s\
amples",onclick:()=>L(-1)},"\u2190"),o("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(
1)},"\u2192"))),o("p",null,"Task ",o("a",{href:B(["run",t,"episodes"],{task:u.task})},u.task)),o("div",{class:"cells"},g),
m),S()}function tm(e,t,i){let n=o("div",null);return Pe(e,n,async()=>{let s=await oi(t,i.id,e.signal);return[$s(s),Gi(s,
1200)]}),o("section",{class:"panel"},o("h2",null,o("a",{href:at(t,i.id)},`sample ${k(i.sample)}`)," ",Fn(i)),n)}function wc(e){let t=e.some(i=>i.model);return He([{title:"member",cell:i=>o("code",null,i.agent)},{title:"turns",right:!0,
cell:i=>k(i.turns)},{title:"prompt tokens",right:!0,cell:i=>k(i.prompt_tokens)},{title:"output tokens",right:!0,cell:i=>k(
i.output_tokens)},{title:"model's time",right:!0,cell:i=>fn(i.model_ms)},...t?[{title:"model",cell:i=>i.model??"the poli\
cy"},{title:"cost",right:!0,cell:i=>i.cost_usd?`$${k(i.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var gc=200;
function vc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?bc(e.chains):null;let i=new Set(t.map(g=>g.
call_id)),n=ji(t,g=>g.parent&&i.has(g.parent)&&g.parent!==g.call_id?g.parent:""),s=[],r=new Set,a=(n.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;a.length>0;){let g=a.pop();if(r.has(g.call.call_id))continue;r.add(g.call.call_id),
s.push(g);let b=n.get(g.call.call_id)??[],v=b.length>1;for(let S of b.toReversed())a.push({call:S,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)r.has(g.call_id)||s.push({call:g,depth:0,branch:!1});let u=o("div",{class:"forest"}),p=g=>R(u,
s.slice(0,g).map(nm),s.length>g?o("button",{onclick:()=>p(g+gc)},`Show more: ${Te(s.length-g,"call")} left`):null);p(gc);
let m=(n.get("")??[]).length;return[o("p",{class:"dim"},`${Te(t.length,"call")} in ${Te(m,"tree")}. A branch continues a\
n earlier answer. Untrained calls are marked.`),u,(e.chains??[]).length>0?bc(e.chains):null]}function nm({call:e,depth:t,
branch:i}){let n=!e.parent,s=[o("span",{class:"twig"},n?"\u25CF":i?"\u251C":"\u2502"),o("code",null,e.call_id),e.agent?o(
"span",null,e.agent):null,e.auxiliary?o("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?o("span",
{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?o("span",{class:"dim"},Qe(e.finish)):null,o("span",{class:"\
dim"},`${k(e.prompt_tokens)} + ${k(e.output_tokens)} tokens`),o("span",{class:"oneline dim"},(e.text??"").slice(0,200))],
r=Ce(s,()=>e.text?$e(e.text):o("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" untrained":
""));return r.style.setProperty("--depth",String(Math.min(t,24))),r}function bc(e){return Ce([o("b",null,"chains"),o("sp\
an",{class:"dim"},` ${e.length}`)],()=>He([{title:"chain",cell:t=>o("code",null,t.chain)},{title:"agent",cell:t=>t.agent??
""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>k(t.reward)},
{title:"digest",wide:!0,cell:t=>o("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var yi=1500,im=150,sm=240,Sc=(e,t)=>e?.[t]??null;function Rs(e,t){let i=e.loss_mask?.[t];return i==null?null:i?1:0}function bn(e,t,i){
let n=Sc(e,i);return n===0&&Rs(t,i)===0?null:n}function Ec(e,t){let[i,n]=[bn(e.logprobs,e,t),bn(e.trainer_logprobs,e,t)];
return i===null||n===null?null:n-i}var rl=(e,t)=>e.reduce((i,n)=>Math.max(i,Math.abs(n)),t),xc=e=>({low:-rl(e,1),high:0}),
yc=[{name:"mask",label:"trained",value:Rs,scale:()=>Ps(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>bn(
e.logprobs,e,t),scale:xc},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>bn(e.trainer_logprobs,e,t),scale:xc},
{name:"gap",label:"gap",value:Ec,scale:e=>Ps(rl(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>bn(e.advantages,
e,t),scale:e=>Ps(rl(e,1e-6))}],kc={trained:"The tokens of this episode are not recorded. Adapters report the tokens of s\
ome groups at the steps that tokens_every selects.",played:"The model of this episode returned no tokens. Served models \
return them if their block sets tokens."};function Mc(e,t=!1){if(!e||e.length===0)return o("p",{class:"dim"},t?kc.played:
kc.trained);let i=o("div",null),n=r=>R(i,new ll(e[r]).element);if(n(0),e.length===1)return i;let s=o("select",{"aria-lab\
el":"row"},e.slice(0,500).map((r,a)=>o("option",{value:String(a)},`row ${a+1} of ${e.length}${r.chain?`: ${r.chain}`:""}`)));
return s.addEventListener("change",()=>n(Number(s.value))),[s,i]}var ll=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",i=>this.point(i.target)),this.text.addEventListener("click",i=>this.point(i.target)),this.text.addEventListener(
"keydown",i=>{let n={ArrowRight:1,ArrowLeft:-1}[i.key];n!==void 0&&(i.preventDefault(),i.stopPropagation(),this.stand(this.
at<0?this.from:this.at+n))}),R(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=o("div",{class:"tokens"});measure=yc[0];from=0;text=o("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=o("div",{class:"readout",role:"status"});tabs=o("div",{class:"tabs"});overview=o(
"div",{class:"overview","aria-hidden":"true"});pager=o("div",{class:"pager"});legend=o("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:i}=this,n=[],s=0;for(let p=0;p<this.length;p++){let m=i.value(t,p);m===
null?s++:n.push(m)}let r=i.scale(n);R(this.tabs,yc.map(p=>o("button",{class:"tab"+(p===i?" here":""),"aria-pressed":p===
i?"true":"false",onclick:()=>{this.measure=p,this.draw()}},p.label))),R(this.legend,n.length===0?o("p",{class:"unknown"},
`${i.label}: unknown, because this framework does not report it.`):this.ramp(r,n,s));let a=Math.min(this.length,this.from+
yi),u=[];for(let p=this.from;p<a;p++)u.push(this.token(p,i.value(t,p),r));R(this.text,u),this.text.children.item(this.at-
this.from)?.classList.add("here"),this.drawOverview(r,a),this.drawPager(a)}drawOverview(t,i){if(this.length<im)return;let n=Math.
ceil(this.length/sm),s=[];for(let r=0;r<this.length;r+=n){let a=this.extreme(r,Math.min(this.length,r+n)),u=o("i",{class:r<
i&&r+n>this.from?"shown":""});u.addEventListener("click",()=>this.stand(Math.max(a,r))),s.push(Tt(u,a<0?null:this.measure.
value(this.row,a),t))}R(this.overview,s)}extreme(t,i){let[n,s]=[-1,-1];for(let r=t;r<i;r++){let a=this.measure.value(this.
row,r);a!==null&&Math.abs(a)>s&&([n,s]=[r,Math.abs(a)])}return n}ramp(t,i,n){if(this.measure.name==="mask"){let s=i.reduce(
(r,a)=>r+a,0);return o("p",{class:"ramp"},o("i",{class:"one high"}),`${k(s)} trained`,o("i",{class:"one plain"}),`${k(i.
length-s)} not trained`,n>0?[o("i",{class:"hatched"}),`${k(n)} unknown`]:null,this.cutWords())}return o("p",{class:"ramp"},
k(t.low,3),o("i",null),k(t.high,3),n>0?[o("i",{class:"hatched"}),`${k(n)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:o("span",{class:"badge warn"},`the first ${k(this.length)} of ${k(t)}\
 tokens`)}token(t,i,n){let s=this.row.text?.[t],r=o("span",{class:"token",data:{i:String(t)}},s==null?`\u27E8${this.row.
ids[t]}\u27E9`:rm(s));return s?.includes(`
`)&&r.classList.add("ends"),t===this.row.prompt_length&&r.classList.add("first"),Tt(r,i,n)}drawPager(t){let i=s=>{this.from=
Math.max(0,Math.min(s,this.length-1)),this.draw()},n=this.extreme(0,this.length);R(this.pager,o("button",{disabled:this.
from===0,onclick:()=>i(this.from-yi)},"\u2190"),o("span",null,`tokens ${k(this.from+1)} to ${k(t)} of ${k(this.length)}`),
o("button",{disabled:t>=this.length,onclick:()=>i(this.from+yi)},"\u2192"),o("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),n>=0&&this.measure.name!=="mask"?o("button",{onclick:()=>this.stand(n)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Rs(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+yi)&&(this.from=Math.floor(t/yi)*yi,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:i}=this,n=a=>a===null?o("span",
{class:"unknown"},fo):o("b",null,k(a)),s=t<0?null:Rs(i,t),r=t<0?null:Sc(i.turn_ids,t);R(this.readout,t<0?o("span",{class:"\
dim"},`${Te(this.length,"token")}: point at a token for its values`):[o("span",null,"token ",o("b",null,k(t))," ",o("cod\
e",null,Ai(i.text?.[t]??"")),o("span",{class:"dim"},` id ${i.ids[t]}`)),o("span",null,s===null?o("span",{class:"unknown"},
"trained: unknown"):s?"trained":"not trained"),r===null||r<0?null:o("span",null,"turn ",o("b",null,k(r+1))),o("span",null,
"sampler ",n(bn(i.logprobs,i,t))),o("span",null,"trainer ",n(bn(i.trainer_logprobs,i,t))),o("span",null,"gap ",n(Ec(i,t))),
o("span",null,"advantage ",n(bn(i.advantages,i,t)))])}};function rm(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Ai(e)}var Tc=150,lm=["queue","model","tool","reward","siblings","host"];function _c(e,t,i){if(e.length===0)return o("p",{class:"\
dim"},"No times recorded.");let n=Math.min(...e.slice(0,5e4).map(p=>p.start_ms)),s=Math.max(...e.slice(0,5e4).map(p=>p.start_ms+
p.ms)),r=Math.max(s-n,1e-9),a=o("div",{class:"waterfall"}),u=p=>R(a,e.slice(0,p).map(m=>am(m,n,r,i)),e.length>p?o("butto\
n",{onclick:()=>u(p+Tc)},`Show more: ${Te(e.length-p,"bar")} left`):null);return u(Tc),[om(e),a,o("p",{class:"axis dim"},
o("span",null,"0"),o("span",null,fn(r))),t==="sums"?o("p",{class:"dim"},"Only total times are recorded, without their be\
ginnings."):null]}function ol(e){return lm.includes(e)?e:"other"}function om(e){let t=new Map;for(let s of e)t.set(s.part,
(t.get(s.part)??0)+s.ms);let i=[...t.values()].reduce((s,r)=>s+r,0)||1,n=[...t].sort((s,r)=>r[1]-s[1]);return o("div",null,
o("div",{class:"stack","aria-hidden":"true"},n.map(([s,r])=>o("i",{class:"part "+ol(s),vars:{"--share":`${100*r/i}%`}}))),
o("p",{class:"chips"},n.map(([s,r])=>o("span",{class:"key"},o("i",{class:"swatch part "+ol(s)}),`${s==="tool"?"environme\
nt":s} `,o("b",null,fn(r)),o("span",{class:"dim"},` ${Math.round(100*r/i)} %`)))))}function am(e,t,i,n){let s=(e.turn?`t\
urn ${e.turn}: `:"")+(e.label||e.part),r=100*(e.start_ms-t)/i,a=Math.max(.3,100*e.ms/i);return o("div",{class:"wait",title:`${e.
part}: ${s}, ${fn(e.ms)} from ${fn(e.start_ms-t)}`},e.turn&&n?o("button",{class:"name quiet",onclick:()=>n(e.turn)},s):o(
"span",{class:"name"},s),o("span",{class:"lane"},o("i",{class:"part "+ol(e.part),vars:{"--left":`${Math.min(r,99.7)}%`,"\
--share":`${Math.min(a,100)}%`}})),o("span",{class:"ms"},fn(e.ms)))}async function Pc(e,t,i){e.title(sn(t),{text:`episode ${i}`});let n=await oi(t,i,e.signal),s=n.episode,r=n.played?{text:"\
episodes",href:B(["run",t,"episodes"])}:{text:`step ${s.step}`,href:Ye(t,s.step,{split:s.split})};e.title(sn(t),r,{text:Wi(
s)});let a=n.siblings??[],u=Gi(n);um(e,t,n),R(e.root,o("div",{class:"bar"},o("h1",{title:i},n.played?Wi(s):`Step ${k(s.step)}\
, ${Wi(s)}`),Fn(s),o("span",{class:"grow"}),(n.commands??[]).map(p=>An(p))),n.failure?o("div",{class:"trouble"},o("h2",null,
`Failed: ${Qe(n.failure.class)}`),$e(n.failure.detail??"")):null,n.limit?cm(n.limit):null,a.length>1?pm(t,n,a):null,o("d\
iv",{class:"episode"},o("div",null,me("Conversation",u),wm(n),gm(n),bm(n),Cc(me("Tokens",Mc(n.tokens?.rows,n.played!==void 0)))),
o("aside",null,me("Reward",$s(n),mm(n)),hm(n.madness??[]),dm(t,n),me("Time",_c(n.times??[],n.times_are,pc(u))),vm(n.attempts??
[]),Lc("Environment's state",n.state),Lc("Metadata",n.metadata),Qt===void 0?xm(e,t,i):null)))}function cm(e){return o("d\
iv",{class:"trouble truncated"},o("h2",null,`Truncated: ${e.name}${e.value?` = ${e.value}`:""}`),$e(`${e.words[0]?.toUpperCase()??
""}${e.words.slice(1)}.`))}function um(e,t,i){let n=i.siblings??[],s=n.findIndex(a=>a.id===i.episode.id),r=a=>{let u=n[s+
a];u&&(location.hash=at(t,u.id))};e.key("ArrowLeft","previous sample",()=>r(-1)),e.key("ArrowRight","next sample",()=>r(
1)),e.key("b","the group side by side",()=>{location.hash=$i(t,i.episode.group,i.episode.step,i.episode.split)}),e.key("\
o","expand or collapse all calls",()=>{let a=[...document.querySelectorAll(".conversation .message details")],u=!a.some(
p=>p.open);for(let p of a)p.open=u}),e.key("c","copy the terminal command for this episode",()=>{document.querySelector(
"main button.copy")?.click()})}function pm(e,t,i){let n=t.episode,s=Mt(i.map(r=>r.reward));return o("div",{class:"siblin\
gs"},o("a",{href:$i(e,n.group,n.step,n.split)},`group ${n.group}`),o("div",{class:"cells"},i.slice(0,300).map(r=>gn(e,r,
s,r.id===n.id))))}function dm(e,t){let i=t.episode;return me("About",dn([["task",o("a",{href:B(["run",e,"episodes"],{task:i.
task}),title:"all episodes of this task"},i.task)],...fm(t),["turns",k(i.turns)],["tokens",k(i.tokens)],["duration",Je(i.
seconds)],["status",t.played||!i.standing?null:Qe(i.standing)]]))}function fm(e){let t=e.episode;return e.played?[["data\
set",e.played.dataset],["policy",e.played.policy],["try",k(t.sample+1)],["environment's seed",e.seeds?.environment]]:[["\
split",t.split==="validation"?"held-out":"training"],["step",k(t.step)],["sample",k(t.sample)]]}function mm(e){let t=[];
return e.played?null:(e.use&&t.push(`In training: ${Qe(e.use)}.`),e.why&&t.push(`Not trained: ${Qe(e.why)}.`),e.masked&&
!e.use&&t.push("Masked: counts in its group and is not trained."),e.drop_group&&t.push("Group dropped."),t.length>0?o("p",
{class:"dim"},t.join(" ")):null)}function hm(e){return e.length===0?null:me("Failed checks",e.slice(0,100).map(t=>o("p",
null,o("span",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}: ${Qe(t.reason)} in its ${t.part}`,t.near?[",\
 near ",o("code",null,t.near)]:null)))}function gm(e){return(e.members??[]).length>0?me("Members",wc(e.members)):null}function bm(e){
let t=vc(e);return t===null?null:Cc(me("Calls of the program",t))}function Cc(e){return e.classList.add("late"),e}function wm(e){
let t=e.own_steps??[];return t.length===0?null:me("Steps of the agent itself",t.slice(0,200).map((i,n)=>Ce(`step ${n+1}`,
()=>Gi({episode:e.episode,messages:i.messages}))))}function vm(e){return e.length<2&&!e.some(t=>t.class)?null:me("Attemp\
ts",e.slice(0,100).map(t=>o("div",{class:"attempt"},o("p",null,o("b",null,k(t.attempt))," ",Fn(t),o("span",{class:"dim"},
t.started?` from ${$n(t.started)}`:"",t.seconds===void 0?"":`, ${Je(t.seconds)}`)),t.detail?$e(t.detail,600):null)))}function Lc(e,t){
return t==null?null:me(e,Ce("show",()=>$e(JSON.stringify(t,null,2))))}function xm(e,t,i){return me("Private part of the \
task",Ce("Show the private part, which can contain the answer",()=>{let n=o("div",null);return Pe(e,n,async()=>{let s=await ls(
t,i,e.signal);return $e(JSON.stringify("private"in s?s.private:s,null,2))}),n}))}var ym=240;async function $c(e,t){e.title(sn(t),{text:"validations"});let i=o("div",null);R(e.root,o("div",{class:"bar"},
o("h1",null,"Validations"),km(e)),i),await Pe(e,i,()=>Sm(e,t))}var Ii=()=>{};function km(e){return e.key("ArrowLeft","pr\
evious validations",()=>Ii(-1)),e.key("ArrowRight","next validations",()=>Ii(1)),o("span",{class:"turn"},o("button",{title:"\
previous validations (\u2190)","aria-label":"previous validations",onclick:()=>Ii(-1)},"\u2190"),o("button",{title:"next\
 validations (\u2192)","aria-label":"next validations",onclick:()=>Ii(1)},"\u2192"))}async function Sm(e,t){let i=e.query.
get("cursor")??void 0,n=await Bl(t,i,e.signal);if(n.tasks.length===0)return o("p",{class:"empty"},"This run has no valid\
ations.");let s=o("div",null),r=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/ym)),a=Math.max(0,n.
steps.length-r()),u=()=>R(s,Em(t,n,n.steps.slice(a,a+r())));Ii=g=>{a=Math.min(Math.max(0,n.steps.length-r()),Math.max(0,
a+g*r())),u()},u();let p=["run",t,"validations"],m=()=>{n.next&&(location.hash=B(p,{cursor:n.next}))};return e.key("n","\
next page",m),[s,n.next||i?o("div",{class:"pager"},o("button",{disabled:!i,onclick:()=>{location.hash=B(p)}},"First page"),
o("button",{disabled:!i,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!n.next,onclick:m},"Next page \u2192")):
null]}function Em(e,t,i){let n=Mt(t.tasks.flatMap(s=>s.episodes.map(r=>r.reward)));return o("div",{class:"scroll"},o("ta\
ble",{class:"answers"},o("thead",null,o("tr",null,o("th",null,"task"),i.map(s=>o("th",null,o("a",{href:Ye(e,s,{split:"va\
lidation"})},`after step ${k(s)}`))))),o("tbody",null,t.tasks.map(s=>o("tr",{class:"item",data:{href:Ac(e,s.task)}},o("t\
h",null,o("a",{href:Ac(e,s.task)},s.task)),i.map(r=>o("td",null,s.episodes.filter(a=>a.step===r).map(a=>Tt(o("a",{class:"\
cell answer",href:at(e,a.id)},o("b",null,k(a.reward,3),a.success===!0?" \u2713":""),o("span",null,xi(a.answer)||"no answ\
er")),a.reward,n)))))))))}var Ac=(e,t)=>B(["run",e,"episodes"],{task:t,split:"validation"});var Ns=o("main",{tabindex:"-1"}),ul=o("nav",{class:"crumbs","aria-label":"Breadcrumbs"}),cl=o("span",{class:"connection",
role:"status"}),al=new AbortController;function Mm(){uo(),Rc(),It(document.body,[o("header",null,o("a",{class:"home",href:B(
[])},"awhost"),ul,cl,o("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>fr()},"?"),o("button",{class:"\
quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:wr},"\u25D0")),Ns]),ro(),pn("j","next item",()=>dr(
1)),pn("k","previous item",()=>dr(-1)),pn("Enter","expand or collapse the item",()=>lo()),pn("/","go to the filter",Tm),
pn("u","go up one level",_m),pn("t","light or dark",wr),pn("?","show keys and symbols",()=>fr()),addEventListener("hashc\
hange",()=>{Rc(),Ds()}),Ds()}function Rc(){let e=br(location.hash);e&&(lr(e.token),history.replaceState(null,"",e.rest))}
function Tm(){Ns.querySelector("[data-filter]")?.focus()}function _m(){let e=ul.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??B([])}function Ds(){if(al.abort(),al=new AbortController,so(),Dc("off"),!Wl()){Cm();return}let{path:e,
query:t}=gr(Qt!==void 0&&/^(#\/?)?$/.test(location.hash)?Qt:location.hash),i=Lm(t,al.signal),n=i.root;R(Ns,n),scrollTo(0,
0),Pm(i,e).catch(s=>{i.signal.aborted||R(n,vr(s,Ds))})}function Lm(e,t){return{root:o("div",{class:"view"}),signal:t,query:e,
key:(i,n,s)=>io(i,n,()=>{t.aborted||s()}),onLive:(i,n)=>{Qt===void 0&&ao(i,t,n,s=>{t.aborted||Dc(s)})},title:(...i)=>{document.
title=[...i].reverse().map(n=>n.text).concat("awhost").join(" \xB7 "),R(ul,i.map(n=>[o("span",{class:"slash","aria-hidde\
n":"true"},"/"),n.href?o("a",{href:n.href},n.text):o("span",{"aria-current":"page"},n.text)]))}}}async function Pm(e,t){
let[i,n,s,r]=t;if(i===void 0)return mo(e);if(i==="compare")return Ja(e);if(i==="run"&&n!==void 0){if(s===void 0)return sc(
e,n);if(s==="step"&&/^\d+$/.test(r??""))return il(e,n,Number(r));if(s==="episodes")return il(e,n,void 0);if(s==="group"&&
r!==void 0)return hc(e,n,r);if(s==="episode"&&r!==void 0)return Pc(e,n,r);if(s==="validations")return $c(e,n)}e.title({text:"\
not found"}),R(e.root,o("section",{class:"trouble"},o("h2",null,"Page not found."),o("p",null,"The address is incomplete\
 or belongs to another version of awhost. ",o("a",{href:B([])},"All runs"))))}function Dc(e){cl.className="connection "+
e,R(cl,{live:"live",lost:"no connection, retrying",off:""}[e])}function Cm(){let e=o("input",{type:"password","aria-labe\
l":"token",autocomplete:"off",size:40}),t=o("form",null,e,o("button",null,"Open"));t.addEventListener("submit",i=>{i.preventDefault();
let n=e.value.trim();lr(br(n.slice(Math.max(0,n.indexOf("#"))))?.token??n),Ds()}),R(Ns,o("section",{class:"trouble"},o("\
h2",null,"This page needs a token."),o("p",null,"Open the link that awhost ui prints, or paste the link or its token her\
e. The token is valid for this tab until you close it."),t)),e.focus()}Mm();})();
