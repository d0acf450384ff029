"use strict";(()=>{function ql(e){let t=e.getElementById("awhost-data");return t?uu(JSON.parse(t.textContent??"{}")):null}function uu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(n,i={})=>du(n,t.get(pu(n)),i)}}function pu(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function du(e,t,n){if(t===void 0)return;let i=e.split("/");switch(i.length===
4?i[3]:""){case"episodes":return fu(t.episodes,n);case"steps":{let{steps:s}=t;return{steps:s.filter(r=>r.step>=Number(n.
from)&&r.step<=Number(n.to))}}case"metrics":{let s=new Set([n.name??[]].flat().map(String)),{series:r}=t;return{series:Object.
fromEntries(Object.entries(r).filter(([a])=>s.size===0||s.has(a)))}}}return t}function fu(e,t){let n=["step","split","gr\
oup","task","outcome","class"].filter(p=>t[p]!==void 0),i=e.filter(p=>n.every(m=>String(p[m]??"")===String(t[m]))),s=String(
t.sort??"order"),r=s.replace(/^-/,"");(r==="reward"||r==="turns"||r==="seconds")&&i.sort(mu(r,s.startsWith("-")?-1:1));let a=Number(
t.cursor??0),u=s==="group"?i.length:a+Number(t.limit??100);return{episodes:i.slice(a,u),next:u<i.length?String(u):void 0,
total:i.length}}function mu(e,t){return(n,i)=>{let[s,r]=[n[e],i[e]];return typeof s!="number"||typeof r!="number"?+(typeof r==
"number")-+(typeof s=="number"):t*(s-r)}}function ns(e,t){try{return e().getItem(t)}catch{return null}}function is(e,t,n){try{e().setItem(t,n)}catch{}}var Wl="awhost-token",li=ql(document),sr=li?"":ns(()=>sessionStorage,Wl)??"";function rr(e){sr=e,is(()=>sessionStorage,Wl,
e)}function jl(){return sr!==""||li!==null}var Qt=li?.open,Jt=class extends Error{constructor(n,i,s){super(i);this.status=
n;this.summary=i;this.detail=s}status;summary;detail};function hu(e,t){let n=new URLSearchParams;for(let[s,r]of Object.entries(
t??{}))for(let a of Array.isArray(r)?r:[r])a!==void 0&&a!==""&&n.append(s,String(a));let i=n.toString();return i===""?e:
`${e}?${i}`}async function Il(e,t,n){if(li)throw Gl();let i;try{i=await fetch(hu(e,t),{signal:n,headers:{Authorization:`\
Bearer ${sr}`},cache:"no-store",credentials:"omit",redirect:"error"})}catch(s){throw n.aborted?s:new Jt(0,"The server do\
es not answer.","awhost ui, or the command with --ui, may have ended: start it again, and open the link that it prints.")}
if(!i.ok)throw await gu(i);return i}async function gu(e){let t=await e.json().catch(()=>null);return new Jt(e.status,t?.
error?.summary??`The server answered ${e.status}.`,t?.error?.detail??"")}async function $t(e,t,n){return li?bu(e,t):await(await Il(
e,t,n)).json()}function bu(e,t){let n=li.answer(e,t);if(n!==void 0)return n;throw Gl()}function Gl(){return new Jt(404,"\
This file does not hold that.","awhost ui shows all of the run, where its directory is.")}var Zt=e=>`api/runs/${encodeURIComponent(
e)}`,Ul=(e,t)=>`${Zt(e)}/episodes/${encodeURIComponent(t)}`,ss=e=>$t("api/runs",void 0,e),Ln=(e,t)=>$t(Zt(e),void 0,t),rs=(e,t,n,i)=>$t(
`${Zt(e)}/metrics`,{name:t,after:n},i),Ci=(e,t,n,i)=>$t(`${Zt(e)}/steps`,{from:t,to:n},i),Pn=(e,t,n)=>$t(`${Zt(e)}/episo\
des`,t,n),oi=(e,t,n)=>$t(Ul(e,t),void 0,n),ls=(e,t,n)=>$t(`${Ul(e,t)}/private`,void 0,n),Bl=(e,t,n)=>$t(`${Zt(e)}/valida\
tions`,{cursor:t},n),os=(e,t)=>$t(`${Zt(e)}/spec`,void 0,t),Kl=(e,t)=>$t(`${Zt(e)}/waits`,void 0,t),Yl=(e,t)=>Il(`${Zt(e)}\
/live`,void 0,t);async function Jl(e,t,n){let i=await $t("api/compare",{run:[e,t]},n);return"comparison"in i?i.comparison:
i}var wu=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
Xl=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,vu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
xu=/^[\n\t -~]*$/,Ql=/\p{M}/u,Zl=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,lr=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),yu=4;function ar(e){if(xu.test(e))return[{text:e,escaped:!1}];let t=new or;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function It(e){return ar(e).map(t=>t.text).join("")}function Ai(e){return It(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var or=class{out=[];shown="";before="";marks=0;take(t,n){let i=t.codePointAt(n);if(i===13&&
t[n+1]===`
`)return 1;if(i===27||i===155){let r=wu.exec(t.slice(n,n+512));if(r)return this.escape(ku(r[0])),r[0].length}let s=String.
fromCodePoint(i);return this.isShown(s,t,n+s.length)?(this.marks=Ql.test(s)?this.marks+1:0,this.shown+=s,this.before=s):
this.escape(eo(i)),s.length}done(){return this.flush(),this.out}isShown(t,n,i){if(t===`
`||t==="	"||!vu.test(t))return!0;if(Ql.test(t)&&!Xl.test(t))return this.marks<yu;let s=i<n.length?String.fromCodePoint(n.
codePointAt(i)):"";switch(t){case"\u200D":return Zl.test(this.before)&&Zl.test(s)||lr.test(this.before);case"\u200C":return lr.
test(this.before)&&lr.test(s);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function ku(e){return[...e].map(t=>Xl.test(t)?eo(t.codePointAt(
0)):t).join("")}function eo(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function o(e,t,...n){let i=document.createElement(e);for(let[s,r]of Object.entries(t??{}))Su(i,s,r);return Gt(i,n),i}function Su(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[i,s]of Object.entries(n))e.style.setProperty(i,s);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":It(String(n)))}}function Gt(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?Gt(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(It(String(n)))))}function R(e,...t){e.replaceChildren(),Gt(e,t)}var Eu=6e3,Mu=1e5;
function He(e,t=Eu){let n=o("div",{class:"prose",dir:"auto"}),i=0,s=u=>{let p=Tu(e,Math.min(u,e.length));for(let m of ar(
e.slice(i,p)))n.append(m.escaped?o("span",{class:"escape"},m.text):m.text);i=p};if(s(t),i===e.length)return n;let r=o("b\
utton",{class:"quiet",onclick:()=>{s(i+Mu),i===e.length?r.remove():a()}}),a=()=>R(r,`show more: ${to(e.length-i)} of ${to(
e.length)} characters are left`);return a(),o("div",null,n,r)}function to(e){return e.toLocaleString("en")}function Tu(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var as=new Map,ur=new Map;function io(e,t,n){as.set(e,{what:t,act:n})}function pn(e,t,n){ur.set(e,{what:t,act:n})}function so(){
as.clear()}function ro(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),cr();return}if(_u(e.target))return;let t=as.
get(e.key)??ur.get(e.key);t&&(e.preventDefault(),t.act())})}function _u(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function pr(e){let t=[...document.querySelectorAll("main .item")].filter(
s=>s.offsetParent!==null);if(t.length===0)return;let n=t.findIndex(s=>s.classList.contains("current")),i=n<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[i].classList.add("current"),t[i].scrollIntoView(
{block:"nearest"})}function lo(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function dr(){
if(cr())return;let e=[...as,...ur,["Esc",{what:"leave a field, close this"}]],t=o("dialog",{class:"help","aria-label":"K\
eys, signs and words"},o("h2",null,"Keys"),no(e.map(([n,i])=>[o("kbd",null,Pu[n]??n),i.what])),o("h2",null,"Signs and wo\
rds"),no(Lu),o("button",{onclick:()=>cr()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var Lu=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns or time ended the episode"],["\u2260",
"with malformed calls: the policy wrote calls that are not valid, and they were not carried out"],["hatched","without a \
reward, or not known"],["\u25B2","in a chart: a checkpoint, the best one in another colour; broken lines are kills and r\
esumes"],["dropped","no usable attempt was left: nothing is learned from the episode"],["masked","counts in its group, a\
nd is not trained on"],["filtered","left out of the update: all of its group are worth the same"],["digest","names the c\
ontent of the newest checkpoint: two that are equal are equal to the bit"]];function no(e){return o("table",null,o("tbod\
y",null,e.map(([t,n])=>o("tr",null,o("td",null,t),o("td",null,n)))))}var Pu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\
\u2191",ArrowDown:"\u2193",Enter:"Enter"};function cr(){let e=document.querySelector("dialog.help");return e?.close(),e!==
null}var Au=1e3,oo=45e3;function ao(e,t,n,i){$u(e,t,new fr(n,t),i)}async function $u(e,t,n,i){let s=500;for(let r=!0;!t.aborted;r=
!1){try{await Ru(e,t,a=>n.take(a),()=>{i("live"),s=500,r||n.take({kind:"state"})})}catch(a){if(a instanceof Jt&&a.status>=
400&&a.status<500)break}if(t.aborted)break;i("lost"),await Hu(s,t),s=Math.min(2*s,15e3)}i("off")}async function Ru(e,t,n,i){
let s=new AbortController,r=()=>s.abort();t.addEventListener("abort",r,{once:!0});let a=setTimeout(r,oo);try{let p=(await Yl(
e,s.signal)).body.pipeThrough(new TextDecoderStream).getReader();i();for(let m="";;){let{done:g,value:b}=await p.read();
if(g)return;clearTimeout(a),a=setTimeout(r,oo),m=Du(m+b,n)}}finally{clearTimeout(a),t.removeEventListener("abort",r),s.abort()}}
function Du(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),i=n.pop();for(let s of n){let r=s.split(`
`).filter(a=>a.startsWith("data:")).map(a=>a.slice(5).trimStart()).join(`
`);if(r!=="")try{t(JSON.parse(r))}catch{t({kind:"state"})}}return i}var fr=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},Au)}};function Hu(e,t){return new Promise(n=>{let i=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(i),n()},{once:!0})})}function hr(e){let[t="",n=""]=Nu(e.replace(/^#/,""));return{path:t.split("/").filter(i=>i!=="").map(mr),query:new URLSearchParams(
n)}}function Nu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function mr(e){try{return decodeURIComponent(
e)}catch{return e}}function B(e,t={}){let n=new URLSearchParams;for(let[s,r]of Object.entries(t))for(let a of Array.isArray(
r)?r:[r])a!==void 0&&a!==""&&n.append(s,String(a));let i=n.toString();return"#/"+e.map(s=>encodeURIComponent(s)).join("/")+
(i?"?"+i:"")}var Cn=e=>B(["run",e]),Ye=(e,t,n={})=>B(["run",e,"step",t],n),ot=(e,t)=>B(["run",e,"episode",t]),$i=(e,t,n,i)=>B(
["run",e,"group",t],{step:n,split:i});function gr(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:mr(
t[1]),rest:"#"+(t[2]?mr(t[2]):"/")};let{path:n,query:i}=hr(e),s=i.get("token");if(s===null)return null;i.delete("token");
let r=i.toString();return{token:s,rest:"#/"+n.map(encodeURIComponent).join("/")+(r?"?"+r:"")}}var co="awhost-theme";function Ou(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function uo(){let e=ns(()=>localStorage,co);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function br(){let e=Ou()?"light":"dark";is(()=>localStorage,co,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function po(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function en(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function wr(e,t){let[n,i]=e instanceof Jt?[e.summary,e.detail]:["The page could not draw this.",e instanceof Error?e.message:
String(e)];return o("section",{class:"trouble",role:"alert"},o("h2",null,n),o("p",null,i),o("button",{onclick:t},"Try ag\
ain"))}async function Pe(e,t,n){t.setAttribute("aria-busy","true");let i=setTimeout(()=>R(t,o("p",{class:"dim"},"Loading\
 \u2026")),200);try{let s=await n();e.signal.aborted||R(t,s)}catch(s){e.signal.aborted||R(t,wr(s,()=>{Pe(e,t,n)}))}finally{
clearTimeout(i),t.removeAttribute("aria-busy")}}function me(e,...t){let n=o("section",{class:"panel"},o("h2",null,e));return Gt(
n,t),n}function Ce(e,t,n=!1,i=""){let s=o("details",{class:"fold "+i},o("summary",null,e)),r=!1,a=()=>{r||!s.open||(r=!0,
Gt(s,[t()]))};return s.addEventListener("toggle",a),n&&(s.open=!0,a()),s}function Ne(e,t,n){let i=r=>[r.right?"right":"",
r.wide?"wide":"",r.half?"half":""].join(" ").trim()||void 0,s=o("tbody",null,t.map(r=>{let a=o("tr",null,e.map(u=>o("td",
{class:i(u)},u.cell(r))));return n&&(a.classList.add("item"),a.dataset.href=n(r)),a}));return o("div",{class:"scroll"},o(
"table",null,o("thead",null,o("tr",null,e.map(r=>o("th",{class:i(r)},r.title)))),s))}function dn(e){return o("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>o("div",null,o("dt",null,t),o("dd",null,n))))}function An(e,t=e){
let n=o("span",null,t),i=o("button",{class:"copy",title:"copy: "+e},n);return i.addEventListener("click",()=>{zu(e).then(
s=>{i.classList.add("done"),R(n,s?"copied":"not copied: select it by hand"),setTimeout(()=>{R(n,t),i.classList.remove("d\
one")},1200)})}),i}async function zu(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var fo="unknown";function k(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return cs(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?cs(e.toExponential(2)):cs(String(Number(e.toPrecision(t))))}function cs(e){return e.replace(/^-/,"\u2212")}function at(e){
return e==null||!Number.isFinite(e)?"\u2013":cs((100*e).toFixed(1))+" %"}function Rt(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function fn(e){
return e==null?"\u2013":e<1?`${k(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Je(e/1e3)}function Je(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return Vu(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,i]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${i} min`:`${i} min ${t%60} s`}function Vu(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function $n(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=i=>String(
i).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function us(e,t){return e?Je(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function Te(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Qe(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var Rn=50,Fu=5e3;async function mo(e){e.title();let t=new Set,n=o("div",null),i=o("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),s=o("button",{disabled:!0,onclick:()=>r()},"Comp\
are");R(e.root,o("div",{class:"bar"},o("h1",null,"Runs"),i,s),n);let r=()=>{let v=a.filter(S=>t.has(S.name)).sort((S,L)=>(S.
started??"").localeCompare(L.started??""));v.length>1&&(location.hash=B(["compare"],{run:v.map(S=>S.name)}))};e.key("c",
"compare the chosen runs",r),e.key("x","choose the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let a=[],u=0,p=()=>R(n,m()),m=()=>{let v=i.value.trim().toLowerCase(),S=a.filter(D=>v===""||Wu(D).includes(v));
u=Math.min(u,Math.max(0,Math.ceil(S.length/Rn)-1));let L=D=>{let W=o("input",{type:"checkbox","aria-label":`compare ${D.
name}`,checked:t.has(D.name)});return W.addEventListener("change",()=>{W.checked?t.add(D.name):t.delete(D.name),s.disabled=
t.size<2,R(s,t.size<2?"Compare":`Compare ${t.size} runs`)}),W},P=D=>{u+=D,p()};return[S.length===0?ju(a.length):Iu(S.slice(
u*Rn,(u+1)*Rn),L),S.length>Rn?o("div",{class:"pager"},o("button",{disabled:u===0,onclick:()=>P(-1)},"\u2190 Newer"),o("s\
pan",null,`${u*Rn+1} to ${Math.min(S.length,(u+1)*Rn)} of ${S.length}`),o("button",{disabled:(u+1)*Rn>=S.length,onclick:()=>P(
1)},"Older \u2192")):null]};i.addEventListener("input",()=>{u=0,p()});let g=async()=>{a=(await ss(e.signal)).runs};await Pe(
e,n,async()=>(await g(),m()));let b=setInterval(()=>{!a.some(v=>v.live)||document.hidden||n.contains(document.activeElement)||
g().then(()=>qu(p),()=>{})},Fu);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function qu(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll("tr.item"))n.dataset.href===
t&&n.classList.add("current")}function Wu(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function ju(e){return e>0?o("p",{class:"empty"},"No run has these words."):me("No runs yet",o("p",
null,"A run that begins in this folder shows up here: "),An("awhost apply"))}function Iu(e,t){let n=e.some(i=>i.machine);
return Ne([{title:"",cell:t},{title:"run",cell:i=>o("a",{class:"short",href:Cn(i.name),title:i.name},i.name)},{title:"st\
atus",cell:i=>[Ri(i),i.reason?o("div",{class:"reason dim",title:i.reason},i.reason):null]},{title:"step",right:!0,cell:Gu},
{title:"reward",right:!0,cell:i=>k(i.reward)},{title:"held-out success",right:!0,cell:Di},{title:"stage",cell:i=>i.stage??
"\u2013"},{title:"adapter",cell:i=>i.adapter??"\u2013"},{title:"spec",wide:!0,cell:i=>i.problem?o("span",{class:"bad"},i.
problem):i.spec},...n?[{title:"where",cell:i=>i.machine??"\u2013"}]:[],{title:"started",cell:i=>$n(i.started)},{title:"t\
ook",right:!0,cell:i=>i.live||i.ended?us(i.started,i.live?void 0:i.ended):"\u2013"},{title:"disk",right:!0,cell:i=>Rt(i.
disk_bytes)}],e,i=>Cn(i.name))}function Ri(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"live":t?"bad":e.
status==="finished"?"good":"warn",i=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;
return o("span",{class:"badge "+n},i)}function Gu(e){if(e.step<0)return"\u2013";let t=e.steps?o("progress",{value:e.step,
max:e.steps,"aria-hidden":"true"}):null;return[o("span",null,k(e.step),e.steps?o("span",{class:"dim"},` of ${k(e.steps)}`):
null),t]}function Di(e){return e.success_after===void 0&&e.success_before===void 0?"\u2013":e.success_after===void 0?[at(
e.success_before),o("span",{class:"dim"}," before")]:[o("span",{class:"dim"},`${at(e.success_before)} \u2192 `),at(e.success_after)]}var Uu="uplot",Bu="u-hz",Ku="u-vt",Yu="u-title",Ju="u-wrap",Qu="u-under",Zu="u-over",Xu="u-axis",Nn="u-off",ep="u-select",
tp="u-cursor-x",np="u-cursor-y",ip="u-cursor-pt",sp="u-legend",rp="u-live",lp="u-inline",op="u-series",ap="u-marker",ho="\
u-label",cp="u-value",Ni="width",Oi="height";var go="bottom",ai="left",vr="right",Nr="#000",bo=Nr+"0",xr="mousemove",wo="mousedown",yr="mouseup",vo="mouseenter",xo="\
mouseleave",yo="dblclick",up="resize",pp="scroll",ko="change",hs="dppxchange",Or="--",hi=typeof window<"u",Tr=hi?document:
null,ui=hi?window:null,dp=hi?navigator:null,ce,ps;function _r(){let e=devicePixelRatio;ce!=e&&(ce=e,ps&&Pr(ko,ps,_r),ps=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),On(ko,ps,_r),ui.dispatchEvent(new CustomEvent(
hs)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Lr(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function ye(e,t,n){e.style[t]=n+"px"}function Dt(e,t,n,i){let s=Tr.createElement(e);return t!=null&&mt(s,
t),n?.insertBefore(s,i),s}function St(e,t){return Dt("div",e,t)}var So=new WeakMap;function Ut(e,t,n,i,s){let r="transla\
te("+t+"px,"+n+"px)",a=So.get(e);r!=a&&(e.style.transform=r,So.set(e,r),t<0||n<0||t>i||n>s?mt(e,Nn):Lr(e,Nn))}var Eo=new WeakMap;
function Mo(e,t,n){let i=t+n,s=Eo.get(e);i!=s&&(Eo.set(e,i),e.style.background=t,e.style.borderColor=n)}var To=new WeakMap;
function _o(e,t,n,i){let s=t+""+n,r=To.get(e);s!=r&&(To.set(e,s),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
i?-t/2+"px":0,e.style.marginTop=i?-n/2+"px":0)}var zr={passive:!0},fp={...zr,capture:!0};function On(e,t,n,i){t.addEventListener(
e,n,i?fp:zr)}function Pr(e,t,n,i){t.removeEventListener(e,n,zr)}hi&&_r();function Ht(e,t,n,i){let s;n=n||0,i=i||t.length-
1;let r=i<=2147483647;for(;i-n>1;)s=r?n+i>>1:ht((n+i)/2),t[s]<e?n=s:i=s;return e-t[n]<=t[i]-e?n:i}function ta(e){return(n,i,s)=>{
let r=-1,a=-1;for(let u=i;u<=s;u++)if(e(n[u])){r=u;break}for(let u=s;u>=i;u--)if(e(n[u])){a=u;break}return[r,a]}}var na=e=>e!=
null,ia=e=>e!=null&&e>0,ws=ta(na),mp=ta(ia);function hp(e,t,n,i=0,s=!1){let r=s?mp:ws,a=s?ia:na;[t,n]=r(e,t,n);let u=e[t],
p=e[t];if(t>-1)if(i==1)u=e[t],p=e[n];else if(i==-1)u=e[n],p=e[t];else for(let m=t;m<=n;m++){let g=e[m];a(g)&&(g<u?u=g:g>
p&&(p=g))}return[u??he,p??-he]}function vs(e,t,n,i){let s=Co(e),r=Co(t);e==t&&(s==-1?(e*=n,t/=n):(e/=n,t*=n));let a=n==10?
tn:sa,u=s==1?ht:Et,p=r==1?Et:ht,m=u(a(ze(e))),g=p(a(ze(t))),b=pi(n,m),v=pi(n,g);return n==10&&(m<0&&(b=ge(b,-m)),g<0&&(v=
ge(v,-g))),i||n==2?(e=b*s,t=v*r):(e=aa(e,b),t=xs(t,v)),[e,t]}function Vr(e,t,n,i){let s=vs(e,t,n,i);return e==0&&(s[0]=0),
t==0&&(s[1]=0),s}var Fr=.1,Lo={mode:3,pad:Fr},Vi={pad:0,soft:null,mode:0},gp={min:Vi,max:Vi};function gs(e,t,n,i){return ys(
n)?Po(e,t,n):(Vi.pad=n,Vi.soft=i?0:null,Vi.mode=i?3:0,Po(e,t,gp))}function oe(e,t){return e??t}function bp(e,t,n){for(t=
oe(t,0),n=oe(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Po(e,t,n){let i=n.min,s=n.max,r=oe(i.pad,
0),a=oe(s.pad,0),u=oe(i.hard,-he),p=oe(s.hard,he),m=oe(i.soft,he),g=oe(s.soft,-he),b=oe(i.mode,0),v=oe(s.mode,0),S=t-e,L=tn(
S),P=it(ze(e),ze(t)),D=tn(P),W=ze(D-L);(S<1e-24||W>10)&&(S=0,(e==0||t==0)&&(S=1e-24,b==2&&m!=he&&(r=0),v==2&&g!=-he&&(a=
0)));let M=S||P||1e3,j=tn(M),T=pi(10,ht(j)),Z=M*(S==0?e==0?.1:1:r),N=ge(aa(e-Z,T/10),24),X=e>=m&&(b==1||b==3&&N<=m||b==2&&
N>=m)?m:he,Y=it(u,N<X&&e>=X?X:Nt(X,N)),ne=M*(S==0?t==0?.1:1:a),K=ge(xs(t+ne,T/10),24),_=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-he,Q=Nt(p,K>_&&t<=_?_:it(_,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var wp=new Intl.NumberFormat(hi?dp.language:"en-US"),
qr=e=>wp.format(e),gt=Math,ms=gt.PI,ze=gt.abs,ht=gt.floor,Oe=gt.round,Et=gt.ceil,Nt=gt.min,it=gt.max,pi=gt.pow,Co=gt.sign,
tn=gt.log10,sa=gt.log2,vp=(e,t=1)=>gt.sinh(e)*t,kr=(e,t=1)=>gt.asinh(e/t),he=1/0;function Ao(e){return(tn((e^e>>31)-(e>>
31))|0)+1}function Cr(e,t,n){return Nt(it(e,t),n)}function ra(e){return typeof e=="function"}function ie(e){return ra(e)?
e:()=>e}var xp=()=>{},la=e=>e,oa=(e,t)=>t,yp=e=>null,$o=e=>!0,Ro=(e,t)=>e==t,kp=/\.\d*?(?=9{6,}|0{6,})/gm,zn=e=>{if(ua(e)||
hn.has(e))return e;let t=`${e}`,n=t.match(kp);if(n==null)return e;let i=n[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.
split("e");return+`${zn(s)}e${r}`}return ge(e,i)};function Dn(e,t){return zn(ge(zn(e/t))*t)}function xs(e,t){return zn(Et(
zn(e/t))*t)}function aa(e,t){return zn(ht(zn(e/t))*t)}function ge(e,t=0){if(ua(e))return e;let n=10**t,i=e*n*(1+Number.EPSILON);
return Oe(i)/n}var hn=new Map;function ca(e){return((""+e).split(".")[1]||"").length}function qi(e,t,n,i){let s=[],r=i.map(
ca);for(let a=t;a<n;a++){let u=ze(a),p=ge(pi(e,a),u);for(let m=0;m<i.length;m++){let g=e==10?+`${i[m]}e${a}`:i[m]*p,b=(a>=
0?0:u)+(a>=r[m]?0:r[m]),v=e==10?g:ge(g,b);s.push(v),hn.set(v,b)}}return s}var Fi={},Wr=[],di=[null,null],mn=Array.isArray,
ua=Number.isInteger,Sp=e=>e===void 0;function Do(e){return typeof e=="string"}function ys(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function Ep(e){return e!=null&&typeof e=="object"}var Mp=Object.getPrototypeOf(
Uint8Array),pa="__proto__";function fi(e,t=ys){let n;if(mn(e)){let i=e.find(s=>s!=null);if(mn(i)||t(i)){n=Array(e.length);
for(let s=0;s<e.length;s++)n[s]=fi(e[s],t)}else n=e.slice()}else if(e instanceof Mp)n=e.slice();else if(t(e)){n={};for(let i in e)
i!=pa&&(n[i]=fi(e[i],t))}else n=e;return n}function $e(e){let t=arguments;for(let n=1;n<t.length;n++){let i=t[n];for(let s in i)
s!=pa&&(ys(e[s])?$e(e[s],fi(i[s])):e[s]=fi(i[s]))}return e}var Tp=0,_p=1,Lp=2;function Pp(e,t,n){for(let i=0,s,r=-1;i<t.
length;i++){let a=t[i];if(a>r){for(s=a-1;s>=0&&e[s]==null;)e[s--]=null;for(s=a+1;s<n&&e[s]==null;)e[r=s++]=null}}}function Cp(e,t){
if(Rp(e)){let a=e[0].slice();for(let u=1;u<e.length;u++)a.push(...e[u].slice(1));return Dp(a[0])||(a=$p(a)),a}let n=new Set;
for(let a=0;a<e.length;a++){let p=e[a][0],m=p.length;for(let g=0;g<m;g++)n.add(p[g])}let i=[Array.from(n).sort((a,u)=>a-
u)],s=i[0].length,r=new Map;for(let a=0;a<s;a++)r.set(i[0][a],a);for(let a=0;a<e.length;a++){let u=e[a],p=u[0];for(let m=1;m<
u.length;m++){let g=u[m],b=Array(s).fill(void 0),v=t?t[a][m]:_p,S=[];for(let L=0;L<g.length;L++){let P=g[L],D=r.get(p[L]);
P===null?v!=Tp&&(b[D]=P,v==Lp&&S.push(D)):b[D]=P}Pp(b,S,s),i.push(b)}}return i}var Ap=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function $p(e){let t=e[0],n=t.length,i=Array(n);for(let r=0;r<i.length;r++)i[r]=r;i.sort(
(r,a)=>t[r]-t[a]);let s=[];for(let r=0;r<e.length;r++){let a=e[r],u=Array(n);for(let p=0;p<n;p++)u[p]=a[i[p]];s.push(u)}
return s}function Rp(e){let t=e[0][0],n=t.length;for(let i=1;i<e.length;i++){let s=e[i][0];if(s.length!=n)return!1;if(s!=
t){for(let r=0;r<n;r++)if(s[r]!=t[r])return!1}}return!0}function Dp(e,t=100){let n=e.length;if(n<=1)return!0;let i=0,s=n-
1;for(;i<=s&&e[i]==null;)i++;for(;s>=i&&e[s]==null;)s--;if(s<=i)return!0;let r=it(1,ht((s-i+1)/t));for(let a=e[i],u=i+r;u<=
s;u+=r){let p=e[u];if(p!=null){if(p<=a)return!1;a=p}}return!0}var da=["January","February","March","April","May","June",
"July","August","September","October","November","December"],fa=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function ma(e){return e.slice(0,3)}var Hp=fa.map(ma),Np=da.map(ma),Op={MMMM:da,MMM:Np,WWWW:fa,WWW:Hp};function Hi(e){
return(e<10?"0":"")+e}function zp(e){return(e<10?"00":e<100?"0":"")+e}var Vp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Hi(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Hi(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Hi(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Hi(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Hi(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>zp(e.getMilliseconds())};function jr(e,t){t=t||Op;let n=[],i=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=i.exec(
e);)n.push(s[0][0]=="{"?Vp[s[1]]:s[0]);return r=>{let a="";for(let u=0;u<n.length;u++)a+=typeof n[u]=="string"?n[u]:n[u](
r,t);return a}}var Fp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function qp(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Fp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var ha=e=>e%1==0,bs=[1,2,2.5,5],Wp=qi(10,-32,0,bs),ga=qi(10,0,32,bs),jp=ga.filter(ha),Hn=Wp.concat(
ga),Ir=`
`,ba="{YYYY}",Ho=Ir+ba,wa="{M}/{D}",zi=Ir+wa,ds=zi+"/{YY}",va="{aa}",Ip="{h}:{mm}",ci=Ip+va,No=Ir+ci,Oo=":{ss}",pe=null;
function xa(e){let t=e*1e3,n=t*60,i=n*60,s=i*24,r=s*30,a=s*365,p=(e==1?qi(10,0,3,bs).filter(ha):qi(10,-3,0,bs)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,i,i*2,i*3,i*4,i*6,i*8,i*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*
3,r*4,r*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),m=[[a,ba,pe,pe,pe,pe,pe,pe,1],[s*28,"{MMM}",Ho,pe,pe,pe,pe,pe,1],[s,wa,Ho,pe,
pe,pe,pe,pe,1],[i,"{h}"+va,ds,pe,zi,pe,pe,pe,1],[n,ci,ds,pe,zi,pe,pe,pe,1],[t,Oo,ds+" "+ci,pe,zi+" "+ci,pe,No,pe,1],[e,Oo+
".{fff}",ds+" "+ci,pe,zi+" "+ci,pe,No,pe,1]];function g(b){return(v,S,L,P,D,W)=>{let M=[],j=D>=a,T=D>=r&&D<a,Z=b(L),N=ge(
Z*e,3),X=Sr(Z.getFullYear(),j?0:Z.getMonth(),T||j?1:Z.getDate()),Y=ge(X*e,3);if(T||j){let ne=T?D/r:0,K=j?D/a:0,_=N==Y?N:
ge(Sr(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(Oe(_/e)),O=Q.getFullYear(),G=Q.getMonth();for(let q=0;_<=P;q++){
let se=Sr(O+K*q,G+ne*q,1),F=se-b(ge(se*e,3));_=ge((+se+F)*e,3),_<=P&&M.push(_)}}else{let ne=D>=s?s:D,K=ht(L)-ht(N),_=Y+K+
xs(N-Y,ne);M.push(_);let Q=b(_),O=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/i,G=D/i,q=v.axes[S]._space,se=W/q;for(;_=
ge(_+D,e==1?0:3),!(_>P);)if(G>1){let F=ht(ge(O+G,6))%24,re=b(_).getHours()-F;re>1&&(re=-1),_-=re*i,O=(O+G)%24;let de=M[M.
length-1];ge((_-de)/D,3)*se>=.7&&M.push(_)}else M.push(_)}return M}}return[p,m,g]}var[Gp,Up,Bp]=xa(1),[Kp,Yp,Jp]=xa(.001);
qi(2,-53,53,[1]);function zo(e,t){return e.map(n=>n.map((i,s)=>s==0||s==8||i==null?i:t(s==1||n[8]==0?i:n[1]+i)))}function Vo(e,t){
return(n,i,s,r,a)=>{let u=t.find(L=>a>=L[0])||t[t.length-1],p,m,g,b,v,S;return i.map(L=>{let P=e(L),D=P.getFullYear(),W=P.
getMonth(),M=P.getDate(),j=P.getHours(),T=P.getMinutes(),Z=P.getSeconds(),N=D!=p&&u[2]||W!=m&&u[3]||M!=g&&u[4]||j!=b&&u[5]||
T!=v&&u[6]||Z!=S&&u[7]||u[1];return p=D,m=W,g=M,b=j,v=T,S=Z,N(P)})}}function Qp(e,t){let n=jr(t);return(i,s,r,a,u)=>s.map(
p=>n(e(p)))}function Sr(e,t,n){return new Date(e,t,n)}function Fo(e,t){return t(e)}var Zp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function qo(e,t){return(n,i,s,r)=>r==null?Or:t(e(i))}function Xp(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function ed(e,t){return e.series[t].fill(e,t)}var td={show:!0,live:!0,isolate:!1,mount:xp,
markers:{show:!0,width:2,stroke:Xp,fill:ed,dash:"solid"},idx:null,idxs:null,values:[]};function nd(e,t){let n=e.cursor.points,
i=St(),s=n.size(e,t);ye(i,Ni,s),ye(i,Oi,s);let r=s/-2;ye(i,"marginLeft",r),ye(i,"marginTop",r);let a=n.width(e,t,s);return a&&
ye(i,"borderWidth",a),i}function id(e,t){let n=e.series[t].points;return n._fill||n._stroke}function sd(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function rd(e,t){return e.series[t].points.size}var Er=[0,0];function ld(e,t,n){return Er[0]=
t,Er[1]=n,Er}function fs(e,t,n,i=!0){return s=>{s.button==0&&(!i||s.target==t)&&n(s)}}function Mr(e,t,n,i=!0){return s=>{
(!i||s.target==t)&&n(s)}}var od={show:!0,x:!0,y:!0,lock:!1,move:ld,points:{one:!1,show:nd,size:rd,width:0,stroke:sd,fill:id},
bind:{mousedown:fs,mouseup:fs,click:fs,dblclick:fs,mousemove:Mr,mouseleave:Mr,mouseenter:Mr},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,i,s)=>i-
s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ya={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Gr=$e({},ya,{filter:oa}),ka=$e({},Gr,{size:10}),Sa=$e({},ya,{show:!1}),Ur='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ea="bold "+Ur,Ma=1.5,Wo={show:!0,scale:"x",stroke:Nr,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ea,side:2,grid:Gr,ticks:ka,border:Sa,font:Ur,lineGap:Ma,rotate:0},ad="\
Value",cd="Time",jo={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function ud(e,t,n,i,s){return t.map(r=>r==
null?"":qr(r))}function pd(e,t,n,i,s,r,a){let u=[],p=hn.get(s)||0;n=a?n:ge(xs(n,s),p);for(let m=n;m<=i;m=ge(m+s,p))u.push(
Object.is(m,-0)?0:m);return u}function Ar(e,t,n,i,s,r,a){let u=[],p=e.scales[e.axes[t].scale].log,m=p==10?tn:sa,g=ht(m(n));
s=pi(p,g),p==10&&(s=Hn[Ht(s,Hn)]);let b=n,v=s*p;p==10&&(v=Hn[Ht(v,Hn)]);do u.push(b),b=b+s,p==10&&!hn.has(b)&&(b=ge(b,hn.
get(s))),b>=v&&(s=b,v=s*p,p==10&&(v=Hn[Ht(v,Hn)]));while(b<=i);return u}function dd(e,t,n,i,s,r,a){let p=e.scales[e.axes[t].
scale].asinh,m=i>p?Ar(e,t,it(p,n),i,s):[p],g=i>=0&&n<=0?[0]:[];return(n<-p?Ar(e,t,it(p,-i),-n,s):[p]).reverse().map(v=>-v).
concat(g,m)}var Ta=/./,fd=/[12357]/,md=/[125]/,Io=/1/,$r=(e,t,n,i)=>e.map((s,r)=>t==4&&s==0||r%i==0&&n.test(s.toExponential()[s<
0?1:0])?s:null);function hd(e,t,n,i,s){let r=e.axes[n],a=r.scale,u=e.scales[a],p=e.valToPos,m=r._space,g=p(10,a),b=p(9,a)-
g>=m?Ta:p(7,a)-g>=m?fd:p(5,a)-g>=m?md:Io;if(b==Io){let v=ze(p(1,a)-g);if(v<m)return $r(t.slice().reverse(),u.distr,b,Et(
m/v)).reverse()}return $r(t,u.distr,b,1)}function gd(e,t,n,i,s){let r=e.axes[n],a=r.scale,u=r._space,p=e.valToPos,m=ze(p(
1,a)-p(2,a));return m<u?$r(t.slice().reverse(),3,Ta,Et(u/m)).reverse():t}function bd(e,t,n,i){return i==null?Or:t==null?
"":qr(t)}var Go={show:!0,scale:"y",stroke:Nr,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ea,side:3,
grid:Gr,ticks:ka,border:Sa,font:Ur,lineGap:Ma,rotate:0};function wd(e,t){let n=3+(e||1)*2;return ge(n*t,3)}function vd(e,t){
let{scale:n,idxs:i}=e.series[0],s=e._data[0],r=e.valToPos(s[i[0]],n,!0),a=e.valToPos(s[i[1]],n,!0),u=ze(a-r),p=e.series[t],
m=u/(p.points.space*ce);return i[1]-i[0]<=m}var Uo={scale:null,auto:!0,sorted:0,min:he,max:-he},_a=(e,t,n,i,s)=>s,Bo={show:!0,
auto:!0,sorted:0,gaps:_a,alpha:1,facets:[$e({},Uo,{scale:"x"}),$e({},Uo,{scale:"y"})]},Ko={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:_a,alpha:1,points:{show:vd,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function xd(e,t,n,i,s){
return n/10}var La={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},yd=$e({},La,{time:!1,ori:1}),Yo={};
function Pa(e,t){let n=Yo[e];return n||(n={key:e,plots:[],sub(i){n.plots.push(i)},unsub(i){n.plots=n.plots.filter(s=>s!=
i)},pub(i,s,r,a,u,p,m){for(let g=0;g<n.plots.length;g++)n.plots[g]!=s&&n.plots[g].pub(i,s,r,a,u,p,m)}},e!=null&&(Yo[e]=n)),
n}var mi=1,Rr=2;function Vn(e,t,n){let i=e.mode,s=e.series[t],r=i==2?e._data[t]:e._data,a=e.scales,u=e.bbox,p=r[0],m=i==
2?r[1]:r[t],g=i==2?a[s.facets[0].scale]:a[e.series[0].scale],b=i==2?a[s.facets[1].scale]:a[s.scale],v=u.left,S=u.top,L=u.
width,P=u.height,D=e.valToPosH,W=e.valToPosV;return g.ori==0?n(s,p,m,g,b,D,W,v,S,L,P,Ss,gi,Ms,Aa,Ra):n(s,p,m,g,b,W,D,S,v,
P,L,Es,bi,Yr,$a,Da)}function Br(e,t){let n=0,i=0,s=oe(e.bands,Wr);for(let r=0;r<s.length;r++){let a=s[r];a.series[0]==t?
n=a.dir:a.series[1]==t&&(a.dir==1?i|=1:i|=2)}return[n,i==1?-1:i==2?1:i==3?2:0]}function kd(e,t,n,i,s){let r=e.mode,a=e.series[t],
u=r==2?a.facets[1].scale:a.scale,p=e.scales[u];return s==-1?p.min:s==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function nn(e,t,n,i,s,r){
return Vn(e,t,(a,u,p,m,g,b,v,S,L,P,D)=>{let W=a.pxRound,M=m.dir*(m.ori==0?1:-1),j=m.ori==0?gi:bi,T,Z;M==1?(T=n,Z=i):(T=i,
Z=n);let N=W(b(u[T],m,P,S)),X=W(v(p[T],g,D,L)),Y=W(b(u[Z],m,P,S)),ne=W(v(r==1?g.max:g.min,g,D,L)),K=new Path2D(s);return j(
K,Y,ne),j(K,N,ne),j(K,N,X),K})}function ks(e,t,n,i,s,r){let a=null;if(e.length>0){a=new Path2D;let u=t==0?Ms:Yr,p=n;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let S=v[0]-p;S>0&&u(a,p,i,S,i+r),p=v[1]}}let m=n+s-p,g=10;m>0&&u(a,p,i-g/2,m,i+r+
g)}return a}function Sd(e,t,n){let i=e[e.length-1];i&&i[0]==t?i[1]=n:e.push([t,n])}function Kr(e,t,n,i,s,r,a){let u=[],p=e.
length;for(let m=s==1?n:i;m>=n&&m<=i;m+=s)if(t[m]===null){let b=m,v=m;if(s==1)for(;++m<=i&&t[m]===null;)v=m;else for(;--m>=
n&&t[m]===null;)v=m;let S=r(e[b]),L=v==b?S:r(e[v]),P=b-s;S=a<=0&&P>=0&&P<p?r(e[P]):S;let W=v+s;L=a>=0&&W>=0&&W<p?r(e[W]):
L,L>=S&&u.push([S,L])}return u}function Jo(e){return e==0?la:e==1?Oe:t=>Dn(t,e)}function Ca(e){let t=e==0?Ss:Es,n=e==0?(s,r,a,u,p,m)=>{
s.arcTo(r,a,u,p,m)}:(s,r,a,u,p,m)=>{s.arcTo(a,r,p,u,m)},i=e==0?(s,r,a,u,p)=>{s.rect(r,a,u,p)}:(s,r,a,u,p)=>{s.rect(a,r,p,
u)};return(s,r,a,u,p,m=0,g=0)=>{m==0&&g==0?i(s,r,a,u,p):(m=Nt(m,u/2,p/2),g=Nt(g,u/2,p/2),t(s,r+m,a),n(s,r+u,a,r+u,a+p,m),
n(s,r+u,a+p,r,a+p,g),n(s,r,a+p,r,a,g),n(s,r,a,r+u,a,m),s.closePath())}}var Ss=(e,t,n)=>{e.moveTo(t,n)},Es=(e,t,n)=>{e.moveTo(
n,t)},gi=(e,t,n)=>{e.lineTo(t,n)},bi=(e,t,n)=>{e.lineTo(n,t)},Ms=Ca(0),Yr=Ca(1),Aa=(e,t,n,i,s,r)=>{e.arc(t,n,i,s,r)},$a=(e,t,n,i,s,r)=>{
e.arc(n,t,i,s,r)},Ra=(e,t,n,i,s,r,a)=>{e.bezierCurveTo(t,n,i,s,r,a)},Da=(e,t,n,i,s,r,a)=>{e.bezierCurveTo(n,t,s,i,a,r)};
function Ha(e){return(t,n,i,s,r)=>Vn(t,n,(a,u,p,m,g,b,v,S,L,P,D)=>{let{pxRound:W,points:M}=a,j,T;m.ori==0?(j=Ss,T=Aa):(j=
Es,T=$a);let Z=ge(M.width*ce,3),N=(M.size-M.width)/2*ce,X=ge(N*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:_,width:Q,height:O}=t.
bbox;Ms(ne,K-X,_-X,Q+X*2,O+X*2);let G=q=>{if(p[q]!=null){let se=W(b(u[q],m,P,S)),F=W(v(p[q],g,D,L));j(Y,se+N,F),T(Y,se,F,
N,0,ms*2)}};if(r)r.forEach(G);else for(let q=i;q<=s;q++)G(q);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:mi|Rr}})}function Na(e){
return(t,n,i,s,r,a)=>{i!=s&&(r!=i&&a!=i&&e(t,n,i),r!=s&&a!=s&&e(t,n,s),e(t,n,a))}}var Ed=Na(gi),Md=Na(bi);function Oa(e){
let t=oe(e?.alignGaps,0);return(n,i,s,r)=>Vn(n,i,(a,u,p,m,g,b,v,S,L,P,D)=>{[s,r]=ws(p,s,r);let W=a.pxRound,M=O=>W(b(O,m,
P,S)),j=O=>W(v(O,g,D,L)),T,Z;m.ori==0?(T=gi,Z=Ed):(T=bi,Z=Md);let N=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:mi},Y=X.stroke,ne=!1;if(r-s>=P*4){let O=z=>n.posToVal(z,m.key,!0),G=null,q=null,se,F,
st,ke=M(u[N==1?s:r]),re=M(u[s]),de=M(u[r]),ee=O(N==1?re+1:de-1);for(let z=N==1?s:r;z>=s&&z<=r;z+=N){let Re=u[z],Se=(N==1?
Re<ee:Re>ee)?ke:M(Re),ue=p[z];Se==ke?ue!=null?(F=ue,G==null?(T(Y,Se,j(F)),se=G=q=F):F<G?G=F:F>q&&(q=F)):ue===null&&(ne=!0):
(G!=null&&Z(Y,ke,j(G),j(q),j(se),j(F)),ue!=null?(F=ue,T(Y,Se,j(F)),G=q=se=F):(G=q=null,ue===null&&(ne=!0)),ke=Se,ee=O(ke+
N))}G!=null&&G!=q&&st!=ke&&Z(Y,ke,j(G),j(q),j(se),j(F))}else for(let O=N==1?s:r;O>=s&&O<=r;O+=N){let G=p[O];G===null?ne=
!0:G!=null&&T(Y,M(u[O]),j(G))}let[_,Q]=Br(n,i);if(a.fill!=null||_!=0){let O=X.fill=new Path2D(Y),G=a.fillTo(n,i,a.min,a.
max,_),q=j(G),se=M(u[s]),F=M(u[r]);N==-1&&([F,se]=[se,F]),T(O,F,q),T(O,se,q)}if(!a.spanGaps){let O=[];ne&&O.push(...Kr(u,
p,s,r,N,M,t)),X.gaps=O=a.gaps(n,i,s,r,O),X.clip=ks(O,m.ori,S,L,P,D)}return Q!=0&&(X.band=Q==2?[nn(n,i,s,r,Y,-1),nn(n,i,s,
r,Y,1)]:nn(n,i,s,r,Y,Q)),X})}function Td(e){let t=oe(e.align,1),n=oe(e.ascDesc,!1),i=oe(e.alignGaps,0),s=oe(e.extend,!1);
return(r,a,u,p)=>Vn(r,a,(m,g,b,v,S,L,P,D,W,M,j)=>{[u,p]=ws(b,u,p);let T=m.pxRound,{left:Z,width:N}=r.bbox,X=re=>T(L(re,v,
M,D)),Y=re=>T(P(re,S,j,W)),ne=v.ori==0?gi:bi,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:mi},_=K.
stroke,Q=v.dir*(v.ori==0?1:-1),O=Y(b[Q==1?u:p]),G=X(g[Q==1?u:p]),q=G,se=G;s&&t==-1&&(se=Z,ne(_,se,O)),ne(_,G,O);for(let re=Q==
1?u:p;re>=u&&re<=p;re+=Q){let de=b[re];if(de==null)continue;let ee=X(g[re]),z=Y(de);t==1?ne(_,ee,O):ne(_,q,z),ne(_,ee,z),
O=z,q=ee}let F=q;s&&t==1&&(F=Z+N,ne(_,F,O));let[st,ke]=Br(r,a);if(m.fill!=null||st!=0){let re=K.fill=new Path2D(_),de=m.
fillTo(r,a,m.min,m.max,st),ee=Y(de);ne(re,F,ee),ne(re,se,ee)}if(!m.spanGaps){let re=[];re.push(...Kr(g,b,u,p,Q,X,i));let de=m.
width*ce/2,ee=n||t==1?de:-de,z=n||t==-1?-de:de;re.forEach(Re=>{Re[0]+=ee,Re[1]+=z}),K.gaps=re=m.gaps(r,a,u,p,re),K.clip=
ks(re,v.ori,D,W,M,j)}return ke!=0&&(K.band=ke==2?[nn(r,a,u,p,_,-1),nn(r,a,u,p,_,1)]:nn(r,a,u,p,_,ke)),K})}function Qo(e,t,n,i,s,r,a=he){
if(e.length>1){let u=null;for(let p=0,m=1/0;p<e.length;p++)if(t[p]!==void 0){if(u!=null){let g=ze(e[p]-e[u]);g<m&&(m=g,a=
ze(n(e[p],i,s,r)-n(e[u],i,s,r)))}u=p}}return a}function _d(e){e=e||Fi;let t=oe(e.size,[.6,he,1]),n=e.align||0,i=e.gap||0,
s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=ie(s),a=1-t[0],u=oe(t[1],he),p=oe(t[2],1),m=oe(e.disp,Fi),g=oe(
e.each,S=>{}),{fill:b,stroke:v}=m;return(S,L,P,D)=>Vn(S,L,(W,M,j,T,Z,N,X,Y,ne,K,_)=>{let Q=W.pxRound,O=n,G=i*ce,q=u*ce,se=p*
ce,F,st;T.ori==0?[F,st]=r(S,L):[st,F]=r(S,L);let ke=T.dir*(T.ori==0?1:-1),re=T.ori==0?Ms:Yr,de=T.ori==0?g:($,be,De,In,xn,zt,yn)=>{
g($,be,De,xn,In,yn,zt)},ee=oe(S.bands,Wr).find($=>$.series[0]==L),z=ee!=null?ee.dir:0,Re=W.fillTo(S,L,W.min,W.max,z),Ze=Q(
X(Re,Z,_,ne)),Se,ue,_t,ct=K,Me=Q(W.width*ce),Ot=!1,Bt=null,bt=null,rn=null,qn=null;b!=null&&(Me==0||v!=null)&&(Ot=!0,Bt=
b.values(S,L,P,D),bt=new Map,new Set(Bt).forEach($=>{$!=null&&bt.set($,new Path2D)}),Me>0&&(rn=v.values(S,L,P,D),qn=new Map,
new Set(rn).forEach($=>{$!=null&&qn.set($,new Path2D)})));let{x0:Wn,size:ki}=m;if(Wn!=null&&ki!=null){O=1,M=Wn.values(S,
L,P,D),Wn.unit==2&&(M=M.map(De=>S.posToVal(Y+De*K,T.key,!0)));let $=ki.values(S,L,P,D);ki.unit==2?ue=$[0]*K:ue=N($[0],T,
K,Y)-N(0,T,K,Y),ct=Qo(M,j,N,T,K,Y,ct),_t=ct-ue+G}else ct=Qo(M,j,N,T,K,Y,ct),_t=ct*a+G,ue=ct-_t;_t<1&&(_t=0),Me>=ue/2&&(Me=
0),_t<5&&(Q=la);let Ui=_t>0,wn=ct-_t-(Ui?Me:0);ue=Q(Cr(wn,se,q)),Se=(O==0?ue/2:O==ke?0:ue)-O*ke*((O==0?G/2:0)+(Ui?Me/2:0));
let Xe={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},jn=Ot?null:new Path2D,Kt=null;if(ee!=null)Kt=S.data[ee.
series[1]];else{let{y0:$,y1:be}=m;$!=null&&be!=null&&(j=be.values(S,L,P,D),Kt=$.values(S,L,P,D))}let vn=F*ue,J=st*ue;for(let $=ke==
1?P:D;$>=P&&$<=D;$+=ke){let be=j[$];if(be==null)continue;if(Kt!=null){let rt=Kt[$]??0;if(be-rt==0)continue;Ze=X(rt,Z,_,ne)}
let De=T.distr!=2||m!=null?M[$]:$,In=N(De,T,K,Y),xn=X(oe(be,Re),Z,_,ne),zt=Q(In-Se),yn=Q(it(xn,Ze)),ut=Q(Nt(xn,Ze)),wt=yn-
ut;if(be!=null){let rt=be<0?J:vn,Lt=be<0?vn:J;Ot?(Me>0&&rn[$]!=null&&re(qn.get(rn[$]),zt,ut+ht(Me/2),ue,it(0,wt-Me),rt,Lt),
Bt[$]!=null&&re(bt.get(Bt[$]),zt,ut+ht(Me/2),ue,it(0,wt-Me),rt,Lt)):re(jn,zt,ut+ht(Me/2),ue,it(0,wt-Me),rt,Lt),de(S,L,$,
zt-Me/2,ut,ue+Me,wt)}}return Me>0?Xe.stroke=Ot?qn:jn:Ot||(Xe._fill=W.width==0?W._fill:W._stroke??W._fill,Xe.width=0),Xe.
fill=Ot?bt:jn,Xe})}function Ld(e,t){let n=oe(t?.alignGaps,0);return(i,s,r,a)=>Vn(i,s,(u,p,m,g,b,v,S,L,P,D,W)=>{[r,a]=ws(
m,r,a);let M=u.pxRound,j=F=>M(v(F,g,D,L)),T=F=>M(S(F,b,W,P)),Z,N,X;g.ori==0?(Z=Ss,X=gi,N=Ra):(Z=Es,X=bi,N=Da);let Y=g.dir*
(g.ori==0?1:-1),ne=j(p[Y==1?r:a]),K=ne,_=[],Q=[];for(let F=Y==1?r:a;F>=r&&F<=a;F+=Y)if(m[F]!=null){let ke=p[F],re=j(ke);
_.push(K=re),Q.push(T(m[F]))}let O={stroke:e(_,Q,Z,X,N,M),fill:null,clip:null,band:null,gaps:null,flags:mi},G=O.stroke,[
q,se]=Br(i,s);if(u.fill!=null||q!=0){let F=O.fill=new Path2D(G),st=u.fillTo(i,s,u.min,u.max,q),ke=T(st);X(F,K,ke),X(F,ne,
ke)}if(!u.spanGaps){let F=[];F.push(...Kr(p,m,r,a,Y,j,n)),O.gaps=F=u.gaps(i,s,r,a,F),O.clip=ks(F,g.ori,L,P,D,W)}return se!=
0&&(O.band=se==2?[nn(i,s,r,a,G,-1),nn(i,s,r,a,G,1)]:nn(i,s,r,a,G,se)),O})}function Pd(e){return Ld(Cd,e)}function Cd(e,t,n,i,s,r){
let a=e.length;if(a<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),a==2)i(u,e[1],t[1]);else{let p=Array(a),m=Array(a-1),
g=Array(a-1),b=Array(a-1);for(let v=0;v<a-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];p[0]=m[0];for(let v=1;v<
a-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?p[v]=0:(p[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(p[v])||(p[v]=0));p[a-1]=m[a-2];for(let v=0;v<a-1;v++)s(u,e[v]+b[v]/3,t[v]+p[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-p[v+
1]*b[v]/3,e[v+1],t[v+1])}return u}var Dr=new Set;function Zo(){for(let e of Dr)e.syncRect(!0)}hi&&(On(up,ui,Zo),On(pp,ui,
Zo,!0),On(hs,ui,()=>{Be.pxRatio=ce}));var Ad=Oa(),$d=Ha();function Xo(e,t,n,i){return(i?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((r,a)=>Hr(r,a,t,n))}function Rd(e,t){return e.map((n,i)=>i==0?{}:$e({},t,n))}function Hr(e,t,n,i){
return $e({},t==0?n:i,e)}function za(e,t,n){return t==null?di:[t,n]}var Dd=za;function Hd(e,t,n){return t==null?di:gs(t,
n,Fr,!0)}function Va(e,t,n,i){return t==null?di:vs(t,n,e.scales[i].log,!1)}var Nd=Va;function Fa(e,t,n,i){return t==null?
di:Vr(t,n,e.scales[i].log,!1)}var Od=Fa;function zd(e,t,n,i,s){let r=it(Ao(e),Ao(t)),a=t-e,u=Ht(s/i*a,n);do{let p=n[u],m=i*
p/a;if(m>=s&&r+(p<5?hn.get(p):0)<=17)return[p,m]}while(++u<n.length);return[0,0]}function ea(e){let t,n;return e=e.replace(
/(\d+)px/,(i,s)=>(t=Oe((n=+s)*ce))+"px"),[e,t,n]}function Vd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=ge(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Be(e,t,n){let i={mode:oe(e.mode,1)},s=i.mode;function r(l,c,d,f){
let h=c.valToPct(l);return f+d*(c.dir==-1?1-h:h)}function a(l,c,d,f){let h=c.valToPct(l);return f+d*(c.dir==-1?h:1-h)}function u(l,c,d,f){
return c.ori==0?r(l,c,d,f):a(l,c,d,f)}i.valToPosH=r,i.valToPosV=a;let p=!1;i.status=0;let m=i.root=St(Uu);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let l=St(Yu,m);l.textContent=e.title}let g=Dt("canvas"),b=i.ctx=g.getContext("2d"),v=St(
Ju,m);On("click",v,l=>{l.target===L&&(we!=ti||Ee!=ni)&&Ue.click(i,l)},!0);let S=i.under=St(Qu,v);v.appendChild(g);let L=i.
over=St(Zu,v);e=fi(e);let P=+oe(e.pxAlign,1),D=Jo(P);(e.plugins||[]).forEach(l=>{l.opts&&(e=l.opts(i,e)||e)});let W=e.ms||
.001,M=i.series=s==1?Xo(e.series||[],jo,Ko,!1):Rd(e.series||[null],Bo),j=i.axes=Xo(e.axes||[],Wo,Go,!0),T=i.scales={},Z=i.
bands=e.bands||[];Z.forEach(l=>{l.fill=ie(l.fill||null),l.dir=oe(l.dir,-1)});let N=s==2?M[1].facets[0].scale:M[0].scale,
X={axes:Yc,series:Ic},Y=(e.drawOrder||["axes","series"]).map(l=>X[l]);function ne(l){let c=l.distr==3?d=>tn(d>0?d:l.clamp(
i,d,l.min,l.max,l.key)):l.distr==4?d=>kr(d,l.asinh):l.distr==100?d=>l.fwd(d):d=>d;return d=>{let f=c(d),{_min:h,_max:w}=l,
x=w-h;return(f-h)/x}}function K(l){let c=T[l];if(c==null){let d=(e.scales||Fi)[l]||Fi;if(d.from!=null){K(d.from);let f=$e(
{},T[d.from],d,{key:l});f.valToPct=ne(f),T[l]=f}else{c=T[l]=$e({},l==N?La:yd,d),c.key=l;let f=c.time,h=c.range,w=mn(h);if((l!=
N||s==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?Lo:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?Lo:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&ys(h))){let x=h;h=(y,E,C)=>E==null?di:gs(E,C,x)}c.range=ie(h||(f?Dd:l==N?c.distr==3?Nd:c.
distr==4?Od:za:c.distr==3?Va:c.distr==4?Fa:Hd)),c.auto=ie(w?!1:c.auto),c.clamp=ie(c.clamp||xd),c._min=c._max=null,c.valToPct=
ne(c)}}}K("x"),K("y"),s==1&&M.forEach(l=>{K(l.scale)}),j.forEach(l=>{K(l.scale)});for(let l in e.scales)K(l);let _=T[N],
Q=_.distr,O,G;_.ori==0?(mt(m,Bu),O=r,G=a):(mt(m,Ku),O=a,G=r);let q={};for(let l in T){let c=T[l];(c.min!=null||c.max!=null)&&
(q[l]={min:c.min,max:c.max},c.min=c.max=null)}let se=e.tzDate||(l=>new Date(Oe(l/W))),F=e.fmtDate||jr,st=W==1?Bp(se):Jp(
se),ke=Vo(se,zo(W==1?Up:Yp,F)),re=qo(se,Fo(Zp,F)),de=[],ee=i.legend=$e({},td,e.legend),z=i.cursor=$e({},od,{drag:{y:s==2}},
e.cursor),Re=ee.show,Ze=z.show,Se=ee.markers;ee.idxs=de,Se.width=ie(Se.width),Se.dash=ie(Se.dash),Se.stroke=ie(Se.stroke),
Se.fill=ie(Se.fill);let ue,_t,ct,Me=[],Ot=[],Bt,bt=!1,rn={};if(ee.live){let l=M[1]?M[1].values:null;bt=l!=null,Bt=bt?l(i,
1,0):{_:0};for(let c in Bt)rn[c]=Or}if(Re)if(ue=Dt("table",sp,m),ct=Dt("tbody",null,ue),ee.mount(i,ue),bt){_t=Dt("thead",
null,ue,ct);let l=Dt("tr",null,_t);Dt("th",null,l);for(var qn in Bt)Dt("th",ho,l).textContent=qn}else mt(ue,lp),ee.live&&
mt(ue,rp);let Wn={show:!0},ki={show:!1};function Ui(l,c){if(c==0&&(bt||!ee.live||s==2))return di;let d=[],f=Dt("tr",op,ct,
ct.childNodes[c]);mt(f,l.class),l.show||mt(f,Nn);let h=Dt("th",null,f);if(Se.show){let y=St(ap,h);if(c>0){let E=Se.width(
i,c);E&&(y.style.border=E+"px "+Se.dash(i,c)+" "+Se.stroke(i,c)),y.style.background=Se.fill(i,c)}}let w=St(ho,h);l.label instanceof
HTMLElement?w.appendChild(l.label):w.textContent=l.label,c>0&&(Se.show||(w.style.color=l.width>0?Se.stroke(i,c):Se.fill(
i,c)),Xe("click",h,y=>{if(z._lock)return;Sn(y);let E=M.indexOf(l);if((y.ctrlKey||y.metaKey)!=ee.isolate){let C=M.some((A,H)=>H>
0&&H!=E&&A.show);M.forEach((A,H)=>{H>0&&Ft(H,C?H==E?Wn:ki:Wn,!0,Ae.setSeries)})}else Ft(E,{show:!l.show},!0,Ae.setSeries)},
!1),Un&&Xe(vo,h,y=>{z._lock||(Sn(y),Ft(M.indexOf(l),si,!0,Ae.setSeries))},!1));for(var x in Bt){let y=Dt("td",cp,f);y.textContent=
"--",d.push(y)}return[f,d]}let wn=new Map;function Xe(l,c,d,f=!0){let h=wn.get(c)||{},w=z.bind[l](i,c,d,f);w&&(On(l,c,h[l]=
w),wn.set(c,h))}function jn(l,c,d){let f=wn.get(c)||{};for(let h in f)(l==null||h==l)&&(Pr(h,c,f[h]),delete f[h]);l==null&&
wn.delete(c)}let Kt=0,vn=0,J=0,$=0,be=0,De=0,In=be,xn=De,zt=J,yn=$,ut=0,wt=0,rt=0,Lt=0;i.bbox={};let Hs=!1,Bi=!1,Gn=!1,kn=!1,
Ki=!1,vt=!1;function Ns(l,c,d){(d||l!=i.width||c!=i.height)&&pl(l,c),Qn(!1),Gn=!0,Bi=!0,Zn()}function pl(l,c){i.width=Kt=
J=l,i.height=vn=$=c,be=De=0,Oc(),zc();let d=i.bbox;ut=d.left=Dn(be*ce,.5),wt=d.top=Dn(De*ce,.5),rt=d.width=Dn(J*ce,.5),Lt=
d.height=Dn($*ce,.5)}let Dc=3;function Hc(){let l=!1,c=0;for(;!l;){c++;let d=Bc(c),f=Kc(c);l=c==Dc||d&&f,l||(pl(i.width,
i.height),Bi=!0)}}function Nc({width:l,height:c}){Ns(l,c)}i.setSize=Nc;function Oc(){let l=!1,c=!1,d=!1,f=!1;j.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:y}=h,E=x%2,C=h.label!=null?h.labelSize:0,A=y+C;A>0&&(E?(J-=A,x==3?(be+=A,f=!0):d=!0):
($-=A,x==0?(De+=A,l=!0):c=!0))}}),En[0]=l,En[1]=d,En[2]=c,En[3]=f,J-=ln[1]+ln[3],be+=ln[3],$-=ln[2]+ln[0],De+=ln[0]}function zc(){
let l=be+J,c=De+$,d=be,f=De;function h(w,x){switch(w){case 1:return l+=x,l-x;case 2:return c+=x,c-x;case 3:return d-=x,d+
x;case 0:return f-=x,f+x}}j.forEach((w,x)=>{if(w.show&&w._show){let y=w.side;w._pos=h(y,w._size),w.label!=null&&(w._lpos=
h(y,w.labelSize))}})}if(z.dataIdx==null){let l=z.hover,c=l.skip=new Set(l.skip??[]);c.add(void 0);let d=l.prox=ie(l.prox),
f=l.bias??=0;z.dataIdx=(h,w,x,y)=>{if(w==0)return x;let E=x,C=d(h,w,x,y)??he,A=C>=0&&C<he,H=_.ori==0?J:$,U=z.left,ae=t[0],
le=t[w];if(c.has(le[x])){E=null;let te=null,I=null,V;if(f==0||f==-1)for(V=x;te==null&&V-- >0;)c.has(le[V])||(te=V);if(f==
0||f==1)for(V=x;I==null&&V++<le.length;)c.has(le[V])||(I=V);if(te!=null||I!=null)if(A){let xe=te==null?-1/0:O(ae[te],_,H,
0),_e=I==null?1/0:O(ae[I],_,H,0),Ie=U-xe,fe=_e-U;Ie<=fe?Ie<=C&&(E=te):fe<=C&&(E=I)}else E=I==null?te:te==null?I:x-te<=I-
x?te:I}else A&&ze(U-O(ae[x],_,H,0))>C&&(E=null);return E}}let Sn=l=>{z.event=l};z.idxs=de,z._lock=!1;let Ke=z.points;Ke.
show=ie(Ke.show),Ke.size=ie(Ke.size),Ke.stroke=ie(Ke.stroke),Ke.width=ie(Ke.width),Ke.fill=ie(Ke.fill);let Vt=i.focus=$e(
{},e.focus||{alpha:.3},z.focus),Un=Vt.prox>=0,Bn=Un&&Ke.one,xt=[],Kn=[],Yn=[];function dl(l,c){let d=Ke.show(i,c);if(d instanceof
HTMLElement)return mt(d,ip),mt(d,l.class),Ut(d,-10,-10,J,$),L.insertBefore(d,xt[c]),d}function fl(l,c){if(s==1||c>0){let d=s==
1&&T[l.scale].time,f=l.value;l.value=d?Do(f)?qo(se,Fo(f,F)):f||re:f||bd,l.label=l.label||(d?cd:ad)}if(Bn||c>0){l.width=l.
width==null?1:l.width,l.paths=l.paths||Ad||yp,l.fillTo=ie(l.fillTo||kd),l.pxAlign=+oe(l.pxAlign,P),l.pxRound=Jo(l.pxAlign),
l.stroke=ie(l.stroke||null),l.fill=ie(l.fill||null),l._stroke=l._fill=l._paths=l._focus=null;let d=wd(it(1,l.width),1),f=l.
points=$e({},{size:d,width:it(1,d*.2),stroke:l.stroke,space:d*2,paths:$d,_stroke:null,_fill:null},l.points);f.show=ie(f.
show),f.filter=ie(f.filter),f.fill=ie(f.fill),f.stroke=ie(f.stroke),f.paths=ie(f.paths),f.pxAlign=l.pxAlign}if(Re){let d=Ui(
l,c);Me.splice(c,0,d[0]),Ot.splice(c,0,d[1]),ee.values.push(null)}if(Ze){de.splice(c,0,null);let d=null;Bn?c==0&&(d=dl(l,
c)):c>0&&(d=dl(l,c)),xt.splice(c,0,d),Kn.splice(c,0,0),Yn.splice(c,0,0)}je("addSeries",c)}function Vc(l,c){c=c??M.length,
l=s==1?Hr(l,c,jo,Ko):Hr(l,c,{},Bo),M.splice(c,0,l),fl(M[c],c)}i.addSeries=Vc;function Fc(l){if(M.splice(l,1),Re){ee.values.
splice(l,1),Ot.splice(l,1);let c=Me.splice(l,1)[0];jn(null,c.firstChild),c.remove()}Ze&&(de.splice(l,1),xt.splice(l,1)[0].
remove(),Kn.splice(l,1),Yn.splice(l,1)),je("delSeries",l)}i.delSeries=Fc;let En=[!1,!1,!1,!1];function qc(l,c){if(l._show=
l.show,l.show){let d=l.side%2,f=T[l.scale];f==null&&(l.scale=d?M[1].scale:N,f=T[l.scale]);let h=f.time;l.size=ie(l.size),
l.space=ie(l.space),l.rotate=ie(l.rotate),mn(l.incrs)&&l.incrs.forEach(x=>{!hn.has(x)&&hn.set(x,ca(x))}),l.incrs=ie(l.incrs||
(f.distr==2?jp:h?W==1?Gp:Kp:Hn)),l.splits=ie(l.splits||(h&&f.distr==1?st:f.distr==3?Ar:f.distr==4?dd:pd)),l.stroke=ie(l.
stroke),l.grid.stroke=ie(l.grid.stroke),l.ticks.stroke=ie(l.ticks.stroke),l.border.stroke=ie(l.border.stroke);let w=l.values;
l.values=mn(w)&&!mn(w[0])?ie(w):h?mn(w)?Vo(se,zo(w,F)):Do(w)?Qp(se,w):w||ke:w||ud,l.filter=ie(l.filter||(f.distr>=3&&f.log==
10?hd:f.distr==3&&f.log==2?gd:oa)),l.font=ea(l.font),l.labelFont=ea(l.labelFont),l._size=l.size(i,null,c,0),l._space=l._rotate=
l._incrs=l._found=l._splits=l._values=null,l._size>0&&(En[c]=!0,l._el=St(Xu,v))}}function Si(l,c,d,f){let[h,w,x,y]=d,E=c%
2,C=0;return E==0&&(y||w)&&(C=c==0&&!h||c==2&&!x?Oe(Wo.size/3):0),E==1&&(h||x)&&(C=c==1&&!w||c==3&&!y?Oe(Go.size/2):0),C}
let ml=i.padding=(e.padding||[Si,Si,Si,Si]).map(l=>ie(oe(l,Si))),ln=i._padding=ml.map((l,c)=>l(i,c,En,0)),Ge,Ve=null,Fe=null,
Yi=s==1?M[0].idxs:null,Pt=null,Ei=!1;function hl(l,c){if(t=l??[],i.data=i._data=t,s==2){Ge=0;for(let d=1;d<M.length;d++)
Ge+=t[d][0].length}else{t.length==0&&(i.data=i._data=t=[[]]),Pt=t[0],Ge=Pt.length;let d=t;if(Q==2){d=t.slice();let f=d[0]=
Array(Ge);for(let h=0;h<Ge;h++)f[h]=h}i._data=t=d}if(Qn(!0),je("setData"),Q==2&&(Gn=!0),c!==!1){let d=_;d.auto(i,Ei)?Os():
an(N,d.min,d.max),kn=kn||z.left>=0,vt=!0,Zn()}}i.setData=hl;function Os(){Ei=!0;let l,c;s==1&&(Ge>0?(Ve=Yi[0]=0,Fe=Yi[1]=
Ge-1,l=t[0][Ve],c=t[0][Fe],Q==2?(l=Ve,c=Fe):l==c&&(Q==3?[l,c]=vs(l,l,_.log,!1):Q==4?[l,c]=Vr(l,l,_.log,!1):_.time?c=l+Oe(
86400/W):[l,c]=gs(l,c,Fr,!0))):(Ve=Yi[0]=l=null,Fe=Yi[1]=c=null)),an(N,l,c)}let Ji,Jn,zs,Vs,Fs,qs,Ws,js,Is,lt;function gl(l,c,d,f,h,w){
l??=bo,d??=Wr,f??="butt",h??=bo,w??="round",l!=Ji&&(b.strokeStyle=Ji=l),h!=Jn&&(b.fillStyle=Jn=h),c!=zs&&(b.lineWidth=zs=
c),w!=Fs&&(b.lineJoin=Fs=w),f!=qs&&(b.lineCap=qs=f),d!=Vs&&b.setLineDash(Vs=d)}function bl(l,c,d,f){c!=Jn&&(b.fillStyle=
Jn=c),l!=Ws&&(b.font=Ws=l),d!=js&&(b.textAlign=js=d),f!=Is&&(b.textBaseline=Is=f)}function Gs(l,c,d,f,h=0){if(f.length>0&&
l.auto(i,Ei)&&(c==null||c.min==null)){let w=oe(Ve,0),x=oe(Fe,f.length-1),y=d.min==null?hp(f,w,x,h,l.distr==3):[d.min,d.max];
l.min=Nt(l.min,d.min=y[0]),l.max=it(l.max,d.max=y[1])}}let wl={min:null,max:null};function Wc(){for(let f in T){let h=T[f];
q[f]==null&&(h.min==null||q[N]!=null&&h.auto(i,Ei))&&(q[f]=wl)}for(let f in T){let h=T[f];q[f]==null&&h.from!=null&&q[h.
from]!=null&&(q[f]=wl)}q[N]!=null&&Qn(!0);let l={};for(let f in q){let h=q[f];if(h!=null){let w=l[f]=fi(T[f],Ep);if(h.min!=
null)$e(w,h);else if(f!=N||s==2)if(Ge==0&&w.from==null){let x=w.range(i,null,null,f);w.min=x[0],w.max=x[1]}else w.min=he,
w.max=-he}}if(Ge>0){M.forEach((f,h)=>{if(s==1){let w=f.scale,x=q[w];if(x==null)return;let y=l[w];if(h==0){let E=y.range(
i,y.min,y.max,w);y.min=E[0],y.max=E[1],Ve=Ht(y.min,t[0]),Fe=Ht(y.max,t[0]),Fe-Ve>1&&(t[0][Ve]<y.min&&Ve++,t[0][Fe]>y.max&&
Fe--),f.min=Pt[Ve],f.max=Pt[Fe]}else f.show&&f.auto&&Gs(y,x,f,t[h],f.sorted);f.idxs[0]=Ve,f.idxs[1]=Fe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,y=w.scale,E=x.scale,[C,A]=t[h],H=l[y],U=l[E];H!=null&&Gs(H,q[y],w,C,w.sorted),U!=null&&Gs(U,q[E],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in l){let h=l[f],w=q[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(i,h.min==he?null:h.min,h.max==-he?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in l){let h=l[f];if(h.from!=null){
let w=l[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(i,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},d=!1;
for(let f in l){let h=l[f],w=T[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?tn(w.
min):x==4?kr(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?tn(w.max):x==4?kr(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=d=!0}}if(d){M.forEach((f,h)=>{s==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)Gn=!0,
je("setScale",f);Ze&&z.left>=0&&(kn=vt=!0)}for(let f in q)q[f]=null}function jc(l){let c=Cr(Ve-1,0,Ge-1),d=Cr(Fe+1,0,Ge-
1);for(;l[c]==null&&c>0;)c--;for(;l[d]==null&&d<Ge-1;)d++;return[c,d]}function Ic(){if(Ge>0){let l=M.some(c=>c._focus)&&
lt!=Vt.alpha;l&&(b.globalAlpha=lt=Vt.alpha),M.forEach((c,d)=>{if(d>0&&c.show&&(vl(d,!1),vl(d,!0),c._paths==null)){let f=lt;
lt!=c.alpha&&(b.globalAlpha=lt=c.alpha);let h=s==2?[0,t[d][0].length-1]:jc(t[d]);c._paths=c.paths(i,d,h[0],h[1]),lt!=f&&
(b.globalAlpha=lt=f)}}),M.forEach((c,d)=>{if(d>0&&c.show){let f=lt;lt!=c.alpha&&(b.globalAlpha=lt=c.alpha),c._paths!=null&&
xl(d,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(i,d,Ve,Fe,h),x=c.points.filter(i,d,w,h);(w||x)&&(c.points.
_paths=c.points.paths(i,d,Ve,Fe,x),xl(d,!0))}lt!=f&&(b.globalAlpha=lt=f),je("drawSeries",d)}}),l&&(b.globalAlpha=lt=1)}}
function vl(l,c){let d=c?M[l].points:M[l];d._stroke=d.stroke(i,l),d._fill=d.fill(i,l)}function xl(l,c){let d=c?M[l].points:
M[l],{stroke:f,fill:h,clip:w,flags:x,_stroke:y=d._stroke,_fill:E=d._fill,_width:C=d.width}=d._paths;C=ge(C*ce,3);let A=null,
H=C%2/2;c&&E==null&&(E=C>0?"#fff":y);let U=d.pxAlign==1&&H>0;if(U&&b.translate(H,H),!c){let ae=ut-C/2,le=wt-C/2,te=rt+C,
I=Lt+C;A=new Path2D,A.rect(ae,le,te,I)}c?Us(y,C,d.dash,d.cap,E,f,h,x,w):Gc(l,y,C,d.dash,d.cap,E,f,h,x,A,w),U&&b.translate(
-H,-H)}function Gc(l,c,d,f,h,w,x,y,E,C,A){let H=!1;E!=0&&Z.forEach((U,ae)=>{if(U.series[0]==l){let le=M[U.series[1]],te=t[U.
series[1]],I=(le._paths||Fi).band;mn(I)&&(I=U.dir==1?I[0]:I[1]);let V,xe=null;le.show&&I&&bp(te,Ve,Fe)?(xe=U.fill(i,ae)||
w,V=le._paths.clip):I=null,Us(c,d,f,h,xe,x,y,E,C,A,V,I),H=!0}}),H||Us(c,d,f,h,w,x,y,E,C,A)}let yl=mi|Rr;function Us(l,c,d,f,h,w,x,y,E,C,A,H){
gl(l,c,d,f,h),(E||C||H)&&(b.save(),E&&b.clip(E),C&&b.clip(C)),H?(y&yl)==yl?(b.clip(H),A&&b.clip(A),Zi(h,x),Qi(l,w,c)):y&
Rr?(Zi(h,x),b.clip(H),Qi(l,w,c)):y&mi&&(b.save(),b.clip(H),A&&b.clip(A),Zi(h,x),b.restore(),Qi(l,w,c)):(Zi(h,x),Qi(l,w,c)),
(E||C||H)&&b.restore()}function Qi(l,c,d){d>0&&(c instanceof Map?c.forEach((f,h)=>{b.strokeStyle=Ji=h,b.stroke(f)}):c!=null&&
l&&b.stroke(c))}function Zi(l,c){c instanceof Map?c.forEach((d,f)=>{b.fillStyle=Jn=f,b.fill(d)}):c!=null&&l&&b.fill(c)}function Uc(l,c,d,f){
let h=j[l],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(i,l,c,d,f),y=h._incrs=h.incrs(i,l,c,d,f,x);w=zd(c,d,y,f,x)}return h.
_found=w}function Bs(l,c,d,f,h,w,x,y,E,C){let A=x%2/2;P==1&&b.translate(A,A),gl(y,x,E,C,y),b.beginPath();let H,U,ae,le,te=h+
(f==0||f==3?-w:w);d==0?(U=h,le=te):(H=h,ae=te);for(let I=0;I<l.length;I++)c[I]!=null&&(d==0?H=ae=l[I]:U=le=l[I],b.moveTo(
H,U),b.lineTo(ae,le));b.stroke(),P==1&&b.translate(-A,-A)}function Bc(l){let c=!0;return j.forEach((d,f)=>{if(!d.show)return;
let h=T[d.scale];if(h.min==null){d._show&&(c=!1,d._show=!1,Qn(!1));return}else d._show||(c=!1,d._show=!0,Qn(!1));let w=d.
side,x=w%2,{min:y,max:E}=h,[C,A]=Uc(f,y,E,x==0?J:$);if(A==0)return;let H=h.distr==2,U=d._splits=d.splits(i,f,y,E,C,A,H),
ae=h.distr==2?U.map(V=>Pt[V]):U,le=h.distr==2?Pt[U[1]]-Pt[U[0]]:C,te=d._values=d.values(i,d.filter(i,ae,f,A,le),f,A,le);
d._rotate=w==2?d.rotate(i,te,f,A):0;let I=d._size;d._size=Et(d.size(i,te,f,l)),I!=null&&d._size!=I&&(c=!1)}),c}function Kc(l){
let c=!0;return ml.forEach((d,f)=>{let h=d(i,f,En,l);h!=ln[f]&&(c=!1),ln[f]=h}),c}function Yc(){for(let l=0;l<j.length;l++){
let c=j[l];if(!c.show||!c._show)continue;let d=c.side,f=d%2,h,w,x=c.stroke(i,l),y=d==0||d==3?-1:1,[E,C]=c._found;if(c.label!=
null){let tt=c.labelGap*y,ft=Oe((c._lpos+tt)*ce);bl(c.labelFont[0],x,"center",d==2?"top":go),b.save(),f==1?(h=w=0,b.translate(
ft,Oe(wt+Lt/2)),b.rotate((d==3?-ms:ms)/2)):(h=Oe(ut+rt/2),w=ft);let _n=ra(c.label)?c.label(i,l,E,C):c.label;b.fillText(_n,
h,w),b.restore()}if(C==0)continue;let A=T[c.scale],H=f==0?rt:Lt,U=f==0?ut:wt,ae=c._splits,le=A.distr==2?ae.map(tt=>Pt[tt]):
ae,te=A.distr==2?Pt[ae[1]]-Pt[ae[0]]:E,I=c.ticks,V=c.border,xe=I.show?I.size:0,_e=Oe(xe*ce),Ie=Oe((c.alignTo==2?c._size-
xe-c.gap:c.gap)*ce),fe=c._rotate*-ms/180,Le=D(c._pos*ce),pt=(_e+Ie)*y,et=Le+pt;w=f==0?et:0,h=f==1?et:0;let yt=c.font[0],
Ct=c.align==1?ai:c.align==2?vr:fe>0?ai:fe<0?vr:f==0?"center":d==3?vr:ai,Wt=fe||f==1?"middle":d==2?"top":go;bl(yt,x,Ct,Wt);
let dt=c.font[1]*c.lineGap,kt=ae.map(tt=>D(u(tt,A,H,U))),At=c._values;for(let tt=0;tt<At.length;tt++){let ft=At[tt];if(ft!=
null){f==0?h=kt[tt]:w=kt[tt],ft=""+ft;let _n=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let nt=0;nt<_n.length;nt++){let Fl=_n[nt];fe?(b.save(),b.translate(h,w+nt*dt),b.rotate(
fe),b.fillText(Fl,0,0),b.restore()):b.fillText(Fl,h,w+nt*dt)}}}I.show&&Bs(kt,I.filter(i,le,l,C,te),f,d,Le,_e,ge(I.width*
ce,3),I.stroke(i,l),I.dash,I.cap);let jt=c.grid;jt.show&&Bs(kt,jt.filter(i,le,l,C,te),f,f==0?2:1,f==0?wt:ut,f==0?Lt:rt,ge(
jt.width*ce,3),jt.stroke(i,l),jt.dash,jt.cap),V.show&&Bs([Le],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Lt:rt,ge(V.width*ce,
3),V.stroke(i,l),V.dash,V.cap)}je("drawAxes")}function Qn(l){M.forEach((c,d)=>{d>0&&(c._paths=null,l&&(s==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let Xi=!1,Ks=!1,Mi=[];function Jc(){Ks=!1;for(let l=0;l<Mi.
length;l++)je(...Mi[l]);Mi.length=0}function Zn(){Xi||(Ap(kl),Xi=!0)}function Qc(l,c=!1){Xi=!0,Ks=c,l(i),kl(),c&&Mi.length>
0&&queueMicrotask(Jc)}i.batch=Qc;function kl(){if(Hs&&(Wc(),Hs=!1),Gn&&(Hc(),Gn=!1),Bi){if(ye(S,ai,be),ye(S,"top",De),ye(
S,Ni,J),ye(S,Oi,$),ye(L,ai,be),ye(L,"top",De),ye(L,Ni,J),ye(L,Oi,$),ye(v,Ni,Kt),ye(v,Oi,vn),g.width=Oe(Kt*ce),g.height=Oe(
vn*ce),j.forEach(({_el:l,_show:c,_size:d,_pos:f,side:h})=>{if(l!=null)if(c){let w=h===3||h===0?d:0,x=h%2==1;ye(l,x?"left":
"top",f-w),ye(l,x?"width":"height",d),ye(l,x?"top":"left",x?De:be),ye(l,x?"height":"width",x?$:J),Lr(l,Nn)}else mt(l,Nn)}),
Ji=Jn=zs=Fs=qs=Ws=js=Is=Vs=null,lt=1,Li(!0),be!=In||De!=xn||J!=zt||$!=yn){Qn(!1);let l=J/zt,c=$/yn;if(Ze&&!kn&&z.left>=0){
z.left*=l,z.top*=c,Xn&&Ut(Xn,Oe(z.left),0,J,$),ei&&Ut(ei,0,Oe(z.top),J,$);for(let d=0;d<xt.length;d++){let f=xt[d];f!=null&&
(Kn[d]*=l,Yn[d]*=c,Ut(f,Et(Kn[d]),Et(Yn[d]),J,$))}}if(ve.show&&!Ki&&ve.left>=0&&ve.width>0){ve.left*=l,ve.width*=l,ve.top*=
c,ve.height*=c;for(let d in er)ye(ii,d,ve[d])}In=be,xn=De,zt=J,yn=$}je("setSize"),Bi=!1}Kt>0&&vn>0&&(b.clearRect(0,0,g.width,
g.height),je("drawClear"),Y.forEach(l=>l()),je("draw")),ve.show&&Ki&&(es(ve),Ki=!1),Ze&&kn&&(Tn(null,!0,!1),kn=!1),ee.show&&
ee.live&&vt&&(Zs(),vt=!1),p||(p=!0,i.status=1,je("ready")),Ei=!1,Xi=!1}i.redraw=(l,c)=>{Gn=c||!1,l!==!1?an(N,_.min,_.max):
Zn()};function Ys(l,c){let d=T[l];if(d.from==null){if(Ge==0){let f=d.range(i,c.min,c.max,l);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Ge>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;l==N&&d.distr==2&&Ge>
0&&(c.min=Ht(c.min,t[0]),c.max=Ht(c.max,t[0]),c.min==c.max&&c.max++),q[l]=c,Hs=!0,Zn()}}i.setScale=Ys;let Js,Qs,Xn,ei,Sl,
El,ti,ni,Ml,Tl,we,Ee,on=!1,Ue=z.drag,qe=Ue.x,We=Ue.y;Ze&&(z.x&&(Js=St(tp,L)),z.y&&(Qs=St(np,L)),_.ori==0?(Xn=Js,ei=Qs):(Xn=
Qs,ei=Js),we=z.left,Ee=z.top);let ve=i.select=$e({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ii=ve.show?St(
ep,ve.over?L:S):null;function es(l,c){if(ve.show){for(let d in l)ve[d]=l[d],d in er&&ye(ii,d,l[d]);c!==!1&&je("setSelect")}}
i.setSelect=es;function Zc(l){if(M[l].show)Re&&Lr(Me[l],Nn);else if(Re&&mt(Me[l],Nn),Ze){let d=Bn?xt[0]:xt[l];d!=null&&Ut(
d,-10,-10,J,$)}}function an(l,c,d){Ys(l,{min:c,max:d})}function Ft(l,c,d,f){c.focus!=null&&iu(l),c.show!=null&&M.forEach(
(h,w)=>{w>0&&(l==w||l==null)&&(h.show=c.show,Zc(w),s==2?(an(h.facets[0].scale,null,null),an(h.facets[1].scale,null,null)):
an(h.scale,null,null),Zn())}),d!==!1&&je("setSeries",l,c),f&&Pi("setSeries",i,l,c)}i.setSeries=Ft;function Xc(l,c){$e(Z[l],
c)}function eu(l,c){l.fill=ie(l.fill||null),l.dir=oe(l.dir,-1),c=c??Z.length,Z.splice(c,0,l)}function tu(l){l==null?Z.length=
0:Z.splice(l,1)}i.addBand=eu,i.setBand=Xc,i.delBand=tu;function nu(l,c){M[l].alpha=c,Ze&&xt[l]!=null&&(xt[l].style.opacity=
c),Re&&Me[l]&&(Me[l].style.opacity=c)}let Yt,cn,Mn,si={focus:!0};function iu(l){if(l!=Mn){let c=l==null,d=Vt.alpha!=1;M.
forEach((f,h)=>{if(s==1||h>0){let w=c||h==0||h==l;f._focus=c?null:w,d&&nu(h,w?1:Vt.alpha)}}),Mn=l,d&&Zn()}}Re&&Un&&Xe(xo,
ue,l=>{z._lock||(Sn(l),Mn!=null&&Ft(null,si,!0,Ae.setSeries))});function qt(l,c,d){let f=T[c];d&&(l=l/ce-(f.ori==1?De:be));
let h=J;f.ori==1&&(h=$,l=h-l),f.dir==-1&&(l=h-l);let w=f._min,x=f._max,y=l/h,E=w+(x-w)*y,C=f.distr;return C==3?pi(10,E):
C==4?vp(E,f.asinh):C==100?f.bwd(E):E}function su(l,c){let d=qt(l,N,c);return Ht(d,t[0],Ve,Fe)}i.valToIdx=l=>Ht(l,t[0]),i.
posToIdx=su,i.posToVal=qt,i.valToPos=(l,c,d)=>T[c].ori==0?r(l,T[c],d?rt:J,d?ut:0):a(l,T[c],d?Lt:$,d?wt:0),i.setCursor=(l,c,d)=>{
we=l.left,Ee=l.top,Tn(null,c,d)};function _l(l,c){ye(ii,ai,ve.left=l),ye(ii,Ni,ve.width=c)}function Ll(l,c){ye(ii,"top",
ve.top=l),ye(ii,Oi,ve.height=c)}let Ti=_.ori==0?_l:Ll,_i=_.ori==1?_l:Ll;function ru(){if(Re&&ee.live)for(let l=s==2?1:0;l<
M.length;l++){if(l==0&&bt)continue;let c=ee.values[l],d=0;for(let f in c)Ot[l][d++].firstChild.nodeValue=c[f]}}function Zs(l,c){
if(l!=null&&(l.idxs?l.idxs.forEach((d,f)=>{de[f]=d}):Sp(l.idx)||de.fill(l.idx),ee.idx=de[0]),Re&&ee.live){for(let d=0;d<
M.length;d++)(d>0||s==1&&!bt)&&lu(d,de[d]);ru()}vt=!1,c!==!1&&je("setLegend")}i.setLegend=Zs;function lu(l,c){let d=M[l],
f=l==0&&Q==2?Pt:t[l],h;bt?h=d.values(i,l,c)??rn:(h=d.value(i,c==null?null:f[c],l,c),h=h==null?rn:{_:h}),ee.values[l]=h}function Tn(l,c,d){
Ml=we,Tl=Ee,[we,Ee]=z.move(i,we,Ee),z.left=we,z.top=Ee,Ze&&(Xn&&Ut(Xn,Oe(we),0,J,$),ei&&Ut(ei,0,Oe(Ee),J,$));let f,h=Ve>
Fe;Yt=he,cn=null;let w=_.ori==0?J:$,x=_.ori==1?J:$;if(we<0||Ge==0||h){f=z.idx=null;for(let y=0;y<M.length;y++){let E=xt[y];
E!=null&&Ut(E,-10,-10,J,$)}Un&&Ft(null,si,!0,l==null&&Ae.setSeries),ee.live&&(de.fill(f),vt=!0)}else{let y,E,C;s==1&&(y=
_.ori==0?we:Ee,E=qt(y,N),f=z.idx=Ht(E,t[0],Ve,Fe),C=O(t[0][f],_,w,0));let A=-10,H=-10,U=0,ae=0,le=!0,te="",I="";for(let V=s==
2?1:0;V<M.length;V++){let xe=M[V],_e=de[V],Ie=_e==null?null:s==1?t[V][_e]:t[V][1][_e],fe=z.dataIdx(i,V,f,E),Le=fe==null?
null:s==1?t[V][fe]:t[V][1][fe];if(vt=vt||Le!=Ie||fe!=_e,de[V]=fe,V>0&&xe.show){let pt=fe==null?-10:fe==f?C:O(s==1?t[0][fe]:
t[V][0][fe],_,w,0),et=Le==null?-10:G(Le,s==1?T[xe.scale]:T[xe.facets[1].scale],x,0);if(Un&&Le!=null){let yt=_.ori==1?we:
Ee,Ct=ze(Vt.dist(i,V,fe,et,yt));if(Ct<Yt){let Wt=Vt.bias;if(Wt!=0){let dt=qt(yt,xe.scale),kt=Le>=0?1:-1,At=dt>=0?1:-1;At==
kt&&(At==1?Wt==1?Le>=dt:Le<=dt:Wt==1?Le<=dt:Le>=dt)&&(Yt=Ct,cn=V)}else Yt=Ct,cn=V}}if(vt||Bn){let yt,Ct;_.ori==0?(yt=pt,
Ct=et):(yt=et,Ct=pt);let Wt,dt,kt,At,jt,tt,ft=!0,_n=Ke.bbox;if(_n!=null){ft=!1;let nt=_n(i,V);kt=nt.left,At=nt.top,Wt=nt.
width,dt=nt.height}else kt=yt,At=Ct,Wt=dt=Ke.size(i,V);if(tt=Ke.fill(i,V),jt=Ke.stroke(i,V),Bn)V==cn&&Yt<=Vt.prox&&(A=kt,
H=At,U=Wt,ae=dt,le=ft,te=tt,I=jt);else{let nt=xt[V];nt!=null&&(Kn[V]=kt,Yn[V]=At,_o(nt,Wt,dt,ft),Mo(nt,tt,jt),Ut(nt,Et(kt),
Et(At),J,$))}}}}if(Bn){let V=Vt.prox,xe=Mn==null?Yt<=V:Yt>V||cn!=Mn;if(vt||xe){let _e=xt[0];_e!=null&&(Kn[0]=A,Yn[0]=H,_o(
_e,U,ae,le),Mo(_e,te,I),Ut(_e,Et(A),Et(H),J,$))}}}if(ve.show&&on)if(l!=null){let[y,E]=Ae.scales,[C,A]=Ae.match,[H,U]=l.cursor.
sync.scales,ae=l.cursor.drag;if(qe=ae._x,We=ae._y,qe||We){let{left:le,top:te,width:I,height:V}=l.select,xe=l.scales[H].ori,
_e=l.posToVal,Ie,fe,Le,pt,et,yt=y!=null&&C(y,H),Ct=E!=null&&A(E,U);yt&&qe?(xe==0?(Ie=le,fe=I):(Ie=te,fe=V),Le=T[y],pt=O(
_e(Ie,H),Le,w,0),et=O(_e(Ie+fe,H),Le,w,0),Ti(Nt(pt,et),ze(et-pt))):Ti(0,w),Ct&&We?(xe==1?(Ie=le,fe=I):(Ie=te,fe=V),Le=T[E],
pt=G(_e(Ie,U),Le,x,0),et=G(_e(Ie+fe,U),Le,x,0),_i(Nt(pt,et),ze(et-pt))):_i(0,x)}else tr()}else{let y=ze(Ml-Sl),E=ze(Tl-El);
if(_.ori==1){let U=y;y=E,E=U}qe=Ue.x&&y>=Ue.dist,We=Ue.y&&E>=Ue.dist;let C=Ue.uni;C!=null?qe&&We&&(qe=y>=C,We=E>=C,!qe&&
!We&&(E>y?We=!0:qe=!0)):Ue.x&&Ue.y&&(qe||We)&&(qe=We=!0);let A,H;qe&&(_.ori==0?(A=ti,H=we):(A=ni,H=Ee),Ti(Nt(A,H),ze(H-A)),
We||_i(0,x)),We&&(_.ori==1?(A=ti,H=we):(A=ni,H=Ee),_i(Nt(A,H),ze(H-A)),qe||Ti(0,w)),!qe&&!We&&(Ti(0,0),_i(0,0))}if(Ue._x=
qe,Ue._y=We,l==null){if(d){if(Vl!=null){let[y,E]=Ae.scales;Ae.values[0]=y!=null?qt(_.ori==0?we:Ee,y):null,Ae.values[1]=E!=
null?qt(_.ori==1?we:Ee,E):null}Pi(xr,i,we,Ee,J,$,f)}if(Un){let y=d&&Ae.setSeries,E=Vt.prox;Mn==null?Yt<=E&&Ft(cn,si,!0,y):
Yt>E?Ft(null,si,!0,y):cn!=Mn&&Ft(cn,si,!0,y)}}vt&&(ee.idx=f,Zs()),c!==!1&&je("setCursor")}let un=null;Object.defineProperty(
i,"rect",{get(){return un==null&&Li(!1),un}});function Li(l=!1){l?un=null:(un=L.getBoundingClientRect(),je("syncRect",un))}
function Pl(l,c,d,f,h,w,x){z._lock||on&&l!=null&&l.movementX==0&&l.movementY==0||(Xs(l,c,d,f,h,w,x,!1,l!=null),l!=null?Tn(
null,!0,!0):Tn(c,!0,!1))}function Xs(l,c,d,f,h,w,x,y,E){if(un==null&&Li(!1),Sn(l),l!=null)d=l.clientX-un.left,f=l.clientY-
un.top;else{if(d<0||f<0){we=-10,Ee=-10;return}let[C,A]=Ae.scales,H=c.cursor.sync,[U,ae]=H.values,[le,te]=H.scales,[I,V]=Ae.
match,xe=c.axes[0].side%2==1,_e=_.ori==0?J:$,Ie=_.ori==1?J:$,fe=xe?w:h,Le=xe?h:w,pt=xe?f:d,et=xe?d:f;if(le!=null?d=I(C,le)?
u(U,T[C],_e,0):-10:d=_e*(pt/fe),te!=null?f=V(A,te)?u(ae,T[A],Ie,0):-10:f=Ie*(et/Le),_.ori==1){let yt=d;d=f,f=yt}}E&&(c==
null||c.cursor.event.type==xr)&&((d<=1||d>=J-1)&&(d=Dn(d,J)),(f<=1||f>=$-1)&&(f=Dn(f,$))),y?(Sl=d,El=f,[ti,ni]=z.move(i,
d,f)):(we=d,Ee=f)}let er={width:0,height:0,left:0,top:0};function tr(){es(er,!1)}let Cl,Al,$l,Rl;function Dl(l,c,d,f,h,w,x){
on=!0,qe=We=Ue._x=Ue._y=!1,Xs(l,c,d,f,h,w,x,!0,!1),l!=null&&(Xe(yr,Tr,Hl,!1),Pi(wo,i,ti,ni,J,$,null));let{left:y,top:E,width:C,
height:A}=ve;Cl=y,Al=E,$l=C,Rl=A}function Hl(l,c,d,f,h,w,x){on=Ue._x=Ue._y=!1,Xs(l,c,d,f,h,w,x,!1,!0);let{left:y,top:E,width:C,
height:A}=ve,H=C>0||A>0,U=Cl!=y||Al!=E||$l!=C||Rl!=A;if(H&&U&&es(ve),Ue.setScale&&H&&U){let ae=y,le=C,te=E,I=A;if(_.ori==
1&&(ae=E,le=A,te=y,I=C),qe&&an(N,qt(ae,N),qt(ae+le,N)),We)for(let V in T){let xe=T[V];V!=N&&xe.from==null&&xe.min!=he&&an(
V,qt(te+I,V),qt(te,V))}tr()}else z.lock&&(z._lock=!z._lock,Tn(c,!0,l!=null));l!=null&&(jn(yr,Tr),Pi(yr,i,we,Ee,J,$,null))}
function ou(l,c,d,f,h,w,x){if(z._lock)return;Sn(l);let y=on;if(on){let E=!0,C=!0,A=10,H,U;_.ori==0?(H=qe,U=We):(H=We,U=qe),
H&&U&&(E=we<=A||we>=J-A,C=Ee<=A||Ee>=$-A),H&&E&&(we=we<ti?0:J),U&&C&&(Ee=Ee<ni?0:$),Tn(null,!0,!0),on=!1}we=-10,Ee=-10,de.
fill(null),Tn(null,!0,!0),y&&(on=y)}function Nl(l,c,d,f,h,w,x){z._lock||(Sn(l),Os(),tr(),l!=null&&Pi(yo,i,we,Ee,J,$,null))}
function Ol(){j.forEach(Vd),Ns(i.width,i.height,!0)}On(hs,ui,Ol);let ri={};ri.mousedown=Dl,ri.mousemove=Pl,ri.mouseup=Hl,
ri.dblclick=Nl,ri.setSeries=(l,c,d,f)=>{let h=Ae.match[2];d=h(i,c,d),d!=-1&&Ft(d,f,!0,!1)},Ze&&(Xe(wo,L,Dl),Xe(xr,L,Pl),
Xe(vo,L,l=>{Sn(l),Li(!1)}),Xe(xo,L,ou),Xe(yo,L,Nl),Dr.add(i),i.syncRect=Li);let ts=i.hooks=e.hooks||{};function je(l,c,d){
Ks?Mi.push([l,c,d]):l in ts&&ts[l].forEach(f=>{f.call(null,i,c,d)})}(e.plugins||[]).forEach(l=>{for(let c in l.hooks)ts[c]=
(ts[c]||[]).concat(l.hooks[c])});let zl=(l,c,d)=>d,Ae=$e({key:null,setSeries:!1,filters:{pub:$o,sub:$o},scales:[N,M[1]?M[1].
scale:null],match:[Ro,Ro,zl],values:[null,null]},z.sync);Ae.match.length==2&&Ae.match.push(zl),z.sync=Ae;let Vl=Ae.key,nr=Pa(
Vl);function Pi(l,c,d,f,h,w,x){Ae.filters.pub(l,c,d,f,h,w,x)&&nr.pub(l,c,d,f,h,w,x)}nr.sub(i);function au(l,c,d,f,h,w,x){
Ae.filters.sub(l,c,d,f,h,w,x)&&ri[l](null,c,d,f,h,w,x)}i.pub=au;function cu(){nr.unsub(i),Dr.delete(i),wn.clear(),Pr(hs,
ui,Ol),m.remove(),ue?.remove(),je("destroy")}i.destroy=cu;function ir(){je("init",e,t),hl(t||e.data,!1),q[N]?Ys(N,q[N]):
Os(),Ki=ve.show&&(ve.width>0||ve.height>0),kn=vt=!0,Ns(e.width,e.height)}return M.forEach(fl),j.forEach(qc),n?n instanceof
HTMLElement?(n.appendChild(m),ir()):n(i,ir):ir(),i}Be.assign=$e;Be.fmtNum=qr;Be.rangeNum=gs;Be.rangeLog=vs;Be.rangeAsinh=
Vr;Be.orient=Vn;Be.pxRatio=ce;Be.join=Cp;Be.fmtDate=jr,Be.tzDate=qp;Be.sync=Pa;{Be.addGap=Sd,Be.clipGaps=ks;let e=Be.paths=
{points:Ha};e.linear=Oa,e.stepped=Td,e.bars=_d,e.spline=Pd}var qa=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"gap of log-probabilities",names:["train/logprob_ga\
p"],unit:"nats, the largest"},{title:"groups of equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Ts(e){
let t=new Set(e);return qa.map(i=>({...i,names:i.names.filter(s=>t.has(s))})).filter(i=>i.names.length>0)}function Wa(e){
let t=new Set(qa.flatMap(i=>i.names)),n=new Map;for(let i of e.filter(s=>!t.has(s)).sort()){let s=Fd(i);n.set(s,[...n.get(
s)??[],i])}return n}function Fd(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}\
/${t[1]}`:t.length>1?t[0]:"other"}function ja(e,t){return t.names.length===1?e:t.names.some(i=>i.startsWith("validation/"))?
e.startsWith("validation/")?"held-out":"training":e.replace(/^[^/]*\//,"").replace(/_seconds$/,"").replaceAll("_"," ")}function Ia(e,t){
let n=e.filter(r=>r[1]!==null).map(r=>r[0]),i=n.at(-1);if(i===void 0||t===void 0)return;let s=Math.max(1,...n.slice(1).map(
(r,a)=>r-n[a]));return t-i>=s?i:void 0}var Ba={stages:[],checkpoints:[],marks:[]},Ga=170,_s=["--s1","--s2","--s3","--s4","--s5","--s6"],wi=class{constructor(t,n,i,s){
this.options=t;this.lines=n;this.ground=i;this.signal=s;R(this.element,o("h3",null,t.title,t.unit?o("span",{class:"dim"},
" "+t.unit):null),this.place,this.legend),this.data=Ua(n),this.values(null);let r=new ResizeObserver(()=>this.fit());r.observe(
this.place),s.addEventListener("abort",()=>{r.disconnect(),this.plot?.destroy()},{once:!0}),po(()=>this.make(),s)}options;lines;ground;signal;element=o(
"figure",{class:"chart"});plot;place=o("div",{class:"plot"});legend=o("figcaption",null);data=[[]];update(t,n){let i=t.length===
this.lines.length&&t.every((s,r)=>s.label===this.lines[r].label);this.lines=t,this.ground=n,this.data=Ua(t),i&&this.plot?
this.plot.setData(this.data):this.make(),this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||
(this.plot?this.plot.setSize({width:t,height:Ga}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.
aborted)return;this.plot?.destroy(),this.place.replaceChildren();let n=this.data[0].length<40,i={stroke:en("--dim"),grid:{
stroke:en("--grid"),width:1},ticks:{stroke:en("--grid"),width:1},font:"11px system-ui, sans-serif"};this.plot=new Be({width:t,
height:Ga,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},
...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1,range:(s,r,a)=>this.reach(s,r,a)},
y:{range:(s,r,a)=>this.range(r,a)}},axes:[{...i,size:26,incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},
{...i,size:52,values:(s,r)=>r.map(a=>this.text(a))}],series:[{},...this.lines.map((s,r)=>({label:s.label,stroke:en(_s[r%
_s.length]),width:1.5,spanGaps:!0,points:{show:n,size:4}}))],hooks:{drawClear:[s=>qd(s,this.ground)],draw:[s=>jd(s,this.
ground)],setCursor:[s=>this.values(s.cursor.idx??null)]}},this.data,this.place),this.plot.over.addEventListener("click",
()=>this.click())}reach(t,n,i){let s=t.data[0],r=n===s[0]&&i===s.at(-1),a=this.ground.last;return r&&a!==void 0&&a>0?[Math.
min(0,n),Math.max(a,i)]:[n,i]}range(t,n){if(this.options.share&&(n??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)
return[0,1];let i=(n-t)*.06||Math.abs(n)*.1||1;return[t>=0&&t-i<0?0:t-i,n+i]}text(t){return this.options.share?at(t).replace(
/\.0 %$/," %"):k(t,3)}click(){let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;let n=this.data[0][t];n!==
void 0&&this.options.open(n)}values(t){let n=this.data[0],i=t!==null&&t<n.length?t:null;R(this.legend,o("span",{class:"d\
im"},i!==null?`step ${k(n[i])}`:"last"),this.lines.map((s,r)=>{let a=[...this.data[r+1]??[]],u=i!==null?a[i]:a.findLast(
m=>m!=null),p=i===null?Ia(s.points,this.ground.last):void 0;return o("span",{class:"key"},o("i",{class:"swatch",vars:{"-\
-swatch":`var(${_s[r%_s.length]})`}}),s.label===this.options.title?null:s.label+" ",o("b",null,this.exactly(u)),p===void 0?
null:o("span",{class:"dim"},` at step ${k(p)}`))}))}exactly(t){return this.options.share?at(t):k(t)}};function qd(e,t){let{
ctx:n,bbox:i}=e;n.save(),n.font=`${11*devicePixelRatio}px system-ui, sans-serif`,t.stages.forEach((s,r)=>{let a=Math.max(
i.left,e.valToPos(s.first_step-.5,"x",!0)),u=s.last_step??1/0,p=Number.isFinite(u)?e.valToPos(u+.5,"x",!0):i.left+i.width,
m=Math.min(i.left+i.width,p);m<=a||(r%2===1&&(n.fillStyle=en("--band"),n.fillRect(a,i.top,m-a,i.height)),t.stages.length>
1&&m-a>40*devicePixelRatio&&(n.fillStyle=en("--dim"),n.beginPath(),n.save(),n.rect(a,0,m-a-6*devicePixelRatio,i.top),n.clip(),
n.fillText(It(s.name.slice(0,40)),a,i.top-4*devicePixelRatio),n.restore()))}),n.restore()}var Wd={kill:"--bad",resume:"-\
-s1",take_up:"--s1",plugin_restart:"--warn"};function jd(e,t){let{ctx:n,bbox:i}=e,s=a=>a>=i.left&&a<=i.left+i.width;n.save();
for(let a of t.marks){let u=Wd[a.kind];if(a.step===void 0||!u)continue;let p=e.valToPos(a.step+.5,"x",!0);s(p)&&(n.strokeStyle=
en(u),n.lineWidth=devicePixelRatio,n.setLineDash([3*devicePixelRatio,3*devicePixelRatio]),n.beginPath(),n.moveTo(p,i.top),
n.lineTo(p,i.top+i.height),n.stroke())}n.setLineDash([]);let r=i.top+i.height;for(let a of t.checkpoints){let u=e.valToPos(
a.step,"x",!0);s(u)&&(n.fillStyle=en(a.best?"--s2":"--dim"),n.beginPath(),n.moveTo(u,r-(a.best?9:6)*devicePixelRatio),n.
lineTo(u-3.5*devicePixelRatio,r),n.lineTo(u+3.5*devicePixelRatio,r),n.fill())}n.restore()}function Ua(e){let t=[...new Set(
e.flatMap(s=>s.points.map(r=>r[0])))].sort((s,r)=>s-r),n=new Map(t.map((s,r)=>[s,r])),i=e.map(s=>{let r=new Array(t.length).
fill(void 0);for(let[a,u]of s.points)r[n.get(a)]=u;return r});return[t,...i]}var Ya=6;async function Ja(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Ya);e.title({text:"compare "+t.join(", ")});
let n=(await ss(e.signal)).runs,i=o("div",null),s=o("div",null);if(R(e.root,o("div",{class:"bar"},o("h1",null,"Compare"),
Id(t,n)),Gd(t,n),i,s),t.length<2){R(i,o("p",{class:"empty"},"Choose a second run."));return}await Promise.all([Pe(e,s,async()=>{
let[r,...a]=t,u=[];for(let p of a)u.push(Kd(await Jl(r,p,e.signal),r,p));return u}),Pe(e,i,()=>Ud(e,t))])}function Id(e,t){
let n=t.filter(s=>!e.includes(s.name)),i=o("select",{"aria-label":"add a run","data-filter":!0},o("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(s=>o("option",{value:s.name},s.name)));return i.disabled=e.length>=Ya||n.length===0,
i.addEventListener("change",()=>{i.value!==""&&(location.hash=B(["compare"],{run:[...e,i.value]}))}),i}function Gd(e,t){
return o("div",{class:"sides"},e.map((n,i)=>{let s=t.find(r=>r.name===n);return o("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${i+1})`}},o("h2",null,o("i",{class:"swatch"}),o("a",{href:Cn(n)},n)," ",s?Ri(s):null,o("a",{class:"qui\
et",title:"leave it out",href:B(["compare"],{run:e.filter(r=>r!==n)})},"\xD7")),s?dn([["step",k(s.step)],["held-out succ\
ess",Di(s)],["adapter",s.adapter],["spec",s.spec]]):o("p",null,"There is no such run in this folder."))}))}async function Ud(e,t){
let n=await Promise.all(t.map(g=>Ln(g,e.signal))),i=n.map(g=>new Set(g.metrics??[])),s=[...new Set(n.flatMap(g=>g.metrics??
[]))],r=s.filter(g=>i.every(b=>b.has(g))),a=s.filter(g=>!i.every(b=>b.has(g))),u=Ts(s).flatMap(g=>g.names),p=g=>{let b=o(
"div",null);return Pe(e,b,async()=>o("div",{class:"grid"},await Bd(e,t,g))),b},m=r.filter(g=>!u.includes(g)).sort().slice(
0,60);return[p(u),m.length>0?Ce(`${Te(m.length,"other metric")} of all of them`,()=>p(m)):null,a.filter(g=>!u.includes(g)).
length>0?Ce("metrics that only some have",()=>p(a.filter(g=>!u.includes(g)).sort().slice(0,60))):null]}async function Bd(e,t,n){
if(n.length===0)return[];let i=await Promise.all(t.map(s=>rs(s,n,void 0,e.signal)));return n.map(s=>new wi({title:s,sync:"\
compare",share:s.endsWith("success_rate")},t.map((r,a)=>({label:r,points:i[a].series[s]??[]})),Ba,e.signal).element)}function Kd(e,t,n){
let i=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],s=new Set(
e.unrecorded??[]),r=i.filter(([a,u])=>(u??[]).length===0&&!s.has(a)).map(([a])=>a);return me(`What differs between ${t} \
and ${n}`,e.same_digest?o("p",null,"Their newest checkpoints are equal to the bit."):null,r.length>0?o("p",null,`The sam\
e in both: ${r.join(", ")}.`):null,s.size>0?o("p",{class:"dim"},`Not compared, because a run of an earlier version has n\
o record of it: ${[...s].join(", ")}.`):null,i.filter(([,a])=>(a??[]).length>0).map(([a,u])=>[o("h3",null,a),Ne([{title:"",
half:!0,cell:p=>o("code",null,p.path)},{title:t,half:!0,cell:p=>Ka(p.a)},{title:n,half:!0,cell:p=>Ka(p.b)}],u.slice(0,300))]))}
function Ka(e){if(e===void 0)return o("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return o(
"span",{class:"value"},t.length>300?t.slice(0,300)+" \u2026":t)}var Yd=8;async function Qa(e,t,n){let i=await Pn(e,{...t,limit:Yd},n).catch(()=>null),s=[];for(let r of i?.episodes??[]){
let a=await oi(e,r.id,n).catch(()=>null);a&&s.push(a)}return Jd(s)}function Jd(e){let t=[Jr(e,i=>i.failure?.detail&&`\u201C${Xa(
i.failure.detail)}\u201D`),Jr(e,i=>Qd(i)),Jr(e,i=>Zd(i))].filter(i=>i!==null);if(t.length===0)return null;let n=t.map(i=>i.
of===e.length?i.words:`${i.words} (${k(i.of)} of them)`);return`Of ${k(e.length)} that were looked at: ${n.join("; ")}.`}
function Jr(e,t){let n=new Map;for(let r of e){let a=t(r);a&&n.set(a,(n.get(a)??0)+1)}let[i,s]=[...n].sort((r,a)=>a[1]-r[1])[0]??
["",0];return 2*s>e.length?{words:i,of:s}:null}function Za(e){return(e.transcripts??[]).flatMap(t=>t.messages)}function Qd(e){
let[t]=Za(e).flatMap(n=>n.malformed??[]);return t&&`\u201C${Xa(t.reason)}\u201D`}function Zd(e){let t=Za(e),n=new Set(t.
map(s=>s.tool_call_id)),i=t.flatMap(s=>s.tool_calls??[]).find(s=>!n.has(s.id));return i&&`the call of ${i.name} has no r\
esult`}function Xa(e){return e.length>160?e.slice(0,160)+"\u2026":e}var Qr=.2,Xd=.7,ef=1;function ec(e,t,n){let i=sf(t,n);return i.length===0?null:me("What stands out",o("ul",{class:"findi\
ngs"},i.map(s=>o("li",{class:"item",data:s.query?{href:B(["run",t.name,"episodes"],s.query)}:void 0},o("b",null,s.words),
" ",s.advice,s.query?[" ",o("a",{href:B(["run",t.name,"episodes"],s.query)},"Show them")]:null,tf(e,t,s)))))}function tf(e,t,n){
if(!n.look)return null;let i=o("div",{class:"dim","aria-live":"polite"});return(n.look==="episodes"?Qa(t.name,n.query??{},
e.signal):os(t.name,e.signal).then(r=>nf(r.settings),()=>null)).then(r=>{r&&!e.signal.aborted&&R(i,r)}),i}function nf(e){
let t=e.filter(i=>i.path.startsWith("environment.")&&(i.path.endsWith(".ground_truth")&&i.value===!0||JSON.stringify(i.value).
includes("task.private")));return t.length===0?null:`The spec gives the private part of tasks to the environment: ${t.slice(
0,5).map(i=>`${i.path} = ${JSON.stringify(i.value)}`).join("; ")}.`}function sf(e,t){let n=vi(t.map(p=>p.episodes));if(n===
0)return[];let i=p=>`${k(p)} of ${k(n)} episodes (${at(p/n)})`,s=[],r=vi(t.map(p=>p.failed));if(r>=Qr*n){let[p]=Object.entries(
e.failures??{}).sort((m,g)=>g[1]-m[1])[0]??[];s.push({words:`${i(r)} failed`,advice:p?`most often as ${p.toLowerCase()}:\
 nothing is learned from them.`:"nothing is learned from them.",query:p?{class:p,split:"train"}:{outcome:"FAILED",split:"\
train"},look:"episodes"})}let a=vi(t.map(p=>p.truncated));a>=Qr*n&&s.push({words:`${i(a)} were cut by a limit`,advice:"o\
f tokens, turns or time: the last message of one shows where.",query:{outcome:"TRUNCATED",split:"train"},look:"episodes"});
let u=vi(t.map(p=>p.malformed));return u>=Qr*n&&s.push({words:`${k(u)} tool calls of ${k(n)} episodes are malformed`,advice:"\
and were not carried out: the conversations mark them, with the reason.",query:{split:"train",malformed_min:"1"},look:"e\
pisodes"}),s.length===0&&s.push(...rf(t)),s.push(...of(t)),s}function rf(e){let t=e.map(s=>s.reward).filter(s=>typeof s==
"number");if(t.length<2)return[];let n=e.map(s=>s.success).filter(s=>typeof s=="number"),i={split:"train"};return n.length>
1&&n.every(s=>s===1)?[{words:"Everything was solved from the first step on.",advice:"Is the answer told to the agent, by\
 a tool or by its prompt?",query:i,look:"spec"}]:t.every(s=>s===t[0])?[{words:`The mean reward is ${k(t[0])} in every st\
ep.`,advice:"Where all samples of a group are worth the same, nothing is learned. Is a right answer among them, or is wh\
at is expected of another kind?",query:{...i,expected:"1"}}]:[]}var lf={model:"messages of the policy",tool:"the environ\
ment",reward:"rewards",siblings:"waiting for the rest of the group",host:"awhost itself"};function of(e){let t=new Map;for(let a of e)
for(let[u,p]of Object.entries(a.parts??{}))u!=="queue"&&t.set(u,(t.get(u)??0)+p);let n=vi([...t.values()]),[i,s]=[...t].
sort((a,u)=>u[1]-a[1])[0]??["",0],r=s/Math.max(1,vi(e.map(a=>a.episodes)));return n===0||s<Xd*n||i==="model"||r<ef?[]:[{
words:`${at(s/n)} of the episodes' time went into ${lf[i]??i}`,advice:`(${Je(r)} an episode).`,query:{split:"train",sort:"\
-seconds"}}]}function vi(e){return e.reduce((t,n)=>t+(n??0),0)}var tc=25;async function sc(e,t){e.title({text:t});let n=await Ln(t,e.signal),i=o("div",null),s=o("div",null),r=new Zr(e,
n),a=new Xr(e,n),u=o("div",null),p=o("div",null),m=o("div",null),g=S=>{R(i,uf(S)),R(m,pf(S)),R(u,gf(S),bf(S),xf(S),yf(S)),
document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",S.status)};g(n);let b=n.played?o("p",{class:"\
dim"},af):[r.element,a.element];if(R(e.root,i,p,m,s,b,u,df(e,t)),e.key("e","all episodes",()=>{location.hash=B(["run",t,
"episodes"])}),e.key("v","validations",()=>{location.hash=B(["run",t,"validations"])}),e.key("s","the newest step",()=>{
location.hash=Ye(t,Math.max(0,n.step))}),n.played||(r.load(),a.load(),nc(e,n,p)),!n.live)return;ic(e,t,s),e.onLive(t,S=>{
v(S)});let v=async S=>{let L=new Set(S.map(D=>D.kind)),P=await Ln(t,e.signal).catch(()=>null);!P||e.signal.aborted||(Object.
assign(n,P),g(P),!n.played&&(L.has("step")||L.has("state"))&&(r.refresh(P,L.has("state")),a.refresh(P),nc(e,P,p)),ic(e,t,
s))}}var af="These are tasks that awhost debug plays. Nothing is trained: there are no curves, steps or checkpoints.",cf=50;
async function nc(e,t,n){let i=await Ci(t.name,Math.max(0,t.step-cf+1),Math.max(0,t.step),e.signal).catch(()=>null);i&&!e.
signal.aborted&&R(n,ec(e,t,i.steps))}function uf(e){let t=[e.step>=0?`${k(e.step)}${e.steps?` of ${k(e.steps)}`:""}`:"no\
ne yet"];return[o("div",{class:"bar"},o("h1",null,e.name),Ri(e),o("span",{class:"grow"}),o("a",{class:"button",href:B(["\
run",e.name,"episodes"])},"Episodes"),o("a",{class:"button",href:B(["run",e.name,"validations"])},"Validations"),o("a",{
class:"button",href:B(["compare"],{run:[e.name]})},"Compare")),dn([["step",e.played?null:t],["stage",e.stage],["held-out\
 success",e.played?null:Di(e)],["episodes",e.episodes===void 0?null:k(e.episodes)],["adapter",e.adapter],["train",e.train],
["dataset",e.played?.dataset],["policy",e.played?.policy],["spec",e.spec],["where",e.machine],["started",$n(e.started)],
["took",e.live||e.ended?us(e.started,e.live?void 0:e.ended):null],["disk",Rt(e.disk_bytes)],["digest",e.digest?o("code",
null,e.digest.slice(0,19)):null]]),ff(e)]}function pf(e){return[e.problem||e.reason?o("p",{class:"warning"},e.problem??e.
reason):null,(e.warnings??[]).map(t=>o("p",{class:"warning",role:"status"},t))]}function df(e,t){return Ce(o("b",null,"S\
pec"),()=>{let n=o("div",null);return Pe(e,n,async()=>{let i=(await os(t,e.signal)).settings.map(u=>[u.path,JSON.stringify(
u.value)]),s=o("div",null),r=o("input",{type:"search",placeholder:"setting or value","aria-label":"filter settings"}),a=()=>{
let u=r.value.trim().toLowerCase(),p=i.filter(([m,g])=>`${m} = ${g}`.toLowerCase().includes(u));R(s,Ne([{title:"setting",
cell:([m])=>o("code",null,m)},{title:"value, defaults included",wide:!0,cell:([,m])=>He(m,400)}],p.slice(0,500)),p.length>
500?o("p",{class:"dim"},`and ${Te(p.length-500,"other")}: narrow it down`):null)};return r.addEventListener("input",a),a(),
[r,s]}),n})}function ff(e){let t=Object.entries(e.failures??{}).filter(([,n])=>n>0).sort((n,i)=>i[1]-n[1]);return t.length===
0?null:o("p",{class:"chips"},o("span",{class:"dim"},"Failed: "),t.map(([n,i])=>o("a",{class:"chip bad",href:B(["run",e.name,
"episodes"],{class:n})},`${n.toLowerCase()} `,o("b",null,k(i)))))}var Zr=class{constructor(t,n){this.view=t;this.run=n}view;run;element=o(
"section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";async load(){this.drawn=(this.run.metrics??
[]).join(`
`);let t=Ts(this.run.metrics??[]),n=o("div",{class:"grid"});await Pe(this.view,this.element,async()=>(await this.fetch(t.
flatMap(i=>i.names)),R(n,t.map(i=>this.chart(i))),t.length===0?o("p",{class:"empty"},"No step has ended yet: there is no\
 curve to draw."):[n,[...Wa(this.run.metrics??[])].map(([i,s])=>this.part(i,s))]))}part(t,n){let i=[o("b",null,t),o("spa\
n",{class:"dim"},` ${Te(n.length,"metric")}`)];return Ce(i,()=>{let s=o("div",null),r=24,a=u=>Pe(this.view,s,async()=>{let p=n.
slice(u,u+r);return await this.fetch(p),[o("div",{class:"grid"},p.map(m=>this.chart({title:m,names:[m]}))),n.length>r?o(
"div",{class:"pager"},o("button",{disabled:u===0,onclick:()=>{a(u-r)}},"\u2190"),o("span",null,`${u+1} to ${u+p.length} \
of ${n.length}`),o("button",{disabled:u+r>=n.length,onclick:()=>{a(u+r)}},"\u2192")):null]});return a(0),s})}chart(t){let n=new wi(
{title:t.title,unit:t.unit,share:t.share,sync:"run",open:i=>{location.hash=Ye(this.run.name,i)}},this.lines(t),this.ground(),
this.view.signal);return this.charts.push({of:t,chart:n}),n.element}lines(t){return t.names.map(n=>({label:ja(n,t),points:this.
points.get(n)??[]}))}ground(){return{stages:this.run.stages??[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??
[],last:this.run.step}}async fetch(t,n){if(t.length===0)return;let{series:i}=await rs(this.run.name,t,n,this.view.signal);
for(let[s,r]of Object.entries(i)){let a=n===void 0?[]:(this.points.get(s)??[]).filter(u=>u[0]<=n);this.points.set(s,[...a,
...r])}}async refresh(t,n){if(this.run=t,this.drawn===""||this.charts.length===0&&(t.metrics??[]).length>0)return this.load();
let i=[...new Set(this.charts.flatMap(r=>r.of.names))],s=Math.max(-1,...i.flatMap(r=>(this.points.get(r)??[]).slice(-1).
map(a=>a[0])));try{await this.fetch(i,n||s<1?void 0:s-1)}catch{return}for(let{of:r,chart:a}of this.charts)a.update(this.
lines(r),this.ground())}},Xr=class{constructor(t,n){this.view=t;this.run=n;this.element.append(this.place)}view;run;element=me(
"Steps");place=o("div",null);top;load(){return Pe(this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.
top===void 0&&!this.place.contains(document.activeElement)){let n=await this.draw().catch(()=>null);n&&!this.view.signal.
aborted&&R(this.place,n)}}async draw(){let t=this.top??this.run.step,n=Math.max(0,t-tc+1),{steps:i}=await Ci(this.run.name,
n,Math.max(0,t),this.view.signal);if(i.length===0)return o("p",{class:"empty"},"No step has ended yet.");let s=r=>{let a=t+
r*tc;this.top=a>=this.run.step?void 0:a,this.load()};return[mf(this.run.name,[...i].sort((r,a)=>a.step-r.step)),n>0||this.
top!==void 0?o("div",{class:"pager"},o("button",{disabled:this.top===void 0,onclick:()=>s(1)},"\u2190 Newer"),o("span",null,
`steps ${n} to ${t}`),o("button",{disabled:n===0,onclick:()=>s(-1)},"Older \u2192")):null]}};function mf(e,t){let n=[...new Set(
t.flatMap(i=>Object.keys(i.seconds??{})))];return Ne([{title:"step",right:!0,cell:i=>o("a",{href:Ye(e,i.step)},k(i.step))},
{title:"stage",cell:i=>i.stage??"\u2013"},{title:"episodes",right:!0,cell:i=>k(i.episodes)},{title:"reward",right:!0,cell:i=>k(
i.reward)},{title:"success",right:!0,cell:i=>at(i.success)},{title:"failed",right:!0,cell:i=>el(i.failed)},{title:"trunc\
ated",right:!0,cell:i=>el(i.truncated)},...n.map(i=>({title:i.replaceAll("_"," "),right:!0,cell:s=>Je(s.seconds?.[i])})),
{title:"",wide:!0,cell:()=>""}],t,i=>Ye(e,i.step))}function el(e){return e?o("span",{class:"bad"},k(e)):k(e)}var hf={start:"\
started",resume:"resumed",kill:"killed",end:"ended",take_up:"trainer taken up",stage:"stage",plugin_restart:"plugin rest\
arted"};function gf(e){let t=[...e.marks??[]].sort((s,r)=>r.time.localeCompare(s.time));if(t.length===0)return null;let n=s=>Ne(
[{title:"time",cell:r=>$n(r.time)},{title:"step",right:!0,cell:r=>k(r.step)},{title:"what",cell:r=>o("span",{class:"badg\
e "+(r.kind==="kill"?"bad":"")},hf[r.kind]??r.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:r=>r.text}],s),i=10;return me(
"What happened",n(t.slice(0,i)),t.length>i?Ce(`${Te(Math.min(t.length,500)-i,"earlier entry").replace("entrys","entries")}`,
()=>n(t.slice(i,500))):null)}function bf(e){return(e.plugins??[]).length===0?null:me("Plugins",Ne([{title:"address",cell:t=>o(
"code",null,t.address)},{title:"plugin",cell:t=>`${t.name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(
t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>el(t.restarts)},{title:"CPU",right:!0,cell:wf},{title:"memory",right:!0,
cell:t=>Rt(t.rss_bytes)},...e.plugins.some(t=>t.gpus)?[{title:"GPU memory",right:!0,cell:t=>vf(t)}]:[],{title:"last word\
s",wide:!0,cell:t=>t.last_words?o("div",{class:"words"},He(t.last_words,400)):""}],e.plugins),e.played?null:o("p",{class:"\
dim"},"All that a plugin wrote: ",An(`awhost logs ${e.name}`)))}function wf(e){return e.cpu_percent===void 0?Je(e.cpu_seconds):
[Je(e.cpu_seconds),o("span",{class:"dim"},` ${Math.round(e.cpu_percent)} %`)]}function vf(e){return(e.gpus??[]).map(t=>o(
"div",null,o("span",{class:"dim"},`${t.index}: `),Rt(t.bytes)))}function xf(e){return(e.gpus??[]).length===0?null:me("GP\
Us of the machine",Ne([{title:"",right:!0,cell:t=>String(t.index)},{title:"name",cell:t=>t.name??"\u2013"},{title:"memor\
y",cell:t=>[`${Rt(t.used_bytes)} of ${Rt(t.total_bytes)}`,t.total_bytes?o("progress",{value:t.used_bytes??0,max:t.total_bytes,
"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],e.gpus))}function yf(e){let t=[...e.checkpoints??[]].sort(
(n,i)=>i.step-n.step).slice(0,200);return t.length===0?null:me("Checkpoints",Ne([{title:"step",right:!0,cell:n=>o("a",{href:Ye(
e.name,n.step)},k(n.step))},{title:"",cell:n=>n.best?o("span",{class:"badge good"},"best"):""},{title:"path",wide:!0,cell:n=>n.
path?An(n.path):""}],t))}async function ic(e,t,n){let i=await Kl(t,e.signal).catch(()=>null);if(!i||!i.live||e.signal.aborted)
return R(n);if(i.waits.length===0)return R(n);let s=i.waits[0];R(n,Ce([o("b",null,"What waits for what: "),kf(s),i.waits.
length>1?`, and ${i.waits.length-1} more`:""],()=>Ne([{title:"who",cell:r=>r.episodes?Te(r.episodes,"episode"):"the "+r.
who},{title:"waits for",cell:r=>[r.for," ",r.address??"",r.call?`, ${r.call}`:""]},{title:"since",right:!0,cell:r=>Je(r.
seconds)},{title:"longest",cell:r=>r.episode?o("a",{href:ot(t,r.episode)},r.episode):""},{title:"",wide:!0,cell:r=>r.detail??
""}],i.waits),n.querySelector("details")?.open??!1))}function kf(e){return`${e.episodes?`${Te(e.episodes,"episode")} wai\
t`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${Je(e.seconds)}`}var sn=e=>({text:e,href:Cn(e)});function Mt(e){let t=e.filter(s=>typeof s=="number"&&Number.isFinite(s)),n=Math.min(0,...t),i=Math.max(1,...t);if(n<0){let s=Math.
max(-n,Math.max(0,...t));return{low:-s,high:s}}return{low:0,high:i}}function Ls(e){return{low:-e,high:e}}function Tt(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let i=n.high-
n.low,s=i===0?.5:Math.min(1,Math.max(0,(t-n.low)/i));return e.classList.add(s<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(s-.5)*200)}%`),e}function gn(e,t,n,i=!1){let s=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",r=o("a",
{class:"cell"+(i?" here":""),href:ot(e,t.id),title:Sf(t),"aria-current":i?"true":void 0},s?Qe(t.outcome):t.reward===null||
t.reward===void 0?"none":k(t.reward,3),t.success===!0?o("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?o("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?o("span",{class:"cut","aria-label":"\
with malformed calls"},"\u2260"):null);return Tt(r,t.outcome==="FAILED"?null:t.reward,n)}function Sf(e){let t=e.success===
!0?", solved":e.success===!1?", not solved":"",n=e.class?` (${Qe(e.class)})`:"",i=e.malformed?`, ${Te(e.malformed,"malfo\
rmed call")}`:"";return`${e.id}: ${Qe(e.outcome)}${n}, reward ${k(e.reward)}${t}${i}`}function Fn(e){let t=e.outcome==="\
SCORED"&&!e.malformed,n=e.outcome==="FAILED"?"bad":t?"good":"warn";return o("span",{class:"badge "+n},e.outcome?Qe(e.outcome):
"given up",e.class?`: ${Qe(e.class)}`:"",e.malformed?`, ${Te(e.malformed,"malformed call")}`:"")}function rc(e,t){return Tt(
o("span",{class:"cell small"},k(e.reward,3)),e.reward,t)}var ac=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],Ef=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function cc(e){let t={};for(let n of ac){
let i=e.get(n);i&&(t[n]=i)}return t}function Cs(e){return ac.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function uc(e,t,n){
let i=p=>t.get(p)??"",s=(p,m={})=>[...new Set([...Object.keys(m),i(p)])].filter(g=>g!=="").map(g=>[g,`${Qe(g)} (${k(m[g]??
0)})`]),r=["member","task","group","turns_min","turns_max","malformed_min"].some(p=>i(p)!==""),a=o("form",{class:"filter",
role:"search"},Ps("q","text",i("q"),{"data-filter":!0,placeholder:"words in the conversation",type:"search"}),tl("outcom\
e",i("outcome"),[["","any outcome"],...s("outcome",n.outcomes)]),tl("class",i("class"),[["","any failure"],...s("class",
n.failures)]),tl("sort",i("sort"),Ef),oc("reward",i),o("details",{class:"more",open:r},o("summary",null,"more"),o("div",
{class:"filter"},oc("turns",i),Mf("malformed","malformed calls",i),Ps("task","task",i("task")),Ps("group","group",i("gro\
up")),Ps("member","member",i("member")))),o("button",null,"Filter"),Cs(t)?o("a",{class:"button quiet",href:B(e,lc(t))},"\
Clear"):null),u=()=>{let p=lc(t);for(let[m,g]of new FormData(a))typeof g=="string"&&g.trim()!==""&&(p[m]=g.trim());location.
hash=B(e,p)};return a.addEventListener("submit",p=>{p.preventDefault(),u()}),a.addEventListener("change",p=>{p.target instanceof
HTMLSelectElement&&u()}),a}function lc(e){let t={};for(let n of["split","layout","expected"]){let i=e.get(n);i&&(t[n]=i)}
return t}function Ps(e,t,n,i={}){return o("label",null,o("span",null,t),o("input",{name:e,value:n,type:"text",autocomplete:"\
off",...i}))}function Mf(e,t,n){let i={name:`${e}_min`,value:n(`${e}_min`),type:"number",min:0,placeholder:"from"};return o(
"label",{class:"range"},o("span",null,t),o("input",i))}function oc(e,t){let n=(i,s)=>o("input",{name:`${e}_${i}`,value:t(
`${e}_${i}`),type:"number",step:"any",placeholder:s,"aria-label":`${e} ${s}`});return o("label",{class:"range"},o("span",
null,e),n("min","from"),n("max","to"))}function tl(e,t,n){let i=o("select",{name:e,"aria-label":e},n.map(([s,r])=>o("opt\
ion",{value:s},r)));return i.value=t,i}function Wi(e,t){let n=new Map;for(let i of e){let s=t(i),r=n.get(s);r?r.push(i):n.set(s,[i])}return n}var Tf=100;async function il(e,t,n){let i=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(sn(t),{text:n===void 0?
"episodes":`step ${n}`});let s=await Ln(t,e.signal),r=new nl(e,s,n,i);R(e.root,_f(e,s,n,i),n===void 0?null:Lf(e,t,n),Qt===
void 0?uc(i,e.query,s):null,n===void 0||Cs(e.query)?null:Cf(e,t,n),r.element),await r.load(),s.live&&e.onLive(t,a=>r.hear(
a.some(u=>n===void 0||u.step===n)))}function _f(e,t,n,i){let s=e.query.get("split")??"",r=Object.fromEntries([...e.query].
filter(([m])=>m!=="cursor")),a=(m,g)=>o("a",{class:"tab"+(s===m?" here":""),"aria-current":s===m?"true":void 0,href:B(i,
{...r,split:m})},g),u=e.query.get("layout")??"",p=m=>{location.hash=Ye(t.name,Math.max(0,(n??0)+m),{split:s})};return n!==
void 0&&(e.key("ArrowLeft","step before",()=>p(-1)),e.key("ArrowRight","next step",()=>p(1))),o("div",{class:"bar"},o("h\
1",null,n===void 0?"Episodes":`Step ${k(n)}`),n===void 0?null:o("span",{class:"turn"},o("button",{disabled:n===0,title:"\
step before (\u2190)","aria-label":"step before",onclick:()=>p(-1)},"\u2190"),o("button",{title:"next step (\u2192)","ar\
ia-label":"next step",onclick:()=>p(1)},"\u2192")),t.played?null:o("span",{class:"tabs"},a("","All"),a("train","Training"),
a("validation","Held-out")),n===void 0?null:o("span",{class:"tabs"},o("a",{class:"tab"+(u===""?" here":""),href:B(i,{...r,
layout:""})},"Groups"),o("a",{class:"tab"+(u==="list"?" here":""),href:B(i,{...r,layout:"list"})},"List")))}function Lf(e,t,n){
let i=o("div",null);return Pe(e,i,async()=>{let s=(await Ci(t,n,n,e.signal)).steps.find(r=>r.step===n);return s?dn([["st\
age",s.stage],["episodes",k(s.episodes)],["reward",k(s.reward)],["success",at(s.success)],["failed",k(s.failed)],["trunc\
ated",k(s.truncated)],...Pf(s)]):o("p",{class:"dim"},"The step has not ended, or is not of this run.")}),i}function Pf(e){
return Object.entries(e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),Je(n)])}function Cf(e,t,n){let i=o("div",null),
s=e.query.get("split")??void 0,r=u=>Pn(t,{step:n,split:s,sort:u,limit:3},e.signal);Pe(e,i,async()=>{let[u,p]=await Promise.
all([r("-reward"),r("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(u).length===0||m(u)[0].reward===
m(p)[0].reward)return null;let g=Mt([...m(u),...m(p)].map(b=>b.reward));return o("div",{class:"extremes"},a("Best",m(u),
g),a("Worst",m(p),g))});let a=(u,p,m)=>me(u,p.map(g=>o("p",{class:"answer"},gn(t,g,m)," ",o("a",{href:ot(t,g.id),class:"\
quiet"},xi(g.answer)||"no answer"))));return i}var nl=class{constructor(t,n,i,s){this.view=t;this.run=n;this.step=i;this.
path=s;this.element.append(this.news,this.place)}view;run;step;path;element=o("div",null);place=o("div",null);news=o("di\
v",null);load(){return R(this.news),Pe(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?R(this.news,
o("p",{class:"news"},o("button",{onclick:()=>{this.load()}},"There is more: show it"))):this.load()}async draw(){let t=this.
view.query.get("cursor")??void 0,n=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sor\
t"),i=n?{sort:"group"}:{},s=await Pn(this.run.name,{...cc(this.view.query),...i,step:this.step,limit:Tf,cursor:t},this.view.
signal);if(s.episodes.length===0)return o("p",{class:"empty"},this.emptiness());let r=Mt(s.episodes.map(u=>u.reward)),a=s.
total===void 0?"":`${Te(s.total,"episode")}`;return[o("p",{class:"legend"},o("b",null,a),Df(r),this.asks(n)),this.strip(
s.episodes,r),n?this.groups(s.episodes,r):this.list(s.episodes,r),this.pager(s,t)]}emptiness(){return Cs(this.view.query)?
"No episode is like this.":this.run.live?"No episode has ended yet: the list fills by itself.":"There are no episodes."}strip(t,n){
if(this.step!==void 0||!this.view.query.get("task"))return null;let i=Wi([...t].sort((s,r)=>s.step-r.step),s=>s.step);return me(
"This task through time",o("div",{class:"strip"},[...i].map(([s,r])=>o("div",null,o("a",{class:"dim",href:Ye(this.run.name,
s)},`step ${s}`),r.map(a=>gn(this.run.name,a,n))))))}groups(t,n){let i=[...Wi(t,s=>JSON.stringify([s.split,s.group])).values()].
sort(Rf);return o("div",{class:"groups"},i.map(s=>{let r=s.toSorted((p,m)=>p.sample-m.sample),a=r[0],u=$i(this.run.name,
a.group,a.step,a.split);return o("section",{class:"group item",data:{href:u}},o("div",{class:"of"},o("a",{href:u,title:"\
side by side"},a.split==="validation"?"held-out ":"",`group ${a.group}`),o("a",{class:"task",title:"this task through ti\
me",href:B(["run",this.run.name,"episodes"],{task:a.task})},a.task),o("span",{class:"dim"},Hf(r))),o("div",{class:"cells"},
r.map(p=>gn(this.run.name,p,n))))}))}list(t,n){let i=this.run.name;return Ne([...this.step===void 0&&!this.run.played?[{
title:"step",right:!0,cell:s=>o("a",{href:Ye(i,s.step)},k(s.step))}]:[],{title:"episode",cell:s=>o("a",{href:ot(i,s.id),
title:s.id},ji(s))},{title:"reward",right:!0,cell:s=>rc(s,n)},{title:"success",cell:s=>s.success===!0?"solved":s.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:Fn},{title:"task",cell:s=>o("a",{class:"short",href:B(["run",i,"episodes"],
{task:s.task})},s.task)},{title:"answer",wide:!0,cell:s=>o("div",{class:"short",title:s.answer},$f(s))},...this.expected(),
{title:"turns",right:!0,cell:s=>k(s.turns)},{title:"tokens",right:!0,cell:s=>k(s.tokens)},{title:"took",right:!0,cell:s=>Je(
s.seconds)},{title:"attempt",right:!0,cell:s=>k(s.attempt)}],t,s=>ot(i,s.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,n=Promise.resolve();return[{title:"private part",cell:s=>{let r=JSON.stringify([s.split,s.task]),
a=t.get(r)??n.then(()=>ls(this.run.name,s.id,this.view.signal).then(Af),()=>"");t.set(r,a),n=a.catch(()=>{});let u=o("di\
v",{class:"private"},"\u2026");return a.then(p=>{u.title=It(p),R(u,xi(p))},p=>R(u,o("span",{class:"bad"},p instanceof Error?
p.message:""))),u}}]}asks(t){if(t||Qt!==void 0)return null;let n=Object.fromEntries([...this.view.query]),i=!!n.expected;
return o("a",{class:"button quiet",href:B(this.path,{...n,expected:i?"":"1"})},i?"Hide private parts":"Show private part\
s: what is expected")}pager(t,n){if(!t.next&&!n)return null;let i=Object.fromEntries([...this.view.query].filter(([r])=>r!==
"cursor")),s=()=>{t.next&&(location.hash=B(this.path,{...i,cursor:t.next}))};return this.view.key("n","next page",s),o("\
div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.hash=B(this.path,i)}},"First page"),o("button",{disabled:!n,
onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!t.next,onclick:s},"Next page \u2192"))}};function ji(e){
return`${e.group}, sample ${k(e.sample)}`}function Af(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([n,i])=>`${n}: ${typeof i=="string"?i:JSON.stringify(i)}`).
join(", ")}function $f(e){let t=e.answer??"",n=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&n?"\u2026 "+xi(
t.slice(-60)):xi(t)}function Rf([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function Df(e){return o("span",{class:"ramp"},o("span",null,k(e.low)),o("i",null),o("span",null,k(e.high)),o("i",{class:"\
hatched"}),o("span",null,"no reward"))}function Hf(e){let t=e.map(i=>i.reward).filter(i=>typeof i=="number");if(t.length===
0)return"no rewards";let n=t.reduce((i,s)=>i+s,0)/t.length;return t.length>1&&t.every(i=>i===t[0])?`all ${k(n,3)}: teach\
es nothing`:`mean ${k(n,3)}`}function xi(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var Nf=200;function Ii(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),i=o("div",{class:"conversation"});
if(n.reduce((u,p)=>u+p.messages.length,0)===0)return R(i,o("p",{class:"empty"},"Nothing was said.")),i;let r=Of(n),a=u=>{
i.querySelector(":scope > button")?.remove();let p=Math.min(r.length,u+Nf);Gt(i,zf(r.slice(u,p),t)),p<r.length&&i.append(
o("button",{onclick:()=>a(p)},`show more: ${Te(r.length-p,"message")} are left`))};return a(0),i}function Of(e){let t=[],
n=new Map;for(let i of e){let s=i.agent??"";for(let r of i.messages){let a=JSON.stringify([s,r.tool_call_id]),u=r.role===
"tool"?n.get(a):void 0;if(u){u.results.set(r.tool_call_id,r),n.delete(a);continue}let p={member:s,depth:Math.max(0,i.depth??
0),message:r,results:new Map};for(let m of r.tool_calls??[])n.set(JSON.stringify([s,m.id]),p);t.push(p)}}return t}function zf(e,t){
let n=o("div",null),i=[{element:n,member:""}];for(let s of e){let r=s.member===""?0:s.depth+1;for(;i.length>r+1||i.length===
r+1&&r>0&&i.at(-1).member!==s.member;)i.pop();for(;i.length<=r;){let a=o("details",{class:"member",open:!0},o("summary",
null,s.member));i.at(-1).element.append(a),i.push({element:a,member:s.member})}i.at(-1).element.append(Vf(s,t))}return[...n.
childNodes]}function Vf(e,t){let n=e.message,i=n.role||"unknown",s=(n.content??"").length;return o("article",{class:`mes\
sage item ${qf(i)}${n.is_error?" error":""}`},o("header",null,o("b",null,i),n.name?o("span",{class:"dim"},n.name):null,n.
is_error?o("span",{class:"badge bad"},"error"):null,s>2e3?o("span",{class:"dim"},`${s.toLocaleString("en")} characters`):
null),n.reasoning?Ce([o("b",null,"thinks"),o("span",{class:"dim"}," "+sl(n.reasoning))],()=>He(n.reasoning),!1,"thinks"):
null,n.content?He(n.content,t):null,(n.images??[]).map(pc),(n.attachments??[]).map(r=>fc(r,n.content??"")),(n.tool_calls??
[]).map(r=>jf(r,e.results.get(r.id))),(n.malformed??[]).map(r=>o("div",{class:"malformed"},o("span",{class:"badge warn"},
"malformed call")," ",r.reason,(n.content??"").includes(r.text)?null:Ce("what it wrote",()=>He(r.text)))),Wf(n)?o("p",{class:"\
dim"},"(nothing)"):null)}var Ff=new Set(["system","user","assistant","tool"]);function qf(e){return Ff.has(e)?e:"other"}
function Wf(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.attachments?.length&&!e.tool_calls?.length&&!e.malformed?.
length}function jf(e,t){let n=[o("span",{class:"arrow"},"\u2192"),o("b",null,e.name||"(no name)"),o("span",{class:"dim o\
neline"},sl(e.arguments)),t?.is_error?o("span",{class:"badge bad"},"error"):null,o("span",{class:t?"result oneline":"one\
line bad"},t?"\u2190 "+sl(t.content??""):"no result")];return Ce(n,()=>o("div",{class:"body"},o("h4",null,"arguments"),He(
If(e.arguments)),o("h4",null,"result"),t?[t.content?He(t.content):o("p",{class:"dim"},"(nothing)"),(t.images??[]).map(pc),
(t.attachments??[]).map(i=>fc(i,t.content??""))]:o("p",{class:"dim"},"The episode ended before there was one.")),!1,"cal\
l")}function If(e){if(e.length>1e6)return e;try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function sl(e){
return Ai(e.slice(0,300).replace(/\s+/g," ").trim())}var Gf=new Set(["image/png","image/jpeg","image/gif","image/webp"]),
Uf=8<<20;function pc(e){let t=["picture",e.mime_type,e.url,e.data?Rt(Math.floor(e.data.length*3/4)):""];return dc(t.filter(
n=>n).join(", "),e.mime_type,e.data)}function dc(e,t,n){return!n||!t||!Gf.has(t)||n.length>Uf||!/^[A-Za-z0-9+/]+=*$/.test(
n)?o("p",{class:"attachment"},"+ "+e):Ce("+ "+e,()=>{let i=document.createElement("img");return i.alt=It(e),i.src=`data:${t}\
;base64,${n}`,i},!1,"attachment")}function fc(e,t){let n=[e.kind||"attachment",e.mime_type,e.name,e.uri,e.size?Rt(e.size):
"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:""].filter(s=>s).join(", ");if(e.data)return dc(n,
e.mime_type,e.data);let i=e.json!==void 0?JSON.stringify(e.json,null,2):e.text??"";return i===""||i===t?o("p",{class:"at\
tachment"},"+ "+n):Ce("+ "+n,()=>He(i),!1,"attachment")}function As(e){let t=e.reward,n=t?.total??e.episode.reward,i=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),s=Mt([n,...Object.values(t?.parts??{})]),r=e.episode.success;return o("div",{class:"reward"},o("p",
{class:"total"},Tt(o("span",{class:"cell"},k(n)),n,s),r===!0?o("span",{class:"badge good"},"solved"):null,r===!1?o("span",
{class:"badge"},"not solved"):null,n==null?o("span",{class:"dim"},Kf(e)):null),t?.expression?o("p",null,o("span",{class:"\
dim"},"by "),o("code",{class:"expression"},t.expression)):null,i.length===0?null:Ne([{title:"part",cell:a=>o("code",null,
a.replace(/^reward\./,""))},{title:"value",right:!0,cell:a=>Bf(t?.parts?.[a],s)},{title:t?.notes?"in words":"",wide:!0,cell:a=>t?.
notes?.[a]?He(t.notes[a],400):""}],i),(t?.own_rewards??[]).map(a=>o("p",null,o("code",null,`agent.${a.agent}`)," says ",
k(a.reward),a.is_success===void 0?"":a.is_success?", solved":", not solved")),Yf(t?.turn_rewards??[]))}function Bf(e,t){
return e===void 0?"":Tt(o("span",{class:"cell small"},k(e)),e,t)}function Kf(e){return e.failure||e.episode.outcome==="F\
AILED"?"It failed, so that it has no reward.":"It has no reward."}function Yf(e){if(e.length===0)return null;let t=Mt(e.
map(n=>n.reward));return o("p",{class:"cells"},o("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>Tt(o("span",{class:"\
cell small",title:n.call_id},k(n.reward,3)),n.reward,t)))}var Jf=360,Qf=200;async function mc(e,t,n){let i=Number(e.query.get("step")??0),s=e.query.get("split")??"train";e.title(
sn(t),{text:`step ${i}`,href:Ye(t,i)},{text:`group ${n}`});let a=(await Pn(t,{step:i,split:s,group:n,limit:Qf},e.signal)).
episodes.toSorted((P,D)=>P.sample-D.sample),u=a[0];if(!u){R(e.root,o("p",{class:"empty"},"This group has no episodes."));
return}let p=Mt(a.map(P=>P.reward)),m=o("div",{class:"beside"}),g=a.map(P=>gn(t,P,p)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/Jf))),S=()=>{let P=a.slice(b,b+v());g.forEach((D,W)=>D.classList.toggle(
"here",W>=b&&W<b+P.length)),R(m,P.map(D=>Zf(e,t,D)))},L=P=>{b=Math.min(Math.max(0,a.length-v()),Math.max(0,b+P*v())),S()};
e.key("ArrowLeft","samples before",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),R(e.root,o("div",{class:"bar"},
o("h1",null,`Group ${n}`),o("span",{class:"turn"},o("button",{title:"samples before (\u2190)","aria-label":"samples befo\
re",onclick:()=>L(-1)},"\u2190"),o("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(1)},
"\u2192"))),o("p",null,"Task ",o("a",{href:B(["run",t,"episodes"],{task:u.task})},u.task)),o("div",{class:"cells"},g),m),
S()}function Zf(e,t,n){let i=o("div",null);return Pe(e,i,async()=>{let s=await oi(t,n.id,e.signal);return[As(s),Ii(s,1200)]}),
o("section",{class:"panel"},o("h2",null,o("a",{href:ot(t,n.id)},`sample ${k(n.sample)}`)," ",Fn(n)),i)}function bc(e){let t=e.some(n=>n.model);return Ne([{title:"member",cell:n=>o("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>k(n.turns)},{title:"prompt tokens",right:!0,cell:n=>k(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>k(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>fn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${k(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var hc=200;
function wc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?gc(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),i=Wi(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),s=[],r=new Set,a=(i.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;a.length>0;){let g=a.pop();if(r.has(g.call.call_id))continue;r.add(g.call.call_id),
s.push(g);let b=i.get(g.call.call_id)??[],v=b.length>1;for(let S of b.toReversed())a.push({call:S,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)r.has(g.call_id)||s.push({call:g,depth:0,branch:!1});let u=o("div",{class:"forest"}),p=g=>R(u,
s.slice(0,g).map(Xf),s.length>g?o("button",{onclick:()=>p(g+hc)},`show more: ${Te(s.length-g,"call")} are left`):null);p(
hc);let m=(i.get("")??[]).length;return[o("p",{class:"dim"},`${Te(t.length,"call")} in ${Te(m,"tree")}. A branch goes on\
 from an earlier answer; what is not trained is marked.`),u,(e.chains??[]).length>0?gc(e.chains):null]}function Xf({call:e,
depth:t,branch:n}){let i=!e.parent,s=[o("span",{class:"twig"},i?"\u25CF":n?"\u251C":"\u2502"),o("code",null,e.call_id),e.
agent?o("span",null,e.agent):null,e.auxiliary?o("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?
o("span",{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?o("span",{class:"dim"},Qe(e.finish)):null,o("sp\
an",{class:"dim"},`${k(e.prompt_tokens)} + ${k(e.output_tokens)} tokens`),o("span",{class:"oneline dim"},(e.text??"").slice(
0,200))],r=Ce(s,()=>e.text?He(e.text):o("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" u\
ntrained":""));return r.style.setProperty("--depth",String(Math.min(t,24))),r}function gc(e){return Ce([o("b",null,"chai\
ns"),o("span",{class:"dim"},` ${e.length}`)],()=>Ne([{title:"chain",cell:t=>o("code",null,t.chain)},{title:"agent",cell:t=>t.
agent??""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>k(t.
reward)},{title:"digest",wide:!0,cell:t=>o("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var yi=1500,em=150,tm=240,kc=(e,t)=>e?.[t]??null;function $s(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function bn(e,t,n){
let i=kc(e,n);return i===0&&$s(t,n)===0?null:i}function Sc(e,t){let[n,i]=[bn(e.logprobs,e,t),bn(e.trainer_logprobs,e,t)];
return n===null||i===null?null:i-n}var rl=(e,t)=>e.reduce((n,i)=>Math.max(n,Math.abs(i)),t),vc=e=>({low:-rl(e,1),high:0}),
xc=[{name:"mask",label:"trained",value:$s,scale:()=>Ls(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>bn(
e.logprobs,e,t),scale:vc},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>bn(e.trainer_logprobs,e,t),scale:vc},
{name:"gap",label:"gap",value:Sc,scale:e=>Ls(rl(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>bn(e.advantages,
e,t),scale:e=>Ls(rl(e,1e-6))}],yc={trained:"The tokens of this episode are not on record: the framework has them. Adapte\
rs tell of some groups of the steps that their tokens_every names.",played:"Who played this episode gave no tokens: serv\
ed models do, where their blocks say tokens."};function Ec(e,t=!1){if(!e||e.length===0)return o("p",{class:"dim"},t?yc.played:
yc.trained);let n=o("div",null),i=r=>R(n,new ll(e[r]).element);if(i(0),e.length===1)return n;let s=o("select",{"aria-lab\
el":"row"},e.slice(0,500).map((r,a)=>o("option",{value:String(a)},`row ${a+1} of ${e.length}${r.chain?`: ${r.chain}`:""}`)));
return s.addEventListener("change",()=>i(Number(s.value))),[s,n]}var ll=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",n=>this.point(n.target)),this.text.addEventListener("click",n=>this.point(n.target)),this.text.addEventListener(
"keydown",n=>{let i={ArrowRight:1,ArrowLeft:-1}[n.key];i!==void 0&&(n.preventDefault(),n.stopPropagation(),this.stand(this.
at<0?this.from:this.at+i))}),R(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=o("div",{class:"tokens"});measure=xc[0];from=0;text=o("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=o("div",{class:"readout",role:"status"});tabs=o("div",{class:"tabs"});overview=o(
"div",{class:"overview","aria-hidden":"true"});pager=o("div",{class:"pager"});legend=o("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:n}=this,i=[],s=0;for(let p=0;p<this.length;p++){let m=n.value(t,p);m===
null?s++:i.push(m)}let r=n.scale(i);R(this.tabs,xc.map(p=>o("button",{class:"tab"+(p===n?" here":""),"aria-pressed":p===
n?"true":"false",onclick:()=>{this.measure=p,this.draw()}},p.label))),R(this.legend,i.length===0?o("p",{class:"unknown"},
`${n.label}: unknown for all tokens. This framework does not report it.`):this.ramp(r,i,s));let a=Math.min(this.length,this.
from+yi),u=[];for(let p=this.from;p<a;p++)u.push(this.token(p,n.value(t,p),r));R(this.text,u),this.text.children.item(this.
at-this.from)?.classList.add("here"),this.drawOverview(r,a),this.drawPager(a)}drawOverview(t,n){if(this.length<em)return;
let i=Math.ceil(this.length/tm),s=[];for(let r=0;r<this.length;r+=i){let a=this.extreme(r,Math.min(this.length,r+i)),u=o(
"i",{class:r<n&&r+i>this.from?"shown":""});u.addEventListener("click",()=>this.stand(Math.max(a,r))),s.push(Tt(u,a<0?null:
this.measure.value(this.row,a),t))}R(this.overview,s)}extreme(t,n){let[i,s]=[-1,-1];for(let r=t;r<n;r++){let a=this.measure.
value(this.row,r);a!==null&&Math.abs(a)>s&&([i,s]=[r,Math.abs(a)])}return i}ramp(t,n,i){if(this.measure.name==="mask"){let s=n.
reduce((r,a)=>r+a,0);return o("p",{class:"ramp"},o("i",{class:"one high"}),`${k(s)} trained`,o("i",{class:"one plain"}),
`${k(n.length-s)} not trained`,i>0?[o("i",{class:"hatched"}),`${k(i)} unknown`]:null,this.cutWords())}return o("p",{class:"\
ramp"},k(t.low,3),o("i",null),k(t.high,3),i>0?[o("i",{class:"hatched"}),`${k(i)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:o("span",{class:"badge warn"},`the first ${k(this.length)} of ${k(t)}\
 tokens`)}token(t,n,i){let s=this.row.text?.[t],r=o("span",{class:"token",data:{i:String(t)}},s==null?`\u27E8${this.row.
ids[t]}\u27E9`:nm(s));return s?.includes(`
`)&&r.classList.add("ends"),t===this.row.prompt_length&&r.classList.add("first"),Tt(r,n,i)}drawPager(t){let n=s=>{this.from=
Math.max(0,Math.min(s,this.length-1)),this.draw()},i=this.extreme(0,this.length);R(this.pager,o("button",{disabled:this.
from===0,onclick:()=>n(this.from-yi)},"\u2190"),o("span",null,`tokens ${k(this.from+1)} to ${k(t)} of ${k(this.length)}`),
o("button",{disabled:t>=this.length,onclick:()=>n(this.from+yi)},"\u2192"),o("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),i>=0&&this.measure.name!=="mask"?o("button",{onclick:()=>this.stand(i)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if($s(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+yi)&&(this.from=Math.floor(t/yi)*yi,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,i=a=>a===null?o("span",
{class:"unknown"},fo):o("b",null,k(a)),s=t<0?null:$s(n,t),r=t<0?null:kc(n.turn_ids,t);R(this.readout,t<0?o("span",{class:"\
dim"},`${Te(this.length,"token")}: point at one for its values`):[o("span",null,"token ",o("b",null,k(t))," ",o("code",null,
Ai(n.text?.[t]??"")),o("span",{class:"dim"},` id ${n.ids[t]}`)),o("span",null,s===null?o("span",{class:"unknown"},"train\
ed: unknown"):s?"trained":"not trained"),r===null||r<0?null:o("span",null,"turn ",o("b",null,k(r+1))),o("span",null,"sam\
pler ",i(bn(n.logprobs,n,t))),o("span",null,"trainer ",i(bn(n.trainer_logprobs,n,t))),o("span",null,"gap ",i(Sc(n,t))),o(
"span",null,"advantage ",i(bn(n.advantages,n,t)))])}};function nm(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Ai(e)}var Mc=150,im=["queue","model","tool","reward","siblings","host"];function Tc(e,t){if(e.length===0)return o("p",{class:"\
dim"},"No times are on record.");let n=Math.min(...e.slice(0,5e4).map(u=>u.start_ms)),i=Math.max(...e.slice(0,5e4).map(u=>u.
start_ms+u.ms)),s=Math.max(i-n,1e-9),r=o("div",{class:"waterfall"}),a=u=>R(r,e.slice(0,u).map(p=>rm(p,n,s)),e.length>u?o(
"button",{onclick:()=>a(u+Mc)},`show more: ${Te(e.length-u,"bar")} are left`):null);return a(Mc),[sm(e),r,o("p",{class:"\
axis dim"},o("span",null,"0"),o("span",null,fn(s))),t==="sums"?o("p",{class:"dim"},"On record is how long each took in a\
ll, not when."):null]}function ol(e){return im.includes(e)?e:"other"}function sm(e){let t=new Map;for(let s of e)t.set(s.
part,(t.get(s.part)??0)+s.ms);let n=[...t.values()].reduce((s,r)=>s+r,0)||1,i=[...t].sort((s,r)=>r[1]-s[1]);return o("di\
v",null,o("div",{class:"stack","aria-hidden":"true"},i.map(([s,r])=>o("i",{class:"part "+ol(s),vars:{"--share":`${100*r/
n}%`}}))),o("p",{class:"chips"},i.map(([s,r])=>o("span",{class:"key"},o("i",{class:"swatch part "+ol(s)}),`${s==="tool"?
"environment":s} `,o("b",null,fn(r)),o("span",{class:"dim"},` ${Math.round(100*r/n)} %`)))))}function rm(e,t,n){let i=100*
(e.start_ms-t)/n,s=Math.max(.3,100*e.ms/n);return o("div",{class:"wait",title:`${e.label??e.part}: ${fn(e.ms)}, from ${fn(
e.start_ms-t)}`},o("span",{class:"name"},e.turn?`${e.turn}. ${e.label||e.part}`:e.label||e.part),o("span",{class:"lane"},
o("i",{class:"part "+ol(e.part),vars:{"--left":`${Math.min(i,99.7)}%`,"--share":`${Math.min(s,100)}%`}})),o("span",{class:"\
ms"},fn(e.ms)))}async function Lc(e,t,n){e.title(sn(t),{text:`episode ${n}`});let i=await oi(t,n,e.signal),s=i.episode,r=i.played?{text:"\
episodes",href:B(["run",t,"episodes"])}:{text:`step ${s.step}`,href:Ye(t,s.step,{split:s.split})};e.title(sn(t),r,{text:ji(
s)});let a=i.siblings??[];lm(e,t,i),R(e.root,o("div",{class:"bar"},o("h1",{title:n},i.played?ji(s):`Step ${k(s.step)}, ${ji(
s)}`),Fn(s),o("span",{class:"grow"}),(i.commands??[]).map(u=>An(u))),i.failure?o("div",{class:"trouble"},o("h2",null,`Fa\
iled: ${Qe(i.failure.class)}`),He(i.failure.detail??"")):null,a.length>1?om(t,i,a):null,o("div",{class:"episode"},o("div",
null,me("Conversation",Ii(i)),mm(i),dm(i),fm(i),Pc(me("Tokens",Ec(i.tokens?.rows,i.played!==void 0)))),o("aside",null,me(
"Reward",As(i),um(i)),pm(i.madness??[]),am(t,i),me("Where the time went",Tc(i.times??[],i.times_are)),hm(i.attempts??[]),
_c("Environment's state",i.state),_c("What the agent left",i.metadata),Qt===void 0?gm(e,t,n):null)))}function lm(e,t,n){
let i=n.siblings??[],s=i.findIndex(a=>a.id===n.episode.id),r=a=>{let u=i[s+a];u&&(location.hash=ot(t,u.id))};e.key("Arro\
wLeft","sample before",()=>r(-1)),e.key("ArrowRight","next sample",()=>r(1)),e.key("b","the group side by side",()=>{location.
hash=$i(t,n.episode.group,n.episode.step,n.episode.split)}),e.key("o","open or fold all calls",()=>{let a=[...document.querySelectorAll(
".conversation .message details")],u=!a.some(p=>p.open);for(let p of a)p.open=u}),e.key("c","copy the command that shows\
 it in a terminal",()=>{document.querySelector("main button.copy")?.click()})}function om(e,t,n){let i=t.episode,s=Mt(n.
map(r=>r.reward));return o("div",{class:"siblings"},o("a",{href:$i(e,i.group,i.step,i.split)},`group ${i.group}`),o("div",
{class:"cells"},n.slice(0,300).map(r=>gn(e,r,s,r.id===i.id))))}function am(e,t){let n=t.episode;return me("About",dn([["\
task",o("a",{href:B(["run",e,"episodes"],{task:n.task}),title:"this task through time"},n.task)],...cm(t),["turns",k(n.turns)],
["tokens",k(n.tokens)],["took",Je(n.seconds)],["counts",t.played||!n.standing?null:Qe(n.standing)]]))}function cm(e){let t=e.
episode;return e.played?[["dataset",e.played.dataset],["policy",e.played.policy],["try",k(t.sample+1)],["environment's s\
eed",e.seeds?.environment]]:[["split",t.split==="validation"?"held-out":"training"],["step",k(t.step)],["sample",k(t.sample)]]}
function um(e){let t=[];return e.played?null:(e.use&&t.push(`In training: ${Qe(e.use)}.`),e.why&&t.push(`Not trained bec\
ause of: ${Qe(e.why)}.`),e.masked&&!e.use&&t.push("It is masked: it counts in its group, and is not trained on."),e.drop_group&&
t.push("Its group is dropped."),t.length>0?o("p",{class:"dim"},t.join(" ")):null)}function pm(e){return e.length===0?null:
me("Checks that were not passed",e.slice(0,100).map(t=>o("p",null,o("span",{class:"badge warn"},t.check),` turn ${t.turn}\
 of ${t.agent}: ${Qe(t.reason)} in its ${t.part}`,t.near?[", near ",o("code",null,t.near)]:null)))}function dm(e){return(e.
members??[]).length>0?me("Members",bc(e.members)):null}function fm(e){let t=wc(e);return t===null?null:Pc(me("Calls of t\
he program",t))}function Pc(e){return e.classList.add("late"),e}function mm(e){let t=e.own_steps??[];return t.length===0?
null:me("The agent's own steps",t.slice(0,200).map((n,i)=>Ce(`step ${i+1}`,()=>Ii({episode:e.episode,messages:n.messages}))))}
function hm(e){return e.length<2&&!e.some(t=>t.class)?null:me("Attempts",e.slice(0,100).map(t=>o("div",{class:"attempt"},
o("p",null,o("b",null,k(t.attempt))," ",Fn(t),o("span",{class:"dim"},t.started?` from ${$n(t.started)}`:"",t.seconds===void 0?
"":`, ${Je(t.seconds)}`)),t.detail?He(t.detail,600):null)))}function _c(e,t){return t==null?null:me(e,Ce("show",()=>He(JSON.
stringify(t,null,2))))}function gm(e,t,n){return me("Private part of the task",Ce("show it: it holds the answer that no \
agent may see",()=>{let i=o("div",null);return Pe(e,i,async()=>{let s=await ls(t,n,e.signal);return He(JSON.stringify("p\
rivate"in s?s.private:s,null,2))}),i}))}var bm=240;async function Ac(e,t){e.title(sn(t),{text:"validations"});let n=o("div",null);R(e.root,o("div",{class:"bar"},
o("h1",null,"Validations"),wm(e)),n),await Pe(e,n,()=>vm(e,t))}var Gi=()=>{};function wm(e){return e.key("ArrowLeft","va\
lidations before",()=>Gi(-1)),e.key("ArrowRight","later validations",()=>Gi(1)),o("span",{class:"turn"},o("button",{title:"\
validations before (\u2190)","aria-label":"validations before",onclick:()=>Gi(-1)},"\u2190"),o("button",{title:"later va\
lidations (\u2192)","aria-label":"later validations",onclick:()=>Gi(1)},"\u2192"))}async function vm(e,t){let n=e.query.
get("cursor")??void 0,i=await Bl(t,n,e.signal);if(i.tasks.length===0)return o("p",{class:"empty"},"There are no validati\
ons of this run.");let s=o("div",null),r=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/bm)),a=Math.
max(0,i.steps.length-r()),u=()=>R(s,xm(t,i,i.steps.slice(a,a+r())));Gi=g=>{a=Math.min(Math.max(0,i.steps.length-r()),Math.
max(0,a+g*r())),u()},u();let p=["run",t,"validations"],m=()=>{i.next&&(location.hash=B(p,{cursor:i.next}))};return e.key(
"n","next page",m),[s,i.next||n?o("div",{class:"pager"},o("button",{disabled:!n,onclick:()=>{location.hash=B(p)}},"First\
 page"),o("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!i.next,onclick:m},"Next\
 page \u2192")):null]}function xm(e,t,n){let i=Mt(t.tasks.flatMap(s=>s.episodes.map(r=>r.reward)));return o("div",{class:"\
scroll"},o("table",{class:"answers"},o("thead",null,o("tr",null,o("th",null,"task"),n.map(s=>o("th",null,o("a",{href:Ye(
e,s,{split:"validation"})},`after step ${k(s)}`))))),o("tbody",null,t.tasks.map(s=>o("tr",{class:"item",data:{href:Cc(e,
s.task)}},o("th",null,o("a",{href:Cc(e,s.task)},s.task)),n.map(r=>o("td",null,s.episodes.filter(a=>a.step===r).map(a=>Tt(
o("a",{class:"cell answer",href:ot(e,a.id)},o("b",null,k(a.reward,3),a.success===!0?" \u2713":""),o("span",null,xi(a.answer)||
"no answer")),a.reward,i)))))))))}var Cc=(e,t)=>B(["run",e,"episodes"],{task:t,split:"validation"});var Ds=o("main",{tabindex:"-1"}),ul=o("nav",{class:"crumbs","aria-label":"Where this is"}),cl=o("span",{class:"connectio\
n",role:"status"}),al=new AbortController;function ym(){uo(),$c(),Gt(document.body,[o("header",null,o("a",{class:"home",
href:B([])},"awhost"),ul,cl,o("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>dr()},"?"),o("but\
ton",{class:"quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:br},"\u25D0")),Ds]),ro(),pn("j","next\
 item",()=>pr(1)),pn("k","item before",()=>pr(-1)),pn("Enter","open or fold the item",()=>lo()),pn("/","go to the filter",
km),pn("u","up, to what this is part of",Sm),pn("t","light or dark",br),pn("?","these keys",()=>dr()),addEventListener("\
hashchange",()=>{$c(),Rs()}),Rs()}function $c(){let e=gr(location.hash);e&&(rr(e.token),history.replaceState(null,"",e.rest))}
function km(){Ds.querySelector("[data-filter]")?.focus()}function Sm(){let e=ul.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??B([])}function Rs(){if(al.abort(),al=new AbortController,so(),Rc("off"),!jl()){Tm();return}let{path:e,
query:t}=hr(Qt!==void 0&&/^(#\/?)?$/.test(location.hash)?Qt:location.hash),n=Em(t,al.signal),i=n.root;R(Ds,i),scrollTo(0,
0),Mm(n,e).catch(s=>{n.signal.aborted||R(i,wr(s,Rs))})}function Em(e,t){return{root:o("div",{class:"view"}),signal:t,query:e,
key:(n,i,s)=>io(n,i,()=>{t.aborted||s()}),onLive:(n,i)=>{Qt===void 0&&ao(n,t,i,s=>{t.aborted||Rc(s)})},title:(...n)=>{document.
title=[...n].reverse().map(i=>i.text).concat("awhost").join(" \xB7 "),R(ul,n.map(i=>[o("span",{class:"slash","aria-hidde\
n":"true"},"/"),i.href?o("a",{href:i.href},i.text):o("span",{"aria-current":"page"},i.text)]))}}}async function Mm(e,t){
let[n,i,s,r]=t;if(n===void 0)return mo(e);if(n==="compare")return Ja(e);if(n==="run"&&i!==void 0){if(s===void 0)return sc(
e,i);if(s==="step"&&/^\d+$/.test(r??""))return il(e,i,Number(r));if(s==="episodes")return il(e,i,void 0);if(s==="group"&&
r!==void 0)return mc(e,i,r);if(s==="episode"&&r!==void 0)return Lc(e,i,r);if(s==="validations")return Ac(e,i)}e.title({text:"\
not found"}),R(e.root,o("section",{class:"trouble"},o("h2",null,"There is no such view."),o("p",null,"The address was cu\
t off, or is of another version of awhost. ",o("a",{href:B([])},"All runs"))))}function Rc(e){cl.className="connection "+
e,R(cl,{live:"live",lost:"no connection, trying again",off:""}[e])}function Tm(){let e=o("input",{type:"password","aria-\
label":"token",autocomplete:"off",size:40}),t=o("form",null,e,o("button",null,"Open"));t.addEventListener("submit",n=>{n.
preventDefault();let i=e.value.trim();rr(gr(i.slice(Math.max(0,i.indexOf("#"))))?.token??i),Rs()}),R(Ds,o("section",{class:"\
trouble"},o("h2",null,"This page needs a token."),o("p",null,"Open the link that awhost ui prints, or paste the link or \
its token here. A tab keeps its token until it is closed."),t)),e.focus()}ym();})();
