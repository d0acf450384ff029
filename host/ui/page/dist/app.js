"use strict";(()=>{function Fr(e){let t=e.getElementById("awhost-data");return t?pu(JSON.parse(t.textContent??"{}")):null}function pu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(n,i={})=>fu(n,t.get(du(n)),i)}}function du(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function fu(e,t,n){if(t===void 0)return;let i=e.split("/");switch(i.length===
4?i[3]:""){case"episodes":return mu(t.episodes,n);case"steps":{let{steps:s}=t;return{steps:s.filter(l=>l.step>=Number(n.
from)&&l.step<=Number(n.to))}}case"metrics":{let s=new Set([n.name??[]].flat().map(String)),{series:l}=t;return{series:Object.
fromEntries(Object.entries(l).filter(([a])=>s.size===0||s.has(a)))}}}return t}function mu(e,t){let n=["step","split","gr\
oup","task","outcome","class"].filter(d=>t[d]!==void 0),i=e.filter(d=>n.every(m=>String(d[m]??"")===String(t[m]))),s=String(
t.sort??"order"),l=s.replace(/^-/,"");(l==="reward"||l==="turns"||l==="seconds")&&i.sort(hu(l,s.startsWith("-")?-1:1));let a=Number(
t.cursor??0),u=s==="group"?i.length:a+Number(t.limit??100);return{episodes:i.slice(a,u),next:u<i.length?String(u):void 0,
total:i.length}}function hu(e,t){return(n,i)=>{let[s,l]=[n[e],i[e]];return typeof s!="number"||typeof l!="number"?+(typeof l==
"number")-+(typeof s=="number"):t*(s-l)}}function ts(e,t){try{return e().getItem(t)}catch{return null}}function ns(e,t,n){try{e().setItem(t,n)}catch{}}var jr="awhost-token",li=Fr(document),sl=li?"":ts(()=>sessionStorage,jr)??"";function ll(e){sl=e,ns(()=>sessionStorage,jr,
e)}function qr(){return sl!==""||li!==null}var Qt=li?.open,Jt=class extends Error{constructor(n,i,s){super(i);this.status=
n;this.summary=i;this.detail=s}status;summary;detail};function gu(e,t){let n=new URLSearchParams;for(let[s,l]of Object.entries(
t??{}))for(let a of Array.isArray(l)?l:[l])a!==void 0&&a!==""&&n.append(s,String(a));let i=n.toString();return i===""?e:
`${e}?${i}`}async function Wr(e,t,n){if(li)throw Ur();let i;try{i=await fetch(gu(e,t),{signal:n,headers:{Authorization:`\
Bearer ${sl}`},cache:"no-store",credentials:"omit",redirect:"error"})}catch(s){throw n.aborted?s:new Jt(0,"No response f\
rom the server.","Start awhost ui, or the command with --ui, again, and open the link that it prints.")}if(!i.ok)throw await bu(
i);return i}async function bu(e){let t=await e.json().catch(()=>null);return new Jt(e.status,t?.error?.summary??`Server \
error ${e.status}.`,t?.error?.detail??"")}async function $t(e,t,n){return li?wu(e,t):await(await Wr(e,t,n)).json()}function wu(e,t){
let n=li.answer(e,t);if(n!==void 0)return n;throw Ur()}function Ur(){return new Jt(404,"Not in this file.","To see the w\
hole run, start awhost ui in its directory.")}var Zt=e=>`api/runs/${encodeURIComponent(e)}`,Gr=(e,t)=>`${Zt(e)}/episodes\
/${encodeURIComponent(t)}`,is=e=>$t("api/runs",void 0,e),Pn=(e,t)=>$t(Zt(e),void 0,t),ss=(e,t,n,i)=>$t(`${Zt(e)}/metrics`,
{name:t,after:n},i),Li=(e,t,n,i)=>$t(`${Zt(e)}/steps`,{from:t,to:n},i),Pi=(e,t,n)=>$t(`${Zt(e)}/episodes`,t,n),ri=(e,t,n)=>$t(
Gr(e,t),void 0,n),ls=(e,t,n)=>$t(`${Gr(e,t)}/private`,void 0,n),Ir=(e,t,n)=>$t(`${Zt(e)}/validations`,{cursor:t},n),rs=(e,t)=>$t(
`${Zt(e)}/spec`,void 0,t),Br=(e,t)=>$t(`${Zt(e)}/waits`,void 0,t),Kr=(e,t)=>Wr(`${Zt(e)}/live`,void 0,t);async function Yr(e,t,n){
let i=await $t("api/compare",{run:[e,t]},n);return"comparison"in i?i.comparison:i}var vu=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
Zr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,xu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
yu=/^[\n\t -~]*$/,Jr=/\p{M}/u,Qr=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,rl=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),ku=4;function al(e){if(yu.test(e))return[{text:e,escaped:!1}];let t=new ol;for(let n=0;n<e.length;)n+=
t.take(e,n);return t.done()}function Rt(e){return al(e).map(t=>t.text).join("")}function Ci(e){return Rt(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var ol=class{out=[];shown="";before="";marks=0;take(t,n){let i=t.codePointAt(n);if(i===13&&
t[n+1]===`
`)return 1;if(i===27||i===155){let l=vu.exec(t.slice(n,n+512));if(l)return this.escape(Su(l[0])),l[0].length}let s=String.
fromCodePoint(i);return this.isShown(s,t,n+s.length)?(this.marks=Jr.test(s)?this.marks+1:0,this.shown+=s,this.before=s):
this.escape(Xr(i)),s.length}done(){return this.flush(),this.out}isShown(t,n,i){if(t===`
`||t==="	"||!xu.test(t))return!0;if(Jr.test(t)&&!Zr.test(t))return this.marks<ku;let s=i<n.length?String.fromCodePoint(n.
codePointAt(i)):"";switch(t){case"\u200D":return Qr.test(this.before)&&Qr.test(s)||rl.test(this.before);case"\u200C":return rl.
test(this.before)&&rl.test(s);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let n=this.out.at(-1);n?.escaped?n.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function Su(e){return[...e].map(t=>Zr.test(t)?Xr(t.codePointAt(
0)):t).join("")}function Xr(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function r(e,t,...n){let i=document.createElement(e);for(let[s,l]of Object.entries(t??{}))Eu(i,s,l);return Gt(i,n),i}function Eu(e,t,n){
if(!(n==null||n===!1)){switch(t){case"class":e.className=String(n);return;case"onclick":e.addEventListener("click",n);return;case"\
vars":for(let[i,s]of Object.entries(n))e.style.setProperty(i,s);return;case"data":Object.assign(e.dataset,n);return;case"\
href":if(!String(n).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(n));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,n===
!0?"":Rt(String(n)))}}function Gt(e,t){for(let n of t)n==null||n===!1||(Array.isArray(n)?Gt(e,n):n instanceof Node?e.appendChild(
n):e.appendChild(document.createTextNode(Rt(String(n)))))}function $(e,...t){e.replaceChildren(),Gt(e,t)}var Mu=6e3,_u=1e5;
function Re(e,t=Mu){let n=r("div",{class:"prose",dir:"auto"}),i=0,s=u=>{let d=Tu(e,Math.min(u,e.length));for(let m of al(
e.slice(i,d)))n.append(m.escaped?r("span",{class:"escape"},m.text):m.text);i=d};if(s(t),i===e.length)return n;let l=r("b\
utton",{class:"quiet",onclick:()=>{s(i+_u),i===e.length?l.remove():a()}}),a=()=>$(l,`Show more: ${eo(e.length-i)} of ${eo(
e.length)} characters left`);return a(),r("div",null,n,l)}function eo(e){return e.toLocaleString("en")}function Tu(e,t){
let n=e.charCodeAt(t-1);return t<e.length&&n>=55296&&n<=56319?t+1:t}var os=new Map,ul=new Map;function no(e,t,n){os.set(e,{what:t,act:n})}function dn(e,t,n){ul.set(e,{what:t,act:n})}function io(){
os.clear()}function so(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),cl();return}if(Lu(e.target))return;let t=os.
get(e.key)??ul.get(e.key);t&&(e.preventDefault(),t.act())})}function Lu(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function pl(e){let t=[...document.querySelectorAll("main .item")].filter(
s=>s.offsetParent!==null);if(t.length===0)return;let n=t.findIndex(s=>s.classList.contains("current")),i=n<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,n+e));t[n]?.classList.remove("current"),t[i].classList.add("current"),t[i].scrollIntoView(
{block:"nearest"})}function lo(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function dl(){
if(cl())return;let e=[...os,...ul,["Esc",{what:"leave a field, close this dialog"}]],t=r("dialog",{class:"help","aria-la\
bel":"Keys and symbols"},r("h2",null,"Keys"),to(e.map(([n,i])=>[r("kbd",null,Cu[n]??n),i.what])),r("h2",null,"Symbols an\
d terms"),to(Pu),r("button",{onclick:()=>cl()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var Pu=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns, or time ended the episode"],["\
\u2260","malformed calls: invalid calls of the policy, which were not executed"],["hatched","no reward, or unknown"],["\u25B2",
"in a chart: a checkpoint, the best one in another color; dashed lines are kills and resumes"],["dropped","no usable att\
empt: the episode is not trained"],["masked","counts in its group and is not trained"],["filtered","excluded from the up\
date: all samples of its group have the same reward"],["digest","checksum of the newest checkpoint: equal digests mean i\
dentical checkpoints"]];function to(e){return r("table",null,r("tbody",null,e.map(([t,n])=>r("tr",null,r("td",null,t),r(
"td",null,n)))))}var Cu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\u2191",ArrowDown:"\u2193",Enter:"Enter"};function cl(){
let e=document.querySelector("dialog.help");return e?.close(),e!==null}var $u=1e3,ro=45e3;function oo(e,t,n,i){Ru(e,t,new fl(n,t),i)}async function Ru(e,t,n,i){let s=500;for(let l=!0;!t.aborted&&
(await Ou(t),!t.aborted);l=!1){try{await Du(e,t,a=>n.take(a),()=>{i("live"),s=500,l||n.take({kind:"state"})})}catch(a){if(a instanceof
Jt&&a.status>=400&&a.status<500)break}if(t.aborted)break;document.hidden||(i("lost"),await Hu(s,t),s=Math.min(2*s,15e3))}
i("off")}async function Du(e,t,n,i){let s=new AbortController,l=()=>s.abort(),a=()=>document.hidden&&l();t.addEventListener(
"abort",l,{once:!0}),document.addEventListener("visibilitychange",a);let u=setTimeout(l,ro);try{let m=(await Kr(e,s.signal)).
body.pipeThrough(new TextDecoderStream).getReader();i();for(let g="";;){let{done:b,value:v}=await m.read();if(b)return;clearTimeout(
u),u=setTimeout(l,ro),g=Nu(g+v,n)}}finally{clearTimeout(u),t.removeEventListener("abort",l),document.removeEventListener(
"visibilitychange",a),s.abort()}}function Nu(e,t){let n=e.replaceAll(`\r
`,`
`).split(`

`),i=n.pop();for(let s of n){let l=s.split(`
`).filter(a=>a.startsWith("data:")).map(a=>a.slice(5).trimStart()).join(`
`);if(l!=="")try{t(JSON.parse(l))}catch{t({kind:"state"})}}return i}var fl=class{constructor(t,n){this.hear=t;this.signal=
n}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let n=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(n)},$u)}};function Ou(e){return new Promise(t=>{let n=()=>{document.hidden&&
!e.aborted||(document.removeEventListener("visibilitychange",n),e.removeEventListener("abort",n),t())};document.addEventListener(
"visibilitychange",n),e.addEventListener("abort",n),n()})}function Hu(e,t){return new Promise(n=>{let i=setTimeout(n,e);
t.addEventListener("abort",()=>{clearTimeout(i),n()},{once:!0})})}function hl(e){let[t="",n=""]=zu(e.replace(/^#/,""));return{path:t.split("/").filter(i=>i!=="").map(ml),query:new URLSearchParams(
n)}}function zu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function ml(e){try{return decodeURIComponent(
e)}catch{return e}}function B(e,t={}){let n=new URLSearchParams;for(let[s,l]of Object.entries(t))for(let a of Array.isArray(
l)?l:[l])a!==void 0&&a!==""&&n.append(s,String(a));let i=n.toString();return"#/"+e.map(s=>encodeURIComponent(s)).join("/")+
(i?"?"+i:"")}var Cn=e=>B(["run",e]),Ge=(e,t,n={})=>B(["run",e,"step",t],n),Je=(e,t)=>B(["run",e,"episode",t]),Ai=(e,t,n,i)=>B(
["run",e,"group",t],{step:n,split:i});function gl(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:ml(
t[1]),rest:"#"+(t[2]?ml(t[2]):"/")};let{path:n,query:i}=hl(e),s=i.get("token");if(s===null)return null;i.delete("token");
let l=i.toString();return{token:s,rest:"#/"+n.map(encodeURIComponent).join("/")+(l?"?"+l:"")}}var ao="awhost-theme";function Vu(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function co(){let e=ts(()=>localStorage,ao);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function bl(){let e=Vu()?"light":"dark";ns(()=>localStorage,ao,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function uo(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function en(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function wl(e,t){let[n,i]=e instanceof Jt?[e.summary,e.detail]:["This part of the page cannot be displayed.",e instanceof
Error?e.message:String(e)];return r("section",{class:"trouble",role:"alert"},r("h2",null,n),r("p",null,i),r("button",{onclick:t},
"Try again"))}async function Ce(e,t,n){t.setAttribute("aria-busy","true");let i=setTimeout(()=>$(t,r("p",{class:"dim"},"\
Loading \u2026")),200);try{let s=await n();e.signal.aborted||$(t,s)}catch(s){e.signal.aborted||$(t,wl(s,()=>{Ce(e,t,n)}))}finally{
clearTimeout(i),t.removeAttribute("aria-busy")}}function me(e,...t){let n=r("section",{class:"panel"},r("h2",null,e));return Gt(
n,t),n}function Te(e,t,n=!1,i=""){let s=r("details",{class:"fold "+i},r("summary",null,e)),l=!1,a=()=>{l||!s.open||(l=!0,
Gt(s,[t()]))};return s.addEventListener("toggle",a),n&&(s.open=!0,a()),s}function Ae(e,t,n){let i=l=>[l.right?"right":"",
l.wide?"wide":"",l.half?"half":""].join(" ").trim()||void 0,s=r("tbody",null,t.map(l=>{let a=r("tr",null,e.map(u=>r("td",
{class:i(u)},u.cell(l))));return n&&(a.classList.add("item"),a.dataset.href=n(l)),a}));return r("div",{class:"scroll"},r(
"table",null,r("thead",null,r("tr",null,e.map(l=>r("th",{class:i(l)},l.title)))),s))}function fn(e){return r("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,n])=>r("div",null,r("dt",null,t),r("dd",null,n))))}function tn(e,t=e){
let n=r("span",null,t),i=r("button",{class:"copy",title:"copy: "+e},n);return i.addEventListener("click",()=>{Fu(e).then(
s=>{i.classList.add("done"),$(n,s?"copied":"not copied: select the text"),setTimeout(()=>{$(n,t),i.classList.remove("don\
e")},1200)})}),i}async function Fu(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var po="unknown";function S(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return as(e.toLocaleString("en"));let n=Math.abs(e);return n>=1e6||
n<1e-4?as(e.toExponential(2)):as(String(Number(e.toPrecision(t))))}function as(e){return e.replace(/^-/,"\u2212")}function at(e){
return e==null||!Number.isFinite(e)?"\u2013":as((100*e).toFixed(1))+" %"}function Dt(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],n=0;for(;e>=1024&&n<t.length-1;n++)e/=1024;return`${n===0?e:e.toPrecision(3)} ${t[n]}`}function mn(e){
return e==null?"\u2013":e<1?`${S(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Qe(e/1e3)}function Qe(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return ju(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[n,i]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return n>0?`${n} h ${i} min`:`${i} min ${t%60} s`}function ju(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function An(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let n=i=>String(
i).padStart(2,"0");return`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())} ${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`}function cs(e,t){return e?Qe(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function ye(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Ze(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var $n=50,qu=5e3;async function fo(e){e.title();let t=new Set,n=r("div",null),i=r("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),s=r("button",{disabled:!0,onclick:()=>l()},"Comp\
are");$(e.root,r("div",{class:"bar"},r("h1",null,"Runs"),i,s),n);let l=()=>{let v=a.filter(k=>t.has(k.name)).sort((k,L)=>(k.
started??"").localeCompare(L.started??""));v.length>1&&(location.hash=B(["compare"],{run:v.map(k=>k.name)}))};e.key("c",
"compare the selected runs",l),e.key("x","select the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let a=[],u=0,d=()=>$(n,m()),m=()=>{let v=i.value.trim().toLowerCase(),k=a.filter(D=>v===""||Uu(D).includes(v));
u=Math.min(u,Math.max(0,Math.ceil(k.length/$n)-1));let L=D=>{let q=r("input",{type:"checkbox","aria-label":`compare ${D.
name}`,checked:t.has(D.name)});return q.addEventListener("change",()=>{q.checked?t.add(D.name):t.delete(D.name),s.disabled=
t.size<2,$(s,t.size<2?"Compare":`Compare ${t.size} runs`)}),q},P=D=>{u+=D,d()};return[k.length===0?Gu(a.length):Iu(k.slice(
u*$n,(u+1)*$n),L),k.length>$n?r("div",{class:"pager"},r("button",{disabled:u===0,onclick:()=>P(-1)},"\u2190 Newer"),r("s\
pan",null,`${u*$n+1} to ${Math.min(k.length,(u+1)*$n)} of ${k.length}`),r("button",{disabled:(u+1)*$n>=k.length,onclick:()=>P(
1)},"Older \u2192")):null]};i.addEventListener("input",()=>{u=0,d()});let g=async()=>{a=(await is(e.signal)).runs};await Ce(
e,n,async()=>(await g(),m()));let b=setInterval(()=>{!a.some(v=>v.live)||document.hidden||n.contains(document.activeElement)||
g().then(()=>Wu(d),()=>{})},qu);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function Wu(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let n of document.querySelectorAll("tr.item"))n.dataset.href===
t&&n.classList.add("current")}function Uu(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function Gu(e){return e>0?r("p",{class:"empty"},"No matching runs."):me("No runs yet",r("p",null,
"Start a run in this directory: "),tn("awhost apply"))}function Iu(e,t){let n=e.some(i=>i.machine);return Ae([{title:"",
cell:t},{title:"run",cell:i=>r("a",{class:"short",href:Cn(i.name),title:i.name},i.name)},{title:"status",cell:i=>[$i(i),
i.reason?r("div",{class:"reason dim",title:i.reason},i.reason):null]},{title:"step",right:!0,cell:Bu},{title:"reward",right:!0,
cell:i=>S(i.reward)},{title:"held-out success",right:!0,cell:Ri},{title:"stage",cell:i=>i.stage??"\u2013"},{title:"adapt\
er",cell:i=>i.adapter??"\u2013"},{title:"spec",wide:!0,cell:i=>i.problem?r("span",{class:"bad"},i.problem):i.spec},...n?
[{title:"machine",cell:i=>i.machine??"\u2013"}]:[],{title:"started",cell:i=>An(i.started)},{title:"duration",right:!0,cell:i=>i.
live||i.ended?cs(i.started,i.live?void 0:i.ended):"\u2013"},{title:"disk",right:!0,cell:i=>Dt(i.disk_bytes)}],e,i=>Cn(i.
name))}function $i(e){let t=e.status==="failed"||e.outcome==="failed",n=e.live?"live":t?"bad":e.status==="finished"?"goo\
d":"warn",i=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;return r("span",{class:"\
badge "+n},i)}function Bu(e){if(e.step<0)return"\u2013";let t=e.steps?r("progress",{value:e.step,max:e.steps,"aria-hidde\
n":"true"}):null;return[r("span",null,S(e.step),e.steps?r("span",{class:"dim"},` of ${S(e.steps)}`):null),t]}function Ri(e){
if(e.success_after===void 0&&e.success_before===void 0)return"\u2013";if(e.success_after===void 0)return[at(e.success_before),
r("span",{class:"dim"}," before")];if(e.success_before===void 0)return at(e.success_after);let t=e.live||e.success_after>
e.success_before||e.success_after===1,n=at(e.success_after);return[r("span",{class:"dim"},`${at(e.success_before)} \u2192 `),
t?n:r("span",{class:"badge warn",title:"not better than at the first validation"},n)]}var Ku="uplot",Yu="u-hz",Ju="u-vt",Qu="u-title",Zu="u-wrap",Xu="u-under",ep="u-over",tp="u-axis",Nn="u-off",np="u-select",
ip="u-cursor-x",sp="u-cursor-y",lp="u-cursor-pt",rp="u-legend",op="u-live",ap="u-inline",cp="u-series",up="u-marker",mo="\
u-label",pp="u-value",Ni="width",Oi="height";var ho="bottom",oi="left",vl="right",Ol="#000",go=Ol+"0",xl="mousemove",bo="mousedown",yl="mouseup",wo="mouseenter",vo="\
mouseleave",xo="dblclick",dp="resize",fp="scroll",yo="change",ms="dppxchange",Hl="--",mi=typeof window<"u",_l=mi?document:
null,ci=mi?window:null,mp=mi?navigator:null,ce,us;function Tl(){let e=devicePixelRatio;ce!=e&&(ce=e,us&&Pl(yo,us,Tl),us=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),On(yo,us,Tl),ci.dispatchEvent(new CustomEvent(
ms)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Ll(e,t){let n=e.classList;n.contains(
t)&&n.remove(t)}function ke(e,t,n){e.style[t]=n+"px"}function Nt(e,t,n,i){let s=_l.createElement(e);return t!=null&&mt(s,
t),n?.insertBefore(s,i),s}function St(e,t){return Nt("div",e,t)}var ko=new WeakMap;function It(e,t,n,i,s){let l="transla\
te("+t+"px,"+n+"px)",a=ko.get(e);l!=a&&(e.style.transform=l,ko.set(e,l),t<0||n<0||t>i||n>s?mt(e,Nn):Ll(e,Nn))}var So=new WeakMap;
function Eo(e,t,n){let i=t+n,s=So.get(e);i!=s&&(So.set(e,i),e.style.background=t,e.style.borderColor=n)}var Mo=new WeakMap;
function _o(e,t,n,i){let s=t+""+n,l=Mo.get(e);s!=l&&(Mo.set(e,s),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=
i?-t/2+"px":0,e.style.marginTop=i?-n/2+"px":0)}var zl={passive:!0},hp={...zl,capture:!0};function On(e,t,n,i){t.addEventListener(
e,n,i?hp:zl)}function Pl(e,t,n,i){t.removeEventListener(e,n,zl)}mi&&Tl();function Ot(e,t,n,i){let s;n=n||0,i=i||t.length-
1;let l=i<=2147483647;for(;i-n>1;)s=l?n+i>>1:ht((n+i)/2),t[s]<e?n=s:i=s;return e-t[n]<=t[i]-e?n:i}function ea(e){return(n,i,s)=>{
let l=-1,a=-1;for(let u=i;u<=s;u++)if(e(n[u])){l=u;break}for(let u=s;u>=i;u--)if(e(n[u])){a=u;break}return[l,a]}}var ta=e=>e!=
null,na=e=>e!=null&&e>0,bs=ea(ta),gp=ea(na);function bp(e,t,n,i=0,s=!1){let l=s?gp:bs,a=s?na:ta;[t,n]=l(e,t,n);let u=e[t],
d=e[t];if(t>-1)if(i==1)u=e[t],d=e[n];else if(i==-1)u=e[n],d=e[t];else for(let m=t;m<=n;m++){let g=e[m];a(g)&&(g<u?u=g:g>
d&&(d=g))}return[u??he,d??-he]}function ws(e,t,n,i){let s=Po(e),l=Po(t);e==t&&(s==-1?(e*=n,t/=n):(e/=n,t*=n));let a=n==10?
nn:ia,u=s==1?ht:Et,d=l==1?Et:ht,m=u(a(ze(e))),g=d(a(ze(t))),b=ui(n,m),v=ui(n,g);return n==10&&(m<0&&(b=ge(b,-m)),g<0&&(v=
ge(v,-g))),i||n==2?(e=b*s,t=v*l):(e=oa(e,b),t=vs(t,v)),[e,t]}function Vl(e,t,n,i){let s=ws(e,t,n,i);return e==0&&(s[0]=0),
t==0&&(s[1]=0),s}var Fl=.1,To={mode:3,pad:Fl},zi={pad:0,soft:null,mode:0},wp={min:zi,max:zi};function hs(e,t,n,i){return xs(
n)?Lo(e,t,n):(zi.pad=n,zi.soft=i?0:null,zi.mode=i?3:0,Lo(e,t,wp))}function oe(e,t){return e??t}function vp(e,t,n){for(t=
oe(t,0),n=oe(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Lo(e,t,n){let i=n.min,s=n.max,l=oe(i.pad,
0),a=oe(s.pad,0),u=oe(i.hard,-he),d=oe(s.hard,he),m=oe(i.soft,he),g=oe(s.soft,-he),b=oe(i.mode,0),v=oe(s.mode,0),k=t-e,L=nn(
k),P=st(ze(e),ze(t)),D=nn(P),q=ze(D-L);(k<1e-24||q>10)&&(k=0,(e==0||t==0)&&(k=1e-24,b==2&&m!=he&&(l=0),v==2&&g!=-he&&(a=
0)));let M=k||P||1e3,W=nn(M),_=ui(10,ht(W)),Z=M*(k==0?e==0?.1:1:l),O=ge(oa(e-Z,_/10),24),X=e>=m&&(b==1||b==3&&O<=m||b==2&&
O>=m)?m:he,Y=st(u,O<X&&e>=X?X:Ht(X,O)),ne=M*(k==0?t==0?.1:1:a),K=ge(vs(t+ne,_/10),24),T=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-he,Q=Ht(d,K>T&&t<=T?T:st(T,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var xp=new Intl.NumberFormat(mi?mp.language:"en-US"),
jl=e=>xp.format(e),gt=Math,fs=gt.PI,ze=gt.abs,ht=gt.floor,He=gt.round,Et=gt.ceil,Ht=gt.min,st=gt.max,ui=gt.pow,Po=gt.sign,
nn=gt.log10,ia=gt.log2,yp=(e,t=1)=>gt.sinh(e)*t,kl=(e,t=1)=>gt.asinh(e/t),he=1/0;function Co(e){return(nn((e^e>>31)-(e>>
31))|0)+1}function Cl(e,t,n){return Ht(st(e,t),n)}function sa(e){return typeof e=="function"}function ie(e){return sa(e)?
e:()=>e}var kp=()=>{},la=e=>e,ra=(e,t)=>t,Sp=e=>null,Ao=e=>!0,$o=(e,t)=>e==t,Ep=/\.\d*?(?=9{6,}|0{6,})/gm,Hn=e=>{if(ca(e)||
gn.has(e))return e;let t=`${e}`,n=t.match(Ep);if(n==null)return e;let i=n[0].length-1;if(t.indexOf("e-")!=-1){let[s,l]=t.
split("e");return+`${Hn(s)}e${l}`}return ge(e,i)};function Rn(e,t){return Hn(ge(Hn(e/t))*t)}function vs(e,t){return Hn(Et(
Hn(e/t))*t)}function oa(e,t){return Hn(ht(Hn(e/t))*t)}function ge(e,t=0){if(ca(e))return e;let n=10**t,i=e*n*(1+Number.EPSILON);
return He(i)/n}var gn=new Map;function aa(e){return((""+e).split(".")[1]||"").length}function Fi(e,t,n,i){let s=[],l=i.map(
aa);for(let a=t;a<n;a++){let u=ze(a),d=ge(ui(e,a),u);for(let m=0;m<i.length;m++){let g=e==10?+`${i[m]}e${a}`:i[m]*d,b=(a>=
0?0:u)+(a>=l[m]?0:l[m]),v=e==10?g:ge(g,b);s.push(v),gn.set(v,b)}}return s}var Vi={},ql=[],pi=[null,null],hn=Array.isArray,
ca=Number.isInteger,Mp=e=>e===void 0;function Ro(e){return typeof e=="string"}function xs(e){let t=!1;if(e!=null){let n=e.
constructor;t=n==null||n==Object}return t}function _p(e){return e!=null&&typeof e=="object"}var Tp=Object.getPrototypeOf(
Uint8Array),ua="__proto__";function di(e,t=xs){let n;if(hn(e)){let i=e.find(s=>s!=null);if(hn(i)||t(i)){n=Array(e.length);
for(let s=0;s<e.length;s++)n[s]=di(e[s],t)}else n=e.slice()}else if(e instanceof Tp)n=e.slice();else if(t(e)){n={};for(let i in e)
i!=ua&&(n[i]=di(e[i],t))}else n=e;return n}function De(e){let t=arguments;for(let n=1;n<t.length;n++){let i=t[n];for(let s in i)
s!=ua&&(xs(e[s])?De(e[s],di(i[s])):e[s]=di(i[s]))}return e}var Lp=0,Pp=1,Cp=2;function Ap(e,t,n){for(let i=0,s,l=-1;i<t.
length;i++){let a=t[i];if(a>l){for(s=a-1;s>=0&&e[s]==null;)e[s--]=null;for(s=a+1;s<n&&e[s]==null;)e[l=s++]=null}}}function $p(e,t){
if(Np(e)){let a=e[0].slice();for(let u=1;u<e.length;u++)a.push(...e[u].slice(1));return Op(a[0])||(a=Dp(a)),a}let n=new Set;
for(let a=0;a<e.length;a++){let d=e[a][0],m=d.length;for(let g=0;g<m;g++)n.add(d[g])}let i=[Array.from(n).sort((a,u)=>a-
u)],s=i[0].length,l=new Map;for(let a=0;a<s;a++)l.set(i[0][a],a);for(let a=0;a<e.length;a++){let u=e[a],d=u[0];for(let m=1;m<
u.length;m++){let g=u[m],b=Array(s).fill(void 0),v=t?t[a][m]:Pp,k=[];for(let L=0;L<g.length;L++){let P=g[L],D=l.get(d[L]);
P===null?v!=Lp&&(b[D]=P,v==Cp&&k.push(D)):b[D]=P}Ap(b,k,s),i.push(b)}}return i}var Rp=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function Dp(e){let t=e[0],n=t.length,i=Array(n);for(let l=0;l<i.length;l++)i[l]=l;i.sort(
(l,a)=>t[l]-t[a]);let s=[];for(let l=0;l<e.length;l++){let a=e[l],u=Array(n);for(let d=0;d<n;d++)u[d]=a[i[d]];s.push(u)}
return s}function Np(e){let t=e[0][0],n=t.length;for(let i=1;i<e.length;i++){let s=e[i][0];if(s.length!=n)return!1;if(s!=
t){for(let l=0;l<n;l++)if(s[l]!=t[l])return!1}}return!0}function Op(e,t=100){let n=e.length;if(n<=1)return!0;let i=0,s=n-
1;for(;i<=s&&e[i]==null;)i++;for(;s>=i&&e[s]==null;)s--;if(s<=i)return!0;let l=st(1,ht((s-i+1)/t));for(let a=e[i],u=i+l;u<=
s;u+=l){let d=e[u];if(d!=null){if(d<=a)return!1;a=d}}return!0}var pa=["January","February","March","April","May","June",
"July","August","September","October","November","December"],da=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function fa(e){return e.slice(0,3)}var Hp=da.map(fa),zp=pa.map(fa),Vp={MMMM:pa,MMM:zp,WWWW:da,WWW:Hp};function Di(e){
return(e<10?"0":"")+e}function Fp(e){return(e<10?"00":e<100?"0":"")+e}var jp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Di(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Di(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Di(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Di(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Di(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>Fp(e.getMilliseconds())};function Wl(e,t){t=t||Vp;let n=[],i=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=i.exec(
e);)n.push(s[0][0]=="{"?jp[s[1]]:s[0]);return l=>{let a="";for(let u=0;u<n.length;u++)a+=typeof n[u]=="string"?n[u]:n[u](
l,t);return a}}var qp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Wp(e,t){let n;return t=="UTC"||t=="E\
tc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==qp?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(
e.getMilliseconds())),n}var ma=e=>e%1==0,gs=[1,2,2.5,5],Up=Fi(10,-32,0,gs),ha=Fi(10,0,32,gs),Gp=ha.filter(ma),Dn=Up.concat(
ha),Ul=`
`,ga="{YYYY}",Do=Ul+ga,ba="{M}/{D}",Hi=Ul+ba,ps=Hi+"/{YY}",wa="{aa}",Ip="{h}:{mm}",ai=Ip+wa,No=Ul+ai,Oo=":{ss}",pe=null;
function va(e){let t=e*1e3,n=t*60,i=n*60,s=i*24,l=s*30,a=s*365,d=(e==1?Fi(10,0,3,gs).filter(ma):Fi(10,-3,0,gs)).concat([
t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,i,i*2,i*3,i*4,i*6,i*8,i*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,l,l*2,l*
3,l*4,l*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),m=[[a,ga,pe,pe,pe,pe,pe,pe,1],[s*28,"{MMM}",Do,pe,pe,pe,pe,pe,1],[s,ba,Do,pe,
pe,pe,pe,pe,1],[i,"{h}"+wa,ps,pe,Hi,pe,pe,pe,1],[n,ai,ps,pe,Hi,pe,pe,pe,1],[t,Oo,ps+" "+ai,pe,Hi+" "+ai,pe,No,pe,1],[e,Oo+
".{fff}",ps+" "+ai,pe,Hi+" "+ai,pe,No,pe,1]];function g(b){return(v,k,L,P,D,q)=>{let M=[],W=D>=a,_=D>=l&&D<a,Z=b(L),O=ge(
Z*e,3),X=Sl(Z.getFullYear(),W?0:Z.getMonth(),_||W?1:Z.getDate()),Y=ge(X*e,3);if(_||W){let ne=_?D/l:0,K=W?D/a:0,T=O==Y?O:
ge(Sl(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(He(T/e)),H=Q.getFullYear(),G=Q.getMonth();for(let j=0;T<=P;j++){
let se=Sl(H+K*j,G+ne*j,1),F=se-b(ge(se*e,3));T=ge((+se+F)*e,3),T<=P&&M.push(T)}}else{let ne=D>=s?s:D,K=ht(L)-ht(O),T=Y+K+
vs(O-Y,ne);M.push(T);let Q=b(T),H=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/i,G=D/i,j=v.axes[k]._space,se=q/j;for(;T=
ge(T+D,e==1?0:3),!(T>P);)if(G>1){let F=ht(ge(H+G,6))%24,le=b(T).getHours()-F;le>1&&(le=-1),T-=le*i,H=(H+G)%24;let de=M[M.
length-1];ge((T-de)/D,3)*se>=.7&&M.push(T)}else M.push(T)}return M}}return[d,m,g]}var[Bp,Kp,Yp]=va(1),[Jp,Qp,Zp]=va(.001);
Fi(2,-53,53,[1]);function Ho(e,t){return e.map(n=>n.map((i,s)=>s==0||s==8||i==null?i:t(s==1||n[8]==0?i:n[1]+i)))}function zo(e,t){
return(n,i,s,l,a)=>{let u=t.find(L=>a>=L[0])||t[t.length-1],d,m,g,b,v,k;return i.map(L=>{let P=e(L),D=P.getFullYear(),q=P.
getMonth(),M=P.getDate(),W=P.getHours(),_=P.getMinutes(),Z=P.getSeconds(),O=D!=d&&u[2]||q!=m&&u[3]||M!=g&&u[4]||W!=b&&u[5]||
_!=v&&u[6]||Z!=k&&u[7]||u[1];return d=D,m=q,g=M,b=W,v=_,k=Z,O(P)})}}function Xp(e,t){let n=Wl(t);return(i,s,l,a,u)=>s.map(
d=>n(e(d)))}function Sl(e,t,n){return new Date(e,t,n)}function Vo(e,t){return t(e)}var ed="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function Fo(e,t){return(n,i,s,l)=>l==null?Hl:t(e(i))}function td(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.
width?n.points.stroke(e,t):null}function nd(e,t){return e.series[t].fill(e,t)}var id={show:!0,live:!0,isolate:!1,mount:kp,
markers:{show:!0,width:2,stroke:td,fill:nd,dash:"solid"},idx:null,idxs:null,values:[]};function sd(e,t){let n=e.cursor.points,
i=St(),s=n.size(e,t);ke(i,Ni,s),ke(i,Oi,s);let l=s/-2;ke(i,"marginLeft",l),ke(i,"marginTop",l);let a=n.width(e,t,s);return a&&
ke(i,"borderWidth",a),i}function ld(e,t){let n=e.series[t].points;return n._fill||n._stroke}function rd(e,t){let n=e.series[t].
points;return n._stroke||n._fill}function od(e,t){return e.series[t].points.size}var El=[0,0];function ad(e,t,n){return El[0]=
t,El[1]=n,El}function ds(e,t,n,i=!0){return s=>{s.button==0&&(!i||s.target==t)&&n(s)}}function Ml(e,t,n,i=!0){return s=>{
(!i||s.target==t)&&n(s)}}var cd={show:!0,x:!0,y:!0,lock:!1,move:ad,points:{one:!1,show:sd,size:od,width:0,stroke:rd,fill:ld},
bind:{mousedown:ds,mouseup:ds,click:ds,dblclick:ds,mousemove:Ml,mouseleave:Ml,mouseenter:Ml},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,i,s)=>i-
s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},xa={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Gl=De({},xa,{filter:ra}),ya=De({},Gl,{size:10}),ka=De({},xa,{show:!1}),Il='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Sa="bold "+Il,Ea=1.5,jo={show:!0,scale:"x",stroke:Ol,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Sa,side:2,grid:Gl,ticks:ya,border:ka,font:Il,lineGap:Ea,rotate:0},ud="\
Value",pd="Time",qo={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function dd(e,t,n,i,s){return t.map(l=>l==
null?"":jl(l))}function fd(e,t,n,i,s,l,a){let u=[],d=gn.get(s)||0;n=a?n:ge(vs(n,s),d);for(let m=n;m<=i;m=ge(m+s,d))u.push(
Object.is(m,-0)?0:m);return u}function Al(e,t,n,i,s,l,a){let u=[],d=e.scales[e.axes[t].scale].log,m=d==10?nn:ia,g=ht(m(n));
s=ui(d,g),d==10&&(s=Dn[Ot(s,Dn)]);let b=n,v=s*d;d==10&&(v=Dn[Ot(v,Dn)]);do u.push(b),b=b+s,d==10&&!gn.has(b)&&(b=ge(b,gn.
get(s))),b>=v&&(s=b,v=s*d,d==10&&(v=Dn[Ot(v,Dn)]));while(b<=i);return u}function md(e,t,n,i,s,l,a){let d=e.scales[e.axes[t].
scale].asinh,m=i>d?Al(e,t,st(d,n),i,s):[d],g=i>=0&&n<=0?[0]:[];return(n<-d?Al(e,t,st(d,-i),-n,s):[d]).reverse().map(v=>-v).
concat(g,m)}var Ma=/./,hd=/[12357]/,gd=/[125]/,Wo=/1/,$l=(e,t,n,i)=>e.map((s,l)=>t==4&&s==0||l%i==0&&n.test(s.toExponential()[s<
0?1:0])?s:null);function bd(e,t,n,i,s){let l=e.axes[n],a=l.scale,u=e.scales[a],d=e.valToPos,m=l._space,g=d(10,a),b=d(9,a)-
g>=m?Ma:d(7,a)-g>=m?hd:d(5,a)-g>=m?gd:Wo;if(b==Wo){let v=ze(d(1,a)-g);if(v<m)return $l(t.slice().reverse(),u.distr,b,Et(
m/v)).reverse()}return $l(t,u.distr,b,1)}function wd(e,t,n,i,s){let l=e.axes[n],a=l.scale,u=l._space,d=e.valToPos,m=ze(d(
1,a)-d(2,a));return m<u?$l(t.slice().reverse(),3,Ma,Et(u/m)).reverse():t}function vd(e,t,n,i){return i==null?Hl:t==null?
"":jl(t)}var Uo={show:!0,scale:"y",stroke:Ol,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Sa,side:3,
grid:Gl,ticks:ya,border:ka,font:Il,lineGap:Ea,rotate:0};function xd(e,t){let n=3+(e||1)*2;return ge(n*t,3)}function yd(e,t){
let{scale:n,idxs:i}=e.series[0],s=e._data[0],l=e.valToPos(s[i[0]],n,!0),a=e.valToPos(s[i[1]],n,!0),u=ze(a-l),d=e.series[t],
m=u/(d.points.space*ce);return i[1]-i[0]<=m}var Go={scale:null,auto:!0,sorted:0,min:he,max:-he},_a=(e,t,n,i,s)=>s,Io={show:!0,
auto:!0,sorted:0,gaps:_a,alpha:1,facets:[De({},Go,{scale:"x"}),De({},Go,{scale:"y"})]},Bo={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:_a,alpha:1,points:{show:yd,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function kd(e,t,n,i,s){
return n/10}var Ta={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Sd=De({},Ta,{time:!1,ori:1}),Ko={};
function La(e,t){let n=Ko[e];return n||(n={key:e,plots:[],sub(i){n.plots.push(i)},unsub(i){n.plots=n.plots.filter(s=>s!=
i)},pub(i,s,l,a,u,d,m){for(let g=0;g<n.plots.length;g++)n.plots[g]!=s&&n.plots[g].pub(i,s,l,a,u,d,m)}},e!=null&&(Ko[e]=n)),
n}var fi=1,Rl=2;function zn(e,t,n){let i=e.mode,s=e.series[t],l=i==2?e._data[t]:e._data,a=e.scales,u=e.bbox,d=l[0],m=i==
2?l[1]:l[t],g=i==2?a[s.facets[0].scale]:a[e.series[0].scale],b=i==2?a[s.facets[1].scale]:a[s.scale],v=u.left,k=u.top,L=u.
width,P=u.height,D=e.valToPosH,q=e.valToPosV;return g.ori==0?n(s,d,m,g,b,D,q,v,k,L,P,ks,hi,Es,Ca,$a):n(s,d,m,g,b,q,D,k,v,
P,L,Ss,gi,Yl,Aa,Ra)}function Bl(e,t){let n=0,i=0,s=oe(e.bands,ql);for(let l=0;l<s.length;l++){let a=s[l];a.series[0]==t?
n=a.dir:a.series[1]==t&&(a.dir==1?i|=1:i|=2)}return[n,i==1?-1:i==2?1:i==3?2:0]}function Ed(e,t,n,i,s){let l=e.mode,a=e.series[t],
u=l==2?a.facets[1].scale:a.scale,d=e.scales[u];return s==-1?d.min:s==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function sn(e,t,n,i,s,l){
return zn(e,t,(a,u,d,m,g,b,v,k,L,P,D)=>{let q=a.pxRound,M=m.dir*(m.ori==0?1:-1),W=m.ori==0?hi:gi,_,Z;M==1?(_=n,Z=i):(_=i,
Z=n);let O=q(b(u[_],m,P,k)),X=q(v(d[_],g,D,L)),Y=q(b(u[Z],m,P,k)),ne=q(v(l==1?g.max:g.min,g,D,L)),K=new Path2D(s);return W(
K,Y,ne),W(K,O,ne),W(K,O,X),K})}function ys(e,t,n,i,s,l){let a=null;if(e.length>0){a=new Path2D;let u=t==0?Es:Yl,d=n;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let k=v[0]-d;k>0&&u(a,d,i,k,i+l),d=v[1]}}let m=n+s-d,g=10;m>0&&u(a,d,i-g/2,m,i+l+
g)}return a}function Md(e,t,n){let i=e[e.length-1];i&&i[0]==t?i[1]=n:e.push([t,n])}function Kl(e,t,n,i,s,l,a){let u=[],d=e.
length;for(let m=s==1?n:i;m>=n&&m<=i;m+=s)if(t[m]===null){let b=m,v=m;if(s==1)for(;++m<=i&&t[m]===null;)v=m;else for(;--m>=
n&&t[m]===null;)v=m;let k=l(e[b]),L=v==b?k:l(e[v]),P=b-s;k=a<=0&&P>=0&&P<d?l(e[P]):k;let q=v+s;L=a>=0&&q>=0&&q<d?l(e[q]):
L,L>=k&&u.push([k,L])}return u}function Yo(e){return e==0?la:e==1?He:t=>Rn(t,e)}function Pa(e){let t=e==0?ks:Ss,n=e==0?(s,l,a,u,d,m)=>{
s.arcTo(l,a,u,d,m)}:(s,l,a,u,d,m)=>{s.arcTo(a,l,d,u,m)},i=e==0?(s,l,a,u,d)=>{s.rect(l,a,u,d)}:(s,l,a,u,d)=>{s.rect(a,l,d,
u)};return(s,l,a,u,d,m=0,g=0)=>{m==0&&g==0?i(s,l,a,u,d):(m=Ht(m,u/2,d/2),g=Ht(g,u/2,d/2),t(s,l+m,a),n(s,l+u,a,l+u,a+d,m),
n(s,l+u,a+d,l,a+d,g),n(s,l,a+d,l,a,g),n(s,l,a,l+u,a,m),s.closePath())}}var ks=(e,t,n)=>{e.moveTo(t,n)},Ss=(e,t,n)=>{e.moveTo(
n,t)},hi=(e,t,n)=>{e.lineTo(t,n)},gi=(e,t,n)=>{e.lineTo(n,t)},Es=Pa(0),Yl=Pa(1),Ca=(e,t,n,i,s,l)=>{e.arc(t,n,i,s,l)},Aa=(e,t,n,i,s,l)=>{
e.arc(n,t,i,s,l)},$a=(e,t,n,i,s,l,a)=>{e.bezierCurveTo(t,n,i,s,l,a)},Ra=(e,t,n,i,s,l,a)=>{e.bezierCurveTo(n,t,s,i,a,l)};
function Da(e){return(t,n,i,s,l)=>zn(t,n,(a,u,d,m,g,b,v,k,L,P,D)=>{let{pxRound:q,points:M}=a,W,_;m.ori==0?(W=ks,_=Ca):(W=
Ss,_=Aa);let Z=ge(M.width*ce,3),O=(M.size-M.width)/2*ce,X=ge(O*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:T,width:Q,height:H}=t.
bbox;Es(ne,K-X,T-X,Q+X*2,H+X*2);let G=j=>{if(d[j]!=null){let se=q(b(u[j],m,P,k)),F=q(v(d[j],g,D,L));W(Y,se+O,F),_(Y,se,F,
O,0,fs*2)}};if(l)l.forEach(G);else for(let j=i;j<=s;j++)G(j);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:fi|Rl}})}function Na(e){
return(t,n,i,s,l,a)=>{i!=s&&(l!=i&&a!=i&&e(t,n,i),l!=s&&a!=s&&e(t,n,s),e(t,n,a))}}var _d=Na(hi),Td=Na(gi);function Oa(e){
let t=oe(e?.alignGaps,0);return(n,i,s,l)=>zn(n,i,(a,u,d,m,g,b,v,k,L,P,D)=>{[s,l]=bs(d,s,l);let q=a.pxRound,M=H=>q(b(H,m,
P,k)),W=H=>q(v(H,g,D,L)),_,Z;m.ori==0?(_=hi,Z=_d):(_=gi,Z=Td);let O=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:fi},Y=X.stroke,ne=!1;if(l-s>=P*4){let H=z=>n.posToVal(z,m.key,!0),G=null,j=null,se,F,
lt,Se=M(u[O==1?s:l]),le=M(u[s]),de=M(u[l]),ee=H(O==1?le+1:de-1);for(let z=O==1?s:l;z>=s&&z<=l;z+=O){let Ne=u[z],Ee=(O==1?
Ne<ee:Ne>ee)?Se:M(Ne),ue=d[z];Ee==Se?ue!=null?(F=ue,G==null?(_(Y,Ee,W(F)),se=G=j=F):F<G?G=F:F>j&&(j=F)):ue===null&&(ne=!0):
(G!=null&&Z(Y,Se,W(G),W(j),W(se),W(F)),ue!=null?(F=ue,_(Y,Ee,W(F)),G=j=se=F):(G=j=null,ue===null&&(ne=!0)),Se=Ee,ee=H(Se+
O))}G!=null&&G!=j&&lt!=Se&&Z(Y,Se,W(G),W(j),W(se),W(F))}else for(let H=O==1?s:l;H>=s&&H<=l;H+=O){let G=d[H];G===null?ne=
!0:G!=null&&_(Y,M(u[H]),W(G))}let[T,Q]=Bl(n,i);if(a.fill!=null||T!=0){let H=X.fill=new Path2D(Y),G=a.fillTo(n,i,a.min,a.
max,T),j=W(G),se=M(u[s]),F=M(u[l]);O==-1&&([F,se]=[se,F]),_(H,F,j),_(H,se,j)}if(!a.spanGaps){let H=[];ne&&H.push(...Kl(u,
d,s,l,O,M,t)),X.gaps=H=a.gaps(n,i,s,l,H),X.clip=ys(H,m.ori,k,L,P,D)}return Q!=0&&(X.band=Q==2?[sn(n,i,s,l,Y,-1),sn(n,i,s,
l,Y,1)]:sn(n,i,s,l,Y,Q)),X})}function Ld(e){let t=oe(e.align,1),n=oe(e.ascDesc,!1),i=oe(e.alignGaps,0),s=oe(e.extend,!1);
return(l,a,u,d)=>zn(l,a,(m,g,b,v,k,L,P,D,q,M,W)=>{[u,d]=bs(b,u,d);let _=m.pxRound,{left:Z,width:O}=l.bbox,X=le=>_(L(le,v,
M,D)),Y=le=>_(P(le,k,W,q)),ne=v.ori==0?hi:gi,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:fi},T=K.
stroke,Q=v.dir*(v.ori==0?1:-1),H=Y(b[Q==1?u:d]),G=X(g[Q==1?u:d]),j=G,se=G;s&&t==-1&&(se=Z,ne(T,se,H)),ne(T,G,H);for(let le=Q==
1?u:d;le>=u&&le<=d;le+=Q){let de=b[le];if(de==null)continue;let ee=X(g[le]),z=Y(de);t==1?ne(T,ee,H):ne(T,j,z),ne(T,ee,z),
H=z,j=ee}let F=j;s&&t==1&&(F=Z+O,ne(T,F,H));let[lt,Se]=Bl(l,a);if(m.fill!=null||lt!=0){let le=K.fill=new Path2D(T),de=m.
fillTo(l,a,m.min,m.max,lt),ee=Y(de);ne(le,F,ee),ne(le,se,ee)}if(!m.spanGaps){let le=[];le.push(...Kl(g,b,u,d,Q,X,i));let de=m.
width*ce/2,ee=n||t==1?de:-de,z=n||t==-1?-de:de;le.forEach(Ne=>{Ne[0]+=ee,Ne[1]+=z}),K.gaps=le=m.gaps(l,a,u,d,le),K.clip=
ys(le,v.ori,D,q,M,W)}return Se!=0&&(K.band=Se==2?[sn(l,a,u,d,T,-1),sn(l,a,u,d,T,1)]:sn(l,a,u,d,T,Se)),K})}function Jo(e,t,n,i,s,l,a=he){
if(e.length>1){let u=null;for(let d=0,m=1/0;d<e.length;d++)if(t[d]!==void 0){if(u!=null){let g=ze(e[d]-e[u]);g<m&&(m=g,a=
ze(n(e[d],i,s,l)-n(e[u],i,s,l)))}u=d}}return a}function Pd(e){e=e||Vi;let t=oe(e.size,[.6,he,1]),n=e.align||0,i=e.gap||0,
s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let l=ie(s),a=1-t[0],u=oe(t[1],he),d=oe(t[2],1),m=oe(e.disp,Vi),g=oe(
e.each,k=>{}),{fill:b,stroke:v}=m;return(k,L,P,D)=>zn(k,L,(q,M,W,_,Z,O,X,Y,ne,K,T)=>{let Q=q.pxRound,H=n,G=i*ce,j=u*ce,se=d*
ce,F,lt;_.ori==0?[F,lt]=l(k,L):[lt,F]=l(k,L);let Se=_.dir*(_.ori==0?1:-1),le=_.ori==0?Es:Yl,de=_.ori==0?g:(R,be,Oe,Wn,yn,Vt,kn)=>{
g(R,be,Oe,yn,Wn,kn,Vt)},ee=oe(k.bands,ql).find(R=>R.series[0]==L),z=ee!=null?ee.dir:0,Ne=q.fillTo(k,L,q.min,q.max,z),Xe=Q(
X(Ne,Z,T,ne)),Ee,ue,Tt,ct=K,_e=Q(q.width*ce),zt=!1,Bt=null,bt=null,rn=null,Fn=null;b!=null&&(_e==0||v!=null)&&(zt=!0,Bt=
b.values(k,L,P,D),bt=new Map,new Set(Bt).forEach(R=>{R!=null&&bt.set(R,new Path2D)}),_e>0&&(rn=v.values(k,L,P,D),Fn=new Map,
new Set(rn).forEach(R=>{R!=null&&Fn.set(R,new Path2D)})));let{x0:jn,size:xi}=m;if(jn!=null&&xi!=null){H=1,M=jn.values(k,
L,P,D),jn.unit==2&&(M=M.map(Oe=>k.posToVal(Y+Oe*K,_.key,!0)));let R=xi.values(k,L,P,D);xi.unit==2?ue=R[0]*K:ue=O(R[0],_,
K,Y)-O(0,_,K,Y),ct=Jo(M,W,O,_,K,Y,ct),Tt=ct-ue+G}else ct=Jo(M,W,O,_,K,Y,ct),Tt=ct*a+G,ue=ct-Tt;Tt<1&&(Tt=0),_e>=ue/2&&(_e=
0),Tt<5&&(Q=la);let Gi=Tt>0,vn=ct-Tt-(Gi?_e:0);ue=Q(Cl(vn,se,j)),Ee=(H==0?ue/2:H==Se?0:ue)-H*Se*((H==0?G/2:0)+(Gi?_e/2:0));
let et={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},qn=zt?null:new Path2D,Kt=null;if(ee!=null)Kt=k.data[ee.
series[1]];else{let{y0:R,y1:be}=m;R!=null&&be!=null&&(W=be.values(k,L,P,D),Kt=R.values(k,L,P,D))}let xn=F*ue,J=lt*ue;for(let R=Se==
1?P:D;R>=P&&R<=D;R+=Se){let be=W[R];if(be==null)continue;if(Kt!=null){let rt=Kt[R]??0;if(be-rt==0)continue;Xe=X(rt,Z,T,ne)}
let Oe=_.distr!=2||m!=null?M[R]:R,Wn=O(Oe,_,K,Y),yn=X(oe(be,Ne),Z,T,ne),Vt=Q(Wn-Ee),kn=Q(st(yn,Xe)),ut=Q(Ht(yn,Xe)),wt=kn-
ut;if(be!=null){let rt=be<0?J:xn,Lt=be<0?xn:J;zt?(_e>0&&rn[R]!=null&&le(Fn.get(rn[R]),Vt,ut+ht(_e/2),ue,st(0,wt-_e),rt,Lt),
Bt[R]!=null&&le(bt.get(Bt[R]),Vt,ut+ht(_e/2),ue,st(0,wt-_e),rt,Lt)):le(qn,Vt,ut+ht(_e/2),ue,st(0,wt-_e),rt,Lt),de(k,L,R,
Vt-_e/2,ut,ue+_e,wt)}}return _e>0?et.stroke=zt?Fn:qn:zt||(et._fill=q.width==0?q._fill:q._stroke??q._fill,et.width=0),et.
fill=zt?bt:qn,et})}function Cd(e,t){let n=oe(t?.alignGaps,0);return(i,s,l,a)=>zn(i,s,(u,d,m,g,b,v,k,L,P,D,q)=>{[l,a]=bs(
m,l,a);let M=u.pxRound,W=F=>M(v(F,g,D,L)),_=F=>M(k(F,b,q,P)),Z,O,X;g.ori==0?(Z=ks,X=hi,O=$a):(Z=Ss,X=gi,O=Ra);let Y=g.dir*
(g.ori==0?1:-1),ne=W(d[Y==1?l:a]),K=ne,T=[],Q=[];for(let F=Y==1?l:a;F>=l&&F<=a;F+=Y)if(m[F]!=null){let Se=d[F],le=W(Se);
T.push(K=le),Q.push(_(m[F]))}let H={stroke:e(T,Q,Z,X,O,M),fill:null,clip:null,band:null,gaps:null,flags:fi},G=H.stroke,[
j,se]=Bl(i,s);if(u.fill!=null||j!=0){let F=H.fill=new Path2D(G),lt=u.fillTo(i,s,u.min,u.max,j),Se=_(lt);X(F,K,Se),X(F,ne,
Se)}if(!u.spanGaps){let F=[];F.push(...Kl(d,m,l,a,Y,W,n)),H.gaps=F=u.gaps(i,s,l,a,F),H.clip=ys(F,g.ori,L,P,D,q)}return se!=
0&&(H.band=se==2?[sn(i,s,l,a,G,-1),sn(i,s,l,a,G,1)]:sn(i,s,l,a,G,se)),H})}function Ad(e){return Cd($d,e)}function $d(e,t,n,i,s,l){
let a=e.length;if(a<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),a==2)i(u,e[1],t[1]);else{let d=Array(a),m=Array(a-1),
g=Array(a-1),b=Array(a-1);for(let v=0;v<a-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];d[0]=m[0];for(let v=1;v<
a-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?d[v]=0:(d[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(d[v])||(d[v]=0));d[a-1]=m[a-2];for(let v=0;v<a-1;v++)s(u,e[v]+b[v]/3,t[v]+d[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-d[v+
1]*b[v]/3,e[v+1],t[v+1])}return u}var Dl=new Set;function Qo(){for(let e of Dl)e.syncRect(!0)}mi&&(On(dp,ci,Qo),On(fp,ci,
Qo,!0),On(ms,ci,()=>{Ke.pxRatio=ce}));var Rd=Oa(),Dd=Da();function Zo(e,t,n,i){return(i?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((l,a)=>Nl(l,a,t,n))}function Nd(e,t){return e.map((n,i)=>i==0?{}:De({},t,n))}function Nl(e,t,n,i){
return De({},t==0?n:i,e)}function Ha(e,t,n){return t==null?pi:[t,n]}var Od=Ha;function Hd(e,t,n){return t==null?pi:hs(t,
n,Fl,!0)}function za(e,t,n,i){return t==null?pi:ws(t,n,e.scales[i].log,!1)}var zd=za;function Va(e,t,n,i){return t==null?
pi:Vl(t,n,e.scales[i].log,!1)}var Vd=Va;function Fd(e,t,n,i,s){let l=st(Co(e),Co(t)),a=t-e,u=Ot(s/i*a,n);do{let d=n[u],m=i*
d/a;if(m>=s&&l+(d<5?gn.get(d):0)<=17)return[d,m]}while(++u<n.length);return[0,0]}function Xo(e){let t,n;return e=e.replace(
/(\d+)px/,(i,s)=>(t=He((n=+s)*ce))+"px"),[e,t,n]}function jd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=ge(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Ke(e,t,n){let i={mode:oe(e.mode,1)},s=i.mode;function l(o,c,p,f){
let h=c.valToPct(o);return f+p*(c.dir==-1?1-h:h)}function a(o,c,p,f){let h=c.valToPct(o);return f+p*(c.dir==-1?h:1-h)}function u(o,c,p,f){
return c.ori==0?l(o,c,p,f):a(o,c,p,f)}i.valToPosH=l,i.valToPosV=a;let d=!1;i.status=0;let m=i.root=St(Ku);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let o=St(Qu,m);o.textContent=e.title}let g=Nt("canvas"),b=i.ctx=g.getContext("2d"),v=St(
Zu,m);On("click",v,o=>{o.target===L&&(we!=ei||Me!=ti)&&Be.click(i,o)},!0);let k=i.under=St(Xu,v);v.appendChild(g);let L=i.
over=St(ep,v);e=di(e);let P=+oe(e.pxAlign,1),D=Yo(P);(e.plugins||[]).forEach(o=>{o.opts&&(e=o.opts(i,e)||e)});let q=e.ms||
.001,M=i.series=s==1?Zo(e.series||[],qo,Bo,!1):Nd(e.series||[null],Io),W=i.axes=Zo(e.axes||[],jo,Uo,!0),_=i.scales={},Z=i.
bands=e.bands||[];Z.forEach(o=>{o.fill=ie(o.fill||null),o.dir=oe(o.dir,-1)});let O=s==2?M[1].facets[0].scale:M[0].scale,
X={axes:Jc,series:Gc},Y=(e.drawOrder||["axes","series"]).map(o=>X[o]);function ne(o){let c=o.distr==3?p=>nn(p>0?p:o.clamp(
i,p,o.min,o.max,o.key)):o.distr==4?p=>kl(p,o.asinh):o.distr==100?p=>o.fwd(p):p=>p;return p=>{let f=c(p),{_min:h,_max:w}=o,
x=w-h;return(f-h)/x}}function K(o){let c=_[o];if(c==null){let p=(e.scales||Vi)[o]||Vi;if(p.from!=null){K(p.from);let f=De(
{},_[p.from],p,{key:o});f.valToPct=ne(f),_[o]=f}else{c=_[o]=De({},o==O?Ta:Sd,p),c.key=o;let f=c.time,h=c.range,w=hn(h);if((o!=
O||s==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?To:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?To:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&xs(h))){let x=h;h=(y,E,C)=>E==null?pi:hs(E,C,x)}c.range=ie(h||(f?Od:o==O?c.distr==3?zd:c.
distr==4?Vd:Ha:c.distr==3?za:c.distr==4?Va:Hd)),c.auto=ie(w?!1:c.auto),c.clamp=ie(c.clamp||kd),c._min=c._max=null,c.valToPct=
ne(c)}}}K("x"),K("y"),s==1&&M.forEach(o=>{K(o.scale)}),W.forEach(o=>{K(o.scale)});for(let o in e.scales)K(o);let T=_[O],
Q=T.distr,H,G;T.ori==0?(mt(m,Yu),H=l,G=a):(mt(m,Ju),H=a,G=l);let j={};for(let o in _){let c=_[o];(c.min!=null||c.max!=null)&&
(j[o]={min:c.min,max:c.max},c.min=c.max=null)}let se=e.tzDate||(o=>new Date(He(o/q))),F=e.fmtDate||Wl,lt=q==1?Yp(se):Zp(
se),Se=zo(se,Ho(q==1?Kp:Qp,F)),le=Fo(se,Vo(ed,F)),de=[],ee=i.legend=De({},id,e.legend),z=i.cursor=De({},cd,{drag:{y:s==2}},
e.cursor),Ne=ee.show,Xe=z.show,Ee=ee.markers;ee.idxs=de,Ee.width=ie(Ee.width),Ee.dash=ie(Ee.dash),Ee.stroke=ie(Ee.stroke),
Ee.fill=ie(Ee.fill);let ue,Tt,ct,_e=[],zt=[],Bt,bt=!1,rn={};if(ee.live){let o=M[1]?M[1].values:null;bt=o!=null,Bt=bt?o(i,
1,0):{_:0};for(let c in Bt)rn[c]=Hl}if(Ne)if(ue=Nt("table",rp,m),ct=Nt("tbody",null,ue),ee.mount(i,ue),bt){Tt=Nt("thead",
null,ue,ct);let o=Nt("tr",null,Tt);Nt("th",null,o);for(var Fn in Bt)Nt("th",mo,o).textContent=Fn}else mt(ue,ap),ee.live&&
mt(ue,op);let jn={show:!0},xi={show:!1};function Gi(o,c){if(c==0&&(bt||!ee.live||s==2))return pi;let p=[],f=Nt("tr",cp,ct,
ct.childNodes[c]);mt(f,o.class),o.show||mt(f,Nn);let h=Nt("th",null,f);if(Ee.show){let y=St(up,h);if(c>0){let E=Ee.width(
i,c);E&&(y.style.border=E+"px "+Ee.dash(i,c)+" "+Ee.stroke(i,c)),y.style.background=Ee.fill(i,c)}}let w=St(mo,h);o.label instanceof
HTMLElement?w.appendChild(o.label):w.textContent=o.label,c>0&&(Ee.show||(w.style.color=o.width>0?Ee.stroke(i,c):Ee.fill(
i,c)),et("click",h,y=>{if(z._lock)return;En(y);let E=M.indexOf(o);if((y.ctrlKey||y.metaKey)!=ee.isolate){let C=M.some((A,N)=>N>
0&&N!=E&&A.show);M.forEach((A,N)=>{N>0&&jt(N,C?N==E?jn:xi:jn,!0,$e.setSeries)})}else jt(E,{show:!o.show},!0,$e.setSeries)},
!1),Gn&&et(wo,h,y=>{z._lock||(En(y),jt(M.indexOf(o),ii,!0,$e.setSeries))},!1));for(var x in Bt){let y=Nt("td",pp,f);y.textContent=
"--",p.push(y)}return[f,p]}let vn=new Map;function et(o,c,p,f=!0){let h=vn.get(c)||{},w=z.bind[o](i,c,p,f);w&&(On(o,c,h[o]=
w),vn.set(c,h))}function qn(o,c,p){let f=vn.get(c)||{};for(let h in f)(o==null||h==o)&&(Pl(h,c,f[h]),delete f[h]);o==null&&
vn.delete(c)}let Kt=0,xn=0,J=0,R=0,be=0,Oe=0,Wn=be,yn=Oe,Vt=J,kn=R,ut=0,wt=0,rt=0,Lt=0;i.bbox={};let Ns=!1,Ii=!1,Un=!1,Sn=!1,
Bi=!1,vt=!1;function Os(o,c,p){(p||o!=i.width||c!=i.height)&&ur(o,c),Jn(!1),Un=!0,Ii=!0,Qn()}function ur(o,c){i.width=Kt=
J=o,i.height=xn=R=c,be=Oe=0,zc(),Vc();let p=i.bbox;ut=p.left=Rn(be*ce,.5),wt=p.top=Rn(Oe*ce,.5),rt=p.width=Rn(J*ce,.5),Lt=
p.height=Rn(R*ce,.5)}let Nc=3;function Oc(){let o=!1,c=0;for(;!o;){c++;let p=Kc(c),f=Yc(c);o=c==Nc||p&&f,o||(ur(i.width,
i.height),Ii=!0)}}function Hc({width:o,height:c}){Os(o,c)}i.setSize=Hc;function zc(){let o=!1,c=!1,p=!1,f=!1;W.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:y}=h,E=x%2,C=h.label!=null?h.labelSize:0,A=y+C;A>0&&(E?(J-=A,x==3?(be+=A,f=!0):p=!0):
(R-=A,x==0?(Oe+=A,o=!0):c=!0))}}),Mn[0]=o,Mn[1]=p,Mn[2]=c,Mn[3]=f,J-=on[1]+on[3],be+=on[3],R-=on[2]+on[0],Oe+=on[0]}function Vc(){
let o=be+J,c=Oe+R,p=be,f=Oe;function h(w,x){switch(w){case 1:return o+=x,o-x;case 2:return c+=x,c-x;case 3:return p-=x,p+
x;case 0:return f-=x,f+x}}W.forEach((w,x)=>{if(w.show&&w._show){let y=w.side;w._pos=h(y,w._size),w.label!=null&&(w._lpos=
h(y,w.labelSize))}})}if(z.dataIdx==null){let o=z.hover,c=o.skip=new Set(o.skip??[]);c.add(void 0);let p=o.prox=ie(o.prox),
f=o.bias??=0;z.dataIdx=(h,w,x,y)=>{if(w==0)return x;let E=x,C=p(h,w,x,y)??he,A=C>=0&&C<he,N=T.ori==0?J:R,I=z.left,ae=t[0],
re=t[w];if(c.has(re[x])){E=null;let te=null,U=null,V;if(f==0||f==-1)for(V=x;te==null&&V-- >0;)c.has(re[V])||(te=V);if(f==
0||f==1)for(V=x;U==null&&V++<re.length;)c.has(re[V])||(U=V);if(te!=null||U!=null)if(A){let xe=te==null?-1/0:H(ae[te],T,N,
0),Le=U==null?1/0:H(ae[U],T,N,0),Ue=I-xe,fe=Le-I;Ue<=fe?Ue<=C&&(E=te):fe<=C&&(E=U)}else E=U==null?te:te==null?U:x-te<=U-
x?te:U}else A&&ze(I-H(ae[x],T,N,0))>C&&(E=null);return E}}let En=o=>{z.event=o};z.idxs=de,z._lock=!1;let Ye=z.points;Ye.
show=ie(Ye.show),Ye.size=ie(Ye.size),Ye.stroke=ie(Ye.stroke),Ye.width=ie(Ye.width),Ye.fill=ie(Ye.fill);let Ft=i.focus=De(
{},e.focus||{alpha:.3},z.focus),Gn=Ft.prox>=0,In=Gn&&Ye.one,xt=[],Bn=[],Kn=[];function pr(o,c){let p=Ye.show(i,c);if(p instanceof
HTMLElement)return mt(p,lp),mt(p,o.class),It(p,-10,-10,J,R),L.insertBefore(p,xt[c]),p}function dr(o,c){if(s==1||c>0){let p=s==
1&&_[o.scale].time,f=o.value;o.value=p?Ro(f)?Fo(se,Vo(f,F)):f||le:f||vd,o.label=o.label||(p?pd:ud)}if(In||c>0){o.width=o.
width==null?1:o.width,o.paths=o.paths||Rd||Sp,o.fillTo=ie(o.fillTo||Ed),o.pxAlign=+oe(o.pxAlign,P),o.pxRound=Yo(o.pxAlign),
o.stroke=ie(o.stroke||null),o.fill=ie(o.fill||null),o._stroke=o._fill=o._paths=o._focus=null;let p=xd(st(1,o.width),1),f=o.
points=De({},{size:p,width:st(1,p*.2),stroke:o.stroke,space:p*2,paths:Dd,_stroke:null,_fill:null},o.points);f.show=ie(f.
show),f.filter=ie(f.filter),f.fill=ie(f.fill),f.stroke=ie(f.stroke),f.paths=ie(f.paths),f.pxAlign=o.pxAlign}if(Ne){let p=Gi(
o,c);_e.splice(c,0,p[0]),zt.splice(c,0,p[1]),ee.values.push(null)}if(Xe){de.splice(c,0,null);let p=null;In?c==0&&(p=pr(o,
c)):c>0&&(p=pr(o,c)),xt.splice(c,0,p),Bn.splice(c,0,0),Kn.splice(c,0,0)}We("addSeries",c)}function Fc(o,c){c=c??M.length,
o=s==1?Nl(o,c,qo,Bo):Nl(o,c,{},Io),M.splice(c,0,o),dr(M[c],c)}i.addSeries=Fc;function jc(o){if(M.splice(o,1),Ne){ee.values.
splice(o,1),zt.splice(o,1);let c=_e.splice(o,1)[0];qn(null,c.firstChild),c.remove()}Xe&&(de.splice(o,1),xt.splice(o,1)[0].
remove(),Bn.splice(o,1),Kn.splice(o,1)),We("delSeries",o)}i.delSeries=jc;let Mn=[!1,!1,!1,!1];function qc(o,c){if(o._show=
o.show,o.show){let p=o.side%2,f=_[o.scale];f==null&&(o.scale=p?M[1].scale:O,f=_[o.scale]);let h=f.time;o.size=ie(o.size),
o.space=ie(o.space),o.rotate=ie(o.rotate),hn(o.incrs)&&o.incrs.forEach(x=>{!gn.has(x)&&gn.set(x,aa(x))}),o.incrs=ie(o.incrs||
(f.distr==2?Gp:h?q==1?Bp:Jp:Dn)),o.splits=ie(o.splits||(h&&f.distr==1?lt:f.distr==3?Al:f.distr==4?md:fd)),o.stroke=ie(o.
stroke),o.grid.stroke=ie(o.grid.stroke),o.ticks.stroke=ie(o.ticks.stroke),o.border.stroke=ie(o.border.stroke);let w=o.values;
o.values=hn(w)&&!hn(w[0])?ie(w):h?hn(w)?zo(se,Ho(w,F)):Ro(w)?Xp(se,w):w||Se:w||dd,o.filter=ie(o.filter||(f.distr>=3&&f.log==
10?bd:f.distr==3&&f.log==2?wd:ra)),o.font=Xo(o.font),o.labelFont=Xo(o.labelFont),o._size=o.size(i,null,c,0),o._space=o._rotate=
o._incrs=o._found=o._splits=o._values=null,o._size>0&&(Mn[c]=!0,o._el=St(tp,v))}}function yi(o,c,p,f){let[h,w,x,y]=p,E=c%
2,C=0;return E==0&&(y||w)&&(C=c==0&&!h||c==2&&!x?He(jo.size/3):0),E==1&&(h||x)&&(C=c==1&&!w||c==3&&!y?He(Uo.size/2):0),C}
let fr=i.padding=(e.padding||[yi,yi,yi,yi]).map(o=>ie(oe(o,yi))),on=i._padding=fr.map((o,c)=>o(i,c,Mn,0)),Ie,Ve=null,Fe=null,
Ki=s==1?M[0].idxs:null,Pt=null,ki=!1;function mr(o,c){if(t=o??[],i.data=i._data=t,s==2){Ie=0;for(let p=1;p<M.length;p++)
Ie+=t[p][0].length}else{t.length==0&&(i.data=i._data=t=[[]]),Pt=t[0],Ie=Pt.length;let p=t;if(Q==2){p=t.slice();let f=p[0]=
Array(Ie);for(let h=0;h<Ie;h++)f[h]=h}i._data=t=p}if(Jn(!0),We("setData"),Q==2&&(Un=!0),c!==!1){let p=T;p.auto(i,ki)?Hs():
cn(O,p.min,p.max),Sn=Sn||z.left>=0,vt=!0,Qn()}}i.setData=mr;function Hs(){ki=!0;let o,c;s==1&&(Ie>0?(Ve=Ki[0]=0,Fe=Ki[1]=
Ie-1,o=t[0][Ve],c=t[0][Fe],Q==2?(o=Ve,c=Fe):o==c&&(Q==3?[o,c]=ws(o,o,T.log,!1):Q==4?[o,c]=Vl(o,o,T.log,!1):T.time?c=o+He(
86400/q):[o,c]=hs(o,c,Fl,!0))):(Ve=Ki[0]=o=null,Fe=Ki[1]=c=null)),cn(O,o,c)}let Yi,Yn,zs,Vs,Fs,js,qs,Ws,Us,ot;function hr(o,c,p,f,h,w){
o??=go,p??=ql,f??="butt",h??=go,w??="round",o!=Yi&&(b.strokeStyle=Yi=o),h!=Yn&&(b.fillStyle=Yn=h),c!=zs&&(b.lineWidth=zs=
c),w!=Fs&&(b.lineJoin=Fs=w),f!=js&&(b.lineCap=js=f),p!=Vs&&b.setLineDash(Vs=p)}function gr(o,c,p,f){c!=Yn&&(b.fillStyle=
Yn=c),o!=qs&&(b.font=qs=o),p!=Ws&&(b.textAlign=Ws=p),f!=Us&&(b.textBaseline=Us=f)}function Gs(o,c,p,f,h=0){if(f.length>0&&
o.auto(i,ki)&&(c==null||c.min==null)){let w=oe(Ve,0),x=oe(Fe,f.length-1),y=p.min==null?bp(f,w,x,h,o.distr==3):[p.min,p.max];
o.min=Ht(o.min,p.min=y[0]),o.max=st(o.max,p.max=y[1])}}let br={min:null,max:null};function Wc(){for(let f in _){let h=_[f];
j[f]==null&&(h.min==null||j[O]!=null&&h.auto(i,ki))&&(j[f]=br)}for(let f in _){let h=_[f];j[f]==null&&h.from!=null&&j[h.
from]!=null&&(j[f]=br)}j[O]!=null&&Jn(!0);let o={};for(let f in j){let h=j[f];if(h!=null){let w=o[f]=di(_[f],_p);if(h.min!=
null)De(w,h);else if(f!=O||s==2)if(Ie==0&&w.from==null){let x=w.range(i,null,null,f);w.min=x[0],w.max=x[1]}else w.min=he,
w.max=-he}}if(Ie>0){M.forEach((f,h)=>{if(s==1){let w=f.scale,x=j[w];if(x==null)return;let y=o[w];if(h==0){let E=y.range(
i,y.min,y.max,w);y.min=E[0],y.max=E[1],Ve=Ot(y.min,t[0]),Fe=Ot(y.max,t[0]),Fe-Ve>1&&(t[0][Ve]<y.min&&Ve++,t[0][Fe]>y.max&&
Fe--),f.min=Pt[Ve],f.max=Pt[Fe]}else f.show&&f.auto&&Gs(y,x,f,t[h],f.sorted);f.idxs[0]=Ve,f.idxs[1]=Fe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,y=w.scale,E=x.scale,[C,A]=t[h],N=o[y],I=o[E];N!=null&&Gs(N,j[y],w,C,w.sorted),I!=null&&Gs(I,j[E],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in o){let h=o[f],w=j[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(i,h.min==he?null:h.min,h.max==-he?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in o){let h=o[f];if(h.from!=null){
let w=o[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(i,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},p=!1;
for(let f in o){let h=o[f],w=_[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?nn(w.
min):x==4?kl(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?nn(w.max):x==4?kl(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=p=!0}}if(p){M.forEach((f,h)=>{s==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)Un=!0,
We("setScale",f);Xe&&z.left>=0&&(Sn=vt=!0)}for(let f in j)j[f]=null}function Uc(o){let c=Cl(Ve-1,0,Ie-1),p=Cl(Fe+1,0,Ie-
1);for(;o[c]==null&&c>0;)c--;for(;o[p]==null&&p<Ie-1;)p++;return[c,p]}function Gc(){if(Ie>0){let o=M.some(c=>c._focus)&&
ot!=Ft.alpha;o&&(b.globalAlpha=ot=Ft.alpha),M.forEach((c,p)=>{if(p>0&&c.show&&(wr(p,!1),wr(p,!0),c._paths==null)){let f=ot;
ot!=c.alpha&&(b.globalAlpha=ot=c.alpha);let h=s==2?[0,t[p][0].length-1]:Uc(t[p]);c._paths=c.paths(i,p,h[0],h[1]),ot!=f&&
(b.globalAlpha=ot=f)}}),M.forEach((c,p)=>{if(p>0&&c.show){let f=ot;ot!=c.alpha&&(b.globalAlpha=ot=c.alpha),c._paths!=null&&
vr(p,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(i,p,Ve,Fe,h),x=c.points.filter(i,p,w,h);(w||x)&&(c.points.
_paths=c.points.paths(i,p,Ve,Fe,x),vr(p,!0))}ot!=f&&(b.globalAlpha=ot=f),We("drawSeries",p)}}),o&&(b.globalAlpha=ot=1)}}
function wr(o,c){let p=c?M[o].points:M[o];p._stroke=p.stroke(i,o),p._fill=p.fill(i,o)}function vr(o,c){let p=c?M[o].points:
M[o],{stroke:f,fill:h,clip:w,flags:x,_stroke:y=p._stroke,_fill:E=p._fill,_width:C=p.width}=p._paths;C=ge(C*ce,3);let A=null,
N=C%2/2;c&&E==null&&(E=C>0?"#fff":y);let I=p.pxAlign==1&&N>0;if(I&&b.translate(N,N),!c){let ae=ut-C/2,re=wt-C/2,te=rt+C,
U=Lt+C;A=new Path2D,A.rect(ae,re,te,U)}c?Is(y,C,p.dash,p.cap,E,f,h,x,w):Ic(o,y,C,p.dash,p.cap,E,f,h,x,A,w),I&&b.translate(
-N,-N)}function Ic(o,c,p,f,h,w,x,y,E,C,A){let N=!1;E!=0&&Z.forEach((I,ae)=>{if(I.series[0]==o){let re=M[I.series[1]],te=t[I.
series[1]],U=(re._paths||Vi).band;hn(U)&&(U=I.dir==1?U[0]:U[1]);let V,xe=null;re.show&&U&&vp(te,Ve,Fe)?(xe=I.fill(i,ae)||
w,V=re._paths.clip):U=null,Is(c,p,f,h,xe,x,y,E,C,A,V,U),N=!0}}),N||Is(c,p,f,h,w,x,y,E,C,A)}let xr=fi|Rl;function Is(o,c,p,f,h,w,x,y,E,C,A,N){
hr(o,c,p,f,h),(E||C||N)&&(b.save(),E&&b.clip(E),C&&b.clip(C)),N?(y&xr)==xr?(b.clip(N),A&&b.clip(A),Qi(h,x),Ji(o,w,c)):y&
Rl?(Qi(h,x),b.clip(N),Ji(o,w,c)):y&fi&&(b.save(),b.clip(N),A&&b.clip(A),Qi(h,x),b.restore(),Ji(o,w,c)):(Qi(h,x),Ji(o,w,c)),
(E||C||N)&&b.restore()}function Ji(o,c,p){p>0&&(c instanceof Map?c.forEach((f,h)=>{b.strokeStyle=Yi=h,b.stroke(f)}):c!=null&&
o&&b.stroke(c))}function Qi(o,c){c instanceof Map?c.forEach((p,f)=>{b.fillStyle=Yn=f,b.fill(p)}):c!=null&&o&&b.fill(c)}function Bc(o,c,p,f){
let h=W[o],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(i,o,c,p,f),y=h._incrs=h.incrs(i,o,c,p,f,x);w=Fd(c,p,y,f,x)}return h.
_found=w}function Bs(o,c,p,f,h,w,x,y,E,C){let A=x%2/2;P==1&&b.translate(A,A),hr(y,x,E,C,y),b.beginPath();let N,I,ae,re,te=h+
(f==0||f==3?-w:w);p==0?(I=h,re=te):(N=h,ae=te);for(let U=0;U<o.length;U++)c[U]!=null&&(p==0?N=ae=o[U]:I=re=o[U],b.moveTo(
N,I),b.lineTo(ae,re));b.stroke(),P==1&&b.translate(-A,-A)}function Kc(o){let c=!0;return W.forEach((p,f)=>{if(!p.show)return;
let h=_[p.scale];if(h.min==null){p._show&&(c=!1,p._show=!1,Jn(!1));return}else p._show||(c=!1,p._show=!0,Jn(!1));let w=p.
side,x=w%2,{min:y,max:E}=h,[C,A]=Bc(f,y,E,x==0?J:R);if(A==0)return;let N=h.distr==2,I=p._splits=p.splits(i,f,y,E,C,A,N),
ae=h.distr==2?I.map(V=>Pt[V]):I,re=h.distr==2?Pt[I[1]]-Pt[I[0]]:C,te=p._values=p.values(i,p.filter(i,ae,f,A,re),f,A,re);
p._rotate=w==2?p.rotate(i,te,f,A):0;let U=p._size;p._size=Et(p.size(i,te,f,o)),U!=null&&p._size!=U&&(c=!1)}),c}function Yc(o){
let c=!0;return fr.forEach((p,f)=>{let h=p(i,f,Mn,o);h!=on[f]&&(c=!1),on[f]=h}),c}function Jc(){for(let o=0;o<W.length;o++){
let c=W[o];if(!c.show||!c._show)continue;let p=c.side,f=p%2,h,w,x=c.stroke(i,o),y=p==0||p==3?-1:1,[E,C]=c._found;if(c.label!=
null){let nt=c.labelGap*y,ft=He((c._lpos+nt)*ce);gr(c.labelFont[0],x,"center",p==2?"top":ho),b.save(),f==1?(h=w=0,b.translate(
ft,He(wt+Lt/2)),b.rotate((p==3?-fs:fs)/2)):(h=He(ut+rt/2),w=ft);let Ln=sa(c.label)?c.label(i,o,E,C):c.label;b.fillText(Ln,
h,w),b.restore()}if(C==0)continue;let A=_[c.scale],N=f==0?rt:Lt,I=f==0?ut:wt,ae=c._splits,re=A.distr==2?ae.map(nt=>Pt[nt]):
ae,te=A.distr==2?Pt[ae[1]]-Pt[ae[0]]:E,U=c.ticks,V=c.border,xe=U.show?U.size:0,Le=He(xe*ce),Ue=He((c.alignTo==2?c._size-
xe-c.gap:c.gap)*ce),fe=c._rotate*-fs/180,Pe=D(c._pos*ce),pt=(Le+Ue)*y,tt=Pe+pt;w=f==0?tt:0,h=f==1?tt:0;let yt=c.font[0],
Ct=c.align==1?oi:c.align==2?vl:fe>0?oi:fe<0?vl:f==0?"center":p==3?vl:oi,Wt=fe||f==1?"middle":p==2?"top":ho;gr(yt,x,Ct,Wt);
let dt=c.font[1]*c.lineGap,kt=ae.map(nt=>D(u(nt,A,N,I))),At=c._values;for(let nt=0;nt<At.length;nt++){let ft=At[nt];if(ft!=
null){f==0?h=kt[nt]:w=kt[nt],ft=""+ft;let Ln=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let it=0;it<Ln.length;it++){let Vr=Ln[it];fe?(b.save(),b.translate(h,w+it*dt),b.rotate(
fe),b.fillText(Vr,0,0),b.restore()):b.fillText(Vr,h,w+it*dt)}}}U.show&&Bs(kt,U.filter(i,re,o,C,te),f,p,Pe,Le,ge(U.width*
ce,3),U.stroke(i,o),U.dash,U.cap);let Ut=c.grid;Ut.show&&Bs(kt,Ut.filter(i,re,o,C,te),f,f==0?2:1,f==0?wt:ut,f==0?Lt:rt,ge(
Ut.width*ce,3),Ut.stroke(i,o),Ut.dash,Ut.cap),V.show&&Bs([Pe],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Lt:rt,ge(V.width*ce,
3),V.stroke(i,o),V.dash,V.cap)}We("drawAxes")}function Jn(o){M.forEach((c,p)=>{p>0&&(c._paths=null,o&&(s==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let Zi=!1,Ks=!1,Si=[];function Qc(){Ks=!1;for(let o=0;o<Si.
length;o++)We(...Si[o]);Si.length=0}function Qn(){Zi||(Rp(yr),Zi=!0)}function Zc(o,c=!1){Zi=!0,Ks=c,o(i),yr(),c&&Si.length>
0&&queueMicrotask(Qc)}i.batch=Zc;function yr(){if(Ns&&(Wc(),Ns=!1),Un&&(Oc(),Un=!1),Ii){if(ke(k,oi,be),ke(k,"top",Oe),ke(
k,Ni,J),ke(k,Oi,R),ke(L,oi,be),ke(L,"top",Oe),ke(L,Ni,J),ke(L,Oi,R),ke(v,Ni,Kt),ke(v,Oi,xn),g.width=He(Kt*ce),g.height=He(
xn*ce),W.forEach(({_el:o,_show:c,_size:p,_pos:f,side:h})=>{if(o!=null)if(c){let w=h===3||h===0?p:0,x=h%2==1;ke(o,x?"left":
"top",f-w),ke(o,x?"width":"height",p),ke(o,x?"top":"left",x?Oe:be),ke(o,x?"height":"width",x?R:J),Ll(o,Nn)}else mt(o,Nn)}),
Yi=Yn=zs=Fs=js=qs=Ws=Us=Vs=null,ot=1,_i(!0),be!=Wn||Oe!=yn||J!=Vt||R!=kn){Jn(!1);let o=J/Vt,c=R/kn;if(Xe&&!Sn&&z.left>=0){
z.left*=o,z.top*=c,Zn&&It(Zn,He(z.left),0,J,R),Xn&&It(Xn,0,He(z.top),J,R);for(let p=0;p<xt.length;p++){let f=xt[p];f!=null&&
(Bn[p]*=o,Kn[p]*=c,It(f,Et(Bn[p]),Et(Kn[p]),J,R))}}if(ve.show&&!Bi&&ve.left>=0&&ve.width>0){ve.left*=o,ve.width*=o,ve.top*=
c,ve.height*=c;for(let p in el)ke(ni,p,ve[p])}Wn=be,yn=Oe,Vt=J,kn=R}We("setSize"),Ii=!1}Kt>0&&xn>0&&(b.clearRect(0,0,g.width,
g.height),We("drawClear"),Y.forEach(o=>o()),We("draw")),ve.show&&Bi&&(Xi(ve),Bi=!1),Xe&&Sn&&(Tn(null,!0,!1),Sn=!1),ee.show&&
ee.live&&vt&&(Zs(),vt=!1),d||(d=!0,i.status=1,We("ready")),ki=!1,Zi=!1}i.redraw=(o,c)=>{Un=c||!1,o!==!1?cn(O,T.min,T.max):
Qn()};function Ys(o,c){let p=_[o];if(p.from==null){if(Ie==0){let f=p.range(i,c.min,c.max,o);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Ie>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;o==O&&p.distr==2&&Ie>
0&&(c.min=Ot(c.min,t[0]),c.max=Ot(c.max,t[0]),c.min==c.max&&c.max++),j[o]=c,Ns=!0,Qn()}}i.setScale=Ys;let Js,Qs,Zn,Xn,kr,
Sr,ei,ti,Er,Mr,we,Me,an=!1,Be=z.drag,je=Be.x,qe=Be.y;Xe&&(z.x&&(Js=St(ip,L)),z.y&&(Qs=St(sp,L)),T.ori==0?(Zn=Js,Xn=Qs):(Zn=
Qs,Xn=Js),we=z.left,Me=z.top);let ve=i.select=De({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ni=ve.show?St(
np,ve.over?L:k):null;function Xi(o,c){if(ve.show){for(let p in o)ve[p]=o[p],p in el&&ke(ni,p,o[p]);c!==!1&&We("setSelect")}}
i.setSelect=Xi;function Xc(o){if(M[o].show)Ne&&Ll(_e[o],Nn);else if(Ne&&mt(_e[o],Nn),Xe){let p=In?xt[0]:xt[o];p!=null&&It(
p,-10,-10,J,R)}}function cn(o,c,p){Ys(o,{min:c,max:p})}function jt(o,c,p,f){c.focus!=null&&su(o),c.show!=null&&M.forEach(
(h,w)=>{w>0&&(o==w||o==null)&&(h.show=c.show,Xc(w),s==2?(cn(h.facets[0].scale,null,null),cn(h.facets[1].scale,null,null)):
cn(h.scale,null,null),Qn())}),p!==!1&&We("setSeries",o,c),f&&Ti("setSeries",i,o,c)}i.setSeries=jt;function eu(o,c){De(Z[o],
c)}function tu(o,c){o.fill=ie(o.fill||null),o.dir=oe(o.dir,-1),c=c??Z.length,Z.splice(c,0,o)}function nu(o){o==null?Z.length=
0:Z.splice(o,1)}i.addBand=tu,i.setBand=eu,i.delBand=nu;function iu(o,c){M[o].alpha=c,Xe&&xt[o]!=null&&(xt[o].style.opacity=
c),Ne&&_e[o]&&(_e[o].style.opacity=c)}let Yt,un,_n,ii={focus:!0};function su(o){if(o!=_n){let c=o==null,p=Ft.alpha!=1;M.
forEach((f,h)=>{if(s==1||h>0){let w=c||h==0||h==o;f._focus=c?null:w,p&&iu(h,w?1:Ft.alpha)}}),_n=o,p&&Qn()}}Ne&&Gn&&et(vo,
ue,o=>{z._lock||(En(o),_n!=null&&jt(null,ii,!0,$e.setSeries))});function qt(o,c,p){let f=_[c];p&&(o=o/ce-(f.ori==1?Oe:be));
let h=J;f.ori==1&&(h=R,o=h-o),f.dir==-1&&(o=h-o);let w=f._min,x=f._max,y=o/h,E=w+(x-w)*y,C=f.distr;return C==3?ui(10,E):
C==4?yp(E,f.asinh):C==100?f.bwd(E):E}function lu(o,c){let p=qt(o,O,c);return Ot(p,t[0],Ve,Fe)}i.valToIdx=o=>Ot(o,t[0]),i.
posToIdx=lu,i.posToVal=qt,i.valToPos=(o,c,p)=>_[c].ori==0?l(o,_[c],p?rt:J,p?ut:0):a(o,_[c],p?Lt:R,p?wt:0),i.setCursor=(o,c,p)=>{
we=o.left,Me=o.top,Tn(null,c,p)};function _r(o,c){ke(ni,oi,ve.left=o),ke(ni,Ni,ve.width=c)}function Tr(o,c){ke(ni,"top",
ve.top=o),ke(ni,Oi,ve.height=c)}let Ei=T.ori==0?_r:Tr,Mi=T.ori==1?_r:Tr;function ru(){if(Ne&&ee.live)for(let o=s==2?1:0;o<
M.length;o++){if(o==0&&bt)continue;let c=ee.values[o],p=0;for(let f in c)zt[o][p++].firstChild.nodeValue=c[f]}}function Zs(o,c){
if(o!=null&&(o.idxs?o.idxs.forEach((p,f)=>{de[f]=p}):Mp(o.idx)||de.fill(o.idx),ee.idx=de[0]),Ne&&ee.live){for(let p=0;p<
M.length;p++)(p>0||s==1&&!bt)&&ou(p,de[p]);ru()}vt=!1,c!==!1&&We("setLegend")}i.setLegend=Zs;function ou(o,c){let p=M[o],
f=o==0&&Q==2?Pt:t[o],h;bt?h=p.values(i,o,c)??rn:(h=p.value(i,c==null?null:f[c],o,c),h=h==null?rn:{_:h}),ee.values[o]=h}function Tn(o,c,p){
Er=we,Mr=Me,[we,Me]=z.move(i,we,Me),z.left=we,z.top=Me,Xe&&(Zn&&It(Zn,He(we),0,J,R),Xn&&It(Xn,0,He(Me),J,R));let f,h=Ve>
Fe;Yt=he,un=null;let w=T.ori==0?J:R,x=T.ori==1?J:R;if(we<0||Ie==0||h){f=z.idx=null;for(let y=0;y<M.length;y++){let E=xt[y];
E!=null&&It(E,-10,-10,J,R)}Gn&&jt(null,ii,!0,o==null&&$e.setSeries),ee.live&&(de.fill(f),vt=!0)}else{let y,E,C;s==1&&(y=
T.ori==0?we:Me,E=qt(y,O),f=z.idx=Ot(E,t[0],Ve,Fe),C=H(t[0][f],T,w,0));let A=-10,N=-10,I=0,ae=0,re=!0,te="",U="";for(let V=s==
2?1:0;V<M.length;V++){let xe=M[V],Le=de[V],Ue=Le==null?null:s==1?t[V][Le]:t[V][1][Le],fe=z.dataIdx(i,V,f,E),Pe=fe==null?
null:s==1?t[V][fe]:t[V][1][fe];if(vt=vt||Pe!=Ue||fe!=Le,de[V]=fe,V>0&&xe.show){let pt=fe==null?-10:fe==f?C:H(s==1?t[0][fe]:
t[V][0][fe],T,w,0),tt=Pe==null?-10:G(Pe,s==1?_[xe.scale]:_[xe.facets[1].scale],x,0);if(Gn&&Pe!=null){let yt=T.ori==1?we:
Me,Ct=ze(Ft.dist(i,V,fe,tt,yt));if(Ct<Yt){let Wt=Ft.bias;if(Wt!=0){let dt=qt(yt,xe.scale),kt=Pe>=0?1:-1,At=dt>=0?1:-1;At==
kt&&(At==1?Wt==1?Pe>=dt:Pe<=dt:Wt==1?Pe<=dt:Pe>=dt)&&(Yt=Ct,un=V)}else Yt=Ct,un=V}}if(vt||In){let yt,Ct;T.ori==0?(yt=pt,
Ct=tt):(yt=tt,Ct=pt);let Wt,dt,kt,At,Ut,nt,ft=!0,Ln=Ye.bbox;if(Ln!=null){ft=!1;let it=Ln(i,V);kt=it.left,At=it.top,Wt=it.
width,dt=it.height}else kt=yt,At=Ct,Wt=dt=Ye.size(i,V);if(nt=Ye.fill(i,V),Ut=Ye.stroke(i,V),In)V==un&&Yt<=Ft.prox&&(A=kt,
N=At,I=Wt,ae=dt,re=ft,te=nt,U=Ut);else{let it=xt[V];it!=null&&(Bn[V]=kt,Kn[V]=At,_o(it,Wt,dt,ft),Eo(it,nt,Ut),It(it,Et(kt),
Et(At),J,R))}}}}if(In){let V=Ft.prox,xe=_n==null?Yt<=V:Yt>V||un!=_n;if(vt||xe){let Le=xt[0];Le!=null&&(Bn[0]=A,Kn[0]=N,_o(
Le,I,ae,re),Eo(Le,te,U),It(Le,Et(A),Et(N),J,R))}}}if(ve.show&&an)if(o!=null){let[y,E]=$e.scales,[C,A]=$e.match,[N,I]=o.cursor.
sync.scales,ae=o.cursor.drag;if(je=ae._x,qe=ae._y,je||qe){let{left:re,top:te,width:U,height:V}=o.select,xe=o.scales[N].ori,
Le=o.posToVal,Ue,fe,Pe,pt,tt,yt=y!=null&&C(y,N),Ct=E!=null&&A(E,I);yt&&je?(xe==0?(Ue=re,fe=U):(Ue=te,fe=V),Pe=_[y],pt=H(
Le(Ue,N),Pe,w,0),tt=H(Le(Ue+fe,N),Pe,w,0),Ei(Ht(pt,tt),ze(tt-pt))):Ei(0,w),Ct&&qe?(xe==1?(Ue=re,fe=U):(Ue=te,fe=V),Pe=_[E],
pt=G(Le(Ue,I),Pe,x,0),tt=G(Le(Ue+fe,I),Pe,x,0),Mi(Ht(pt,tt),ze(tt-pt))):Mi(0,x)}else tl()}else{let y=ze(Er-kr),E=ze(Mr-Sr);
if(T.ori==1){let I=y;y=E,E=I}je=Be.x&&y>=Be.dist,qe=Be.y&&E>=Be.dist;let C=Be.uni;C!=null?je&&qe&&(je=y>=C,qe=E>=C,!je&&
!qe&&(E>y?qe=!0:je=!0)):Be.x&&Be.y&&(je||qe)&&(je=qe=!0);let A,N;je&&(T.ori==0?(A=ei,N=we):(A=ti,N=Me),Ei(Ht(A,N),ze(N-A)),
qe||Mi(0,x)),qe&&(T.ori==1?(A=ei,N=we):(A=ti,N=Me),Mi(Ht(A,N),ze(N-A)),je||Ei(0,w)),!je&&!qe&&(Ei(0,0),Mi(0,0))}if(Be._x=
je,Be._y=qe,o==null){if(p){if(zr!=null){let[y,E]=$e.scales;$e.values[0]=y!=null?qt(T.ori==0?we:Me,y):null,$e.values[1]=E!=
null?qt(T.ori==1?we:Me,E):null}Ti(xl,i,we,Me,J,R,f)}if(Gn){let y=p&&$e.setSeries,E=Ft.prox;_n==null?Yt<=E&&jt(un,ii,!0,y):
Yt>E?jt(null,ii,!0,y):un!=_n&&jt(un,ii,!0,y)}}vt&&(ee.idx=f,Zs()),c!==!1&&We("setCursor")}let pn=null;Object.defineProperty(
i,"rect",{get(){return pn==null&&_i(!1),pn}});function _i(o=!1){o?pn=null:(pn=L.getBoundingClientRect(),We("syncRect",pn))}
function Lr(o,c,p,f,h,w,x){z._lock||an&&o!=null&&o.movementX==0&&o.movementY==0||(Xs(o,c,p,f,h,w,x,!1,o!=null),o!=null?Tn(
null,!0,!0):Tn(c,!0,!1))}function Xs(o,c,p,f,h,w,x,y,E){if(pn==null&&_i(!1),En(o),o!=null)p=o.clientX-pn.left,f=o.clientY-
pn.top;else{if(p<0||f<0){we=-10,Me=-10;return}let[C,A]=$e.scales,N=c.cursor.sync,[I,ae]=N.values,[re,te]=N.scales,[U,V]=$e.
match,xe=c.axes[0].side%2==1,Le=T.ori==0?J:R,Ue=T.ori==1?J:R,fe=xe?w:h,Pe=xe?h:w,pt=xe?f:p,tt=xe?p:f;if(re!=null?p=U(C,re)?
u(I,_[C],Le,0):-10:p=Le*(pt/fe),te!=null?f=V(A,te)?u(ae,_[A],Ue,0):-10:f=Ue*(tt/Pe),T.ori==1){let yt=p;p=f,f=yt}}E&&(c==
null||c.cursor.event.type==xl)&&((p<=1||p>=J-1)&&(p=Rn(p,J)),(f<=1||f>=R-1)&&(f=Rn(f,R))),y?(kr=p,Sr=f,[ei,ti]=z.move(i,
p,f)):(we=p,Me=f)}let el={width:0,height:0,left:0,top:0};function tl(){Xi(el,!1)}let Pr,Cr,Ar,$r;function Rr(o,c,p,f,h,w,x){
an=!0,je=qe=Be._x=Be._y=!1,Xs(o,c,p,f,h,w,x,!0,!1),o!=null&&(et(yl,_l,Dr,!1),Ti(bo,i,ei,ti,J,R,null));let{left:y,top:E,width:C,
height:A}=ve;Pr=y,Cr=E,Ar=C,$r=A}function Dr(o,c,p,f,h,w,x){an=Be._x=Be._y=!1,Xs(o,c,p,f,h,w,x,!1,!0);let{left:y,top:E,width:C,
height:A}=ve,N=C>0||A>0,I=Pr!=y||Cr!=E||Ar!=C||$r!=A;if(N&&I&&Xi(ve),Be.setScale&&N&&I){let ae=y,re=C,te=E,U=A;if(T.ori==
1&&(ae=E,re=A,te=y,U=C),je&&cn(O,qt(ae,O),qt(ae+re,O)),qe)for(let V in _){let xe=_[V];V!=O&&xe.from==null&&xe.min!=he&&cn(
V,qt(te+U,V),qt(te,V))}tl()}else z.lock&&(z._lock=!z._lock,Tn(c,!0,o!=null));o!=null&&(qn(yl,_l),Ti(yl,i,we,Me,J,R,null))}
function au(o,c,p,f,h,w,x){if(z._lock)return;En(o);let y=an;if(an){let E=!0,C=!0,A=10,N,I;T.ori==0?(N=je,I=qe):(N=qe,I=je),
N&&I&&(E=we<=A||we>=J-A,C=Me<=A||Me>=R-A),N&&E&&(we=we<ei?0:J),I&&C&&(Me=Me<ti?0:R),Tn(null,!0,!0),an=!1}we=-10,Me=-10,de.
fill(null),Tn(null,!0,!0),y&&(an=y)}function Nr(o,c,p,f,h,w,x){z._lock||(En(o),Hs(),tl(),o!=null&&Ti(xo,i,we,Me,J,R,null))}
function Or(){W.forEach(jd),Os(i.width,i.height,!0)}On(ms,ci,Or);let si={};si.mousedown=Rr,si.mousemove=Lr,si.mouseup=Dr,
si.dblclick=Nr,si.setSeries=(o,c,p,f)=>{let h=$e.match[2];p=h(i,c,p),p!=-1&&jt(p,f,!0,!1)},Xe&&(et(bo,L,Rr),et(xl,L,Lr),
et(wo,L,o=>{En(o),_i(!1)}),et(vo,L,au),et(xo,L,Nr),Dl.add(i),i.syncRect=_i);let es=i.hooks=e.hooks||{};function We(o,c,p){
Ks?Si.push([o,c,p]):o in es&&es[o].forEach(f=>{f.call(null,i,c,p)})}(e.plugins||[]).forEach(o=>{for(let c in o.hooks)es[c]=
(es[c]||[]).concat(o.hooks[c])});let Hr=(o,c,p)=>p,$e=De({key:null,setSeries:!1,filters:{pub:Ao,sub:Ao},scales:[O,M[1]?M[1].
scale:null],match:[$o,$o,Hr],values:[null,null]},z.sync);$e.match.length==2&&$e.match.push(Hr),z.sync=$e;let zr=$e.key,nl=La(
zr);function Ti(o,c,p,f,h,w,x){$e.filters.pub(o,c,p,f,h,w,x)&&nl.pub(o,c,p,f,h,w,x)}nl.sub(i);function cu(o,c,p,f,h,w,x){
$e.filters.sub(o,c,p,f,h,w,x)&&si[o](null,c,p,f,h,w,x)}i.pub=cu;function uu(){nl.unsub(i),Dl.delete(i),vn.clear(),Pl(ms,
ci,Or),m.remove(),ue?.remove(),We("destroy")}i.destroy=uu;function il(){We("init",e,t),mr(t||e.data,!1),j[O]?Ys(O,j[O]):
Hs(),Bi=ve.show&&(ve.width>0||ve.height>0),Sn=vt=!0,Os(e.width,e.height)}return M.forEach(dr),W.forEach(qc),n?n instanceof
HTMLElement?(n.appendChild(m),il()):n(i,il):il(),i}Ke.assign=De;Ke.fmtNum=jl;Ke.rangeNum=hs;Ke.rangeLog=ws;Ke.rangeAsinh=
Vl;Ke.orient=zn;Ke.pxRatio=ce;Ke.join=$p;Ke.fmtDate=Wl,Ke.tzDate=Wp;Ke.sync=La;{Ke.addGap=Md,Ke.clipGaps=ys;let e=Ke.paths=
{points:Da};e.linear=Oa,e.stepped=Ld,e.bars=Pd,e.spline=Ad}var Fa=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"log-probability gap",names:["train/logprob_gap"],unit:"\
nats, maximum"},{title:"groups with equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Ms(e){let t=new Set(
e);return Fa.map(i=>({...i,names:i.names.filter(s=>t.has(s))})).filter(i=>i.names.length>0)}function ja(e){let t=new Set(
Fa.flatMap(i=>i.names)),n=new Map;for(let i of e.filter(s=>!t.has(s)).sort()){let s=qd(i);n.set(s,[...n.get(s)??[],i])}return n}
function qd(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}/${t[1]}`:t.length>
1?t[0]:"other"}function qa(e,t){return t.names.length===1?e:t.names.some(i=>i.startsWith("validation/"))?e.startsWith("v\
alidation/")?"held-out":"training":e.replace(/^[^/]*\//,"").replace(/_seconds$/,"").replaceAll("_"," ")}function Wa(e,t){
let n=e.filter(l=>l[1]!==null).map(l=>l[0]),i=n.at(-1);if(i===void 0||t===void 0)return;let s=Math.max(1,...n.slice(1).map(
(l,a)=>l-n[a]));return t-i>=s?i:void 0}var Ia={stages:[],checkpoints:[],marks:[]},Ua=170,_s=["--s1","--s2","--s3","--s4","--s5","--s6"],bi=class{constructor(t,n,i,s){
this.options=t;this.lines=n;this.ground=i;this.signal=s;$(this.element,r("h3",null,t.title,t.unit?r("span",{class:"dim"},
" "+t.unit):null),this.place,this.legend),this.data=Ga(n),this.values(null);let l=new ResizeObserver(()=>this.fit());l.observe(
this.place),s.addEventListener("abort",()=>{l.disconnect(),this.plot?.destroy()},{once:!0}),uo(()=>this.make(),s)}options;lines;ground;signal;element=r(
"figure",{class:"chart"});plot;place=r("div",{class:"plot"});legend=r("figcaption",null);data=[[]];update(t,n){let i=t.length===
this.lines.length&&t.every((s,l)=>s.label===this.lines[l].label);this.lines=t,this.ground=n,this.data=Ga(t),i&&this.plot?
this.plot.setData(this.data):this.make(),this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||
(this.plot?this.plot.setSize({width:t,height:Ua}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.
aborted)return;this.plot?.destroy(),this.place.replaceChildren();let n=this.data[0].length<40,i={stroke:en("--dim"),grid:{
stroke:en("--grid"),width:1},ticks:{stroke:en("--grid"),width:1},font:"11px system-ui, sans-serif"};this.plot=new Ke({width:t,
height:Ua,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},
...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1,range:(s,l,a)=>this.reach(s,l,a)},
y:{range:(s,l,a)=>this.range(l,a)}},axes:[{...i,size:26,incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},
{...i,size:52,values:(s,l)=>l.map(a=>this.text(a))}],series:[{},...this.lines.map((s,l)=>({label:s.label,stroke:en(_s[l%
_s.length]),width:1.5,spanGaps:!0,points:{show:n,size:4}}))],hooks:{drawClear:[s=>Wd(s,this.ground)],draw:[s=>Gd(s,this.
ground)],setCursor:[s=>this.values(s.cursor.idx??null)]}},this.data,this.place),this.plot.over.addEventListener("click",
()=>this.click())}reach(t,n,i){let s=t.data[0],l=n===s[0]&&i===s.at(-1),a=this.ground.last;return l&&a!==void 0&&a>0?[Math.
min(0,n),Math.max(a,i)]:[n,i]}range(t,n){if(this.options.share&&(n??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||n===null)
return[0,1];let i=(n-t)*.06||Math.abs(n)*.1||1;return[t>=0&&t-i<0?0:t-i,n+i]}text(t){return this.options.share?at(t).replace(
/\.0 %$/," %"):S(t,3)}click(){let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;let n=this.data[0][t];n!==
void 0&&this.options.open(n)}values(t){let n=this.data[0],i=t!==null&&t<n.length?t:null;$(this.legend,r("span",{class:"d\
im"},i!==null?`step ${S(n[i])}`:"last"),this.lines.map((s,l)=>{let a=[...this.data[l+1]??[]],u=i!==null?a[i]:a.findLast(
m=>m!=null),d=i===null?Wa(s.points,this.ground.last):void 0;return r("span",{class:"key"},r("i",{class:"swatch",vars:{"-\
-swatch":`var(${_s[l%_s.length]})`}}),s.label===this.options.title?null:s.label+" ",r("b",null,this.exactly(u)),d===void 0?
null:r("span",{class:"dim"},` at step ${S(d)}`))}))}exactly(t){return this.options.share?at(t):S(t)}};function Wd(e,t){let{
ctx:n,bbox:i}=e;n.save(),n.font=`${11*devicePixelRatio}px system-ui, sans-serif`,t.stages.forEach((s,l)=>{let a=Math.max(
i.left,e.valToPos(s.first_step-.5,"x",!0)),u=s.last_step??1/0,d=Number.isFinite(u)?e.valToPos(u+.5,"x",!0):i.left+i.width,
m=Math.min(i.left+i.width,d);m<=a||(l%2===1&&(n.fillStyle=en("--band"),n.fillRect(a,i.top,m-a,i.height)),t.stages.length>
1&&m-a>40*devicePixelRatio&&(n.fillStyle=en("--dim"),n.beginPath(),n.save(),n.rect(a,0,m-a-6*devicePixelRatio,i.top),n.clip(),
n.fillText(Rt(s.name.slice(0,40)),a,i.top-4*devicePixelRatio),n.restore()))}),n.restore()}var Ud={kill:"--bad",resume:"-\
-s1",take_up:"--s1",plugin_restart:"--warn"};function Gd(e,t){let{ctx:n,bbox:i}=e,s=a=>a>=i.left&&a<=i.left+i.width;n.save();
for(let a of t.marks){let u=Ud[a.kind];if(a.step===void 0||!u)continue;let d=e.valToPos(a.step+.5,"x",!0);s(d)&&(n.strokeStyle=
en(u),n.lineWidth=devicePixelRatio,n.setLineDash([3*devicePixelRatio,3*devicePixelRatio]),n.beginPath(),n.moveTo(d,i.top),
n.lineTo(d,i.top+i.height),n.stroke())}n.setLineDash([]);let l=i.top+i.height;for(let a of t.checkpoints){let u=e.valToPos(
a.step,"x",!0);s(u)&&(n.fillStyle=en(a.best?"--s2":"--dim"),n.beginPath(),n.moveTo(u,l-(a.best?9:6)*devicePixelRatio),n.
lineTo(u-3.5*devicePixelRatio,l),n.lineTo(u+3.5*devicePixelRatio,l),n.fill())}n.restore()}function Ga(e){let t=[...new Set(
e.flatMap(s=>s.points.map(l=>l[0])))].sort((s,l)=>s-l),n=new Map(t.map((s,l)=>[s,l])),i=e.map(s=>{let l=new Array(t.length).
fill(void 0);for(let[a,u]of s.points)l[n.get(a)]=u;return l});return[t,...i]}var Ka=6;async function Ya(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Ka);e.title({text:"compare "+t.join(", ")});
let n=(await is(e.signal)).runs,i=r("div",null),s=r("div",null);if($(e.root,r("div",{class:"bar"},r("h1",null,"Compare"),
Id(t,n)),Bd(t,n),i,s),t.length<2){$(i,r("p",{class:"empty"},"Select a second run."));return}await Promise.all([Ce(e,s,async()=>{
let[l,...a]=t,u=[];for(let d of a)u.push(Jd(await Yr(l,d,e.signal),l,d));return u}),Ce(e,i,()=>Kd(e,t))])}function Id(e,t){
let n=t.filter(s=>!e.includes(s.name)),i=r("select",{"aria-label":"add a run","data-filter":!0},r("option",{value:""},"a\
dd a run \u2026"),n.slice(0,500).map(s=>r("option",{value:s.name},s.name)));return i.disabled=e.length>=Ka||n.length===0,
i.addEventListener("change",()=>{i.value!==""&&(location.hash=B(["compare"],{run:[...e,i.value]}))}),i}function Bd(e,t){
return r("div",{class:"sides"},e.map((n,i)=>{let s=t.find(l=>l.name===n);return r("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${i+1})`}},r("h2",null,r("i",{class:"swatch"}),r("a",{href:Cn(n)},n)," ",s?$i(s):null,r("a",{class:"qui\
et",title:"remove this run",href:B(["compare"],{run:e.filter(l=>l!==n)})},"\xD7")),s?fn([["step",S(s.step)],["held-out s\
uccess",Ri(s)],["adapter",s.adapter],["spec",s.spec]]):r("p",null,"No run with this name in this directory."))}))}async function Kd(e,t){
let n=await Promise.all(t.map(g=>Pn(g,e.signal))),i=n.map(g=>new Set(g.metrics??[])),s=[...new Set(n.flatMap(g=>g.metrics??
[]))],l=s.filter(g=>i.every(b=>b.has(g))),a=s.filter(g=>!i.every(b=>b.has(g))),u=Ms(s).flatMap(g=>g.names),d=g=>{let b=r(
"div",null);return Ce(e,b,async()=>r("div",{class:"grid"},await Yd(e,t,g))),b},m=l.filter(g=>!u.includes(g)).sort().slice(
0,60);return[d(u),m.length>0?Te(`${ye(m.length,"other metric")} of all runs`,()=>d(m)):null,a.filter(g=>!u.includes(g)).
length>0?Te("metrics of some runs only",()=>d(a.filter(g=>!u.includes(g)).sort().slice(0,60))):null]}async function Yd(e,t,n){
if(n.length===0)return[];let i=await Promise.all(t.map(s=>ss(s,n,void 0,e.signal)));return n.map(s=>new bi({title:s,sync:"\
compare",share:s.endsWith("success_rate")},t.map((l,a)=>({label:l,points:i[a].series[s]??[]})),Ia,e.signal).element)}function Jd(e,t,n){
let i=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],s=new Set(
e.unrecorded??[]),l=i.filter(([a,u])=>(u??[]).length===0&&!s.has(a)).map(([a])=>a);return me(`Differences between ${t} a\
nd ${n}`,e.same_digest?r("p",null,"Their newest checkpoints are identical."):null,l.length>0?r("p",null,`Equal in both: ${l.
join(", ")}.`):null,s.size>0?r("p",{class:"dim"},`Not compared, because a run of an earlier version does not record it: ${[
...s].join(", ")}.`):null,i.filter(([,a])=>(a??[]).length>0).map(([a,u])=>[r("h3",null,a),Ae([{title:"",half:!0,cell:d=>r(
"code",null,d.path)},{title:t,half:!0,cell:d=>Ba(d.a)},{title:n,half:!0,cell:d=>Ba(d.b)}],u.slice(0,300))]))}function Ba(e){
if(e===void 0)return r("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return r("span",{class:"\
value"},t.length>300?t.slice(0,300)+" \u2026":t)}async function Ja(e,t,n){let i=[];for(let s of t){let l=await ri(e,s,n).catch(()=>null);l&&i.push(l)}return Qd(i)}function Qd(e){
let t=[Ts(e,i=>i.failure?.detail&&`\u201C${Za(i.failure.detail)}\u201D`),Ts(e,i=>i.limit?.words),Ts(e,i=>Zd(i)),Ts(e,i=>Xd(
i))].filter(i=>i!==null);if(t.length===0)return null;let n=t.map(i=>i.of===e.length?i.words:`${i.words} (${S(i.of)} of t\
hem)`);return`In a sample of ${S(e.length)}: ${n.join("; ")}.`}function Ts(e,t){let n=new Map;for(let l of e){let a=t(l);
a&&n.set(a,(n.get(a)??0)+1)}let[i,s]=[...n].sort((l,a)=>a[1]-l[1])[0]??["",0];return 2*s>e.length?{words:i,of:s}:null}function Qa(e){
return(e.transcripts??[]).flatMap(t=>t.messages)}function Zd(e){let[t]=Qa(e).flatMap(n=>n.malformed??[]);return t&&`\u201C${Za(
t.reason)}\u201D`}function Xd(e){let t=Qa(e),n=new Set(t.map(s=>s.tool_call_id)),i=t.flatMap(s=>s.tool_calls??[]).find(s=>!n.
has(s.id));return i&&`the call of ${i.name} has no result`}function Za(e){return e.length>160?e.slice(0,160)+"\u2026":e}var ef=.7,tf=1;function ec(e,t,n){let i=t.findings??[],s=Jl(n),l=t.not_checked??[];return i.length+s.length+l.length===0?
null:me("Findings",i.length===0?r("p",{class:"dim"},"No rule has found anything wrong."):null,i.map(a=>sf(e,t,a)),s.length===
0?null:r("ul",{class:"findings"},s.map(a=>of(e,t,a))),l.length===0?null:Te(`Not checked: ${ye(l.length,"rule")}`,()=>nf(
l)))}function nf(e){let t=n=>[...n.needs??[],...n.any?[n.any.join(" or ")]:[]].join(", ");return[r("p",{class:"dim"},"Th\
e trainer or the spec does not provide the metrics that these rules need."),Ae([{title:"rule",cell:n=>r("code",null,n.id)},
{title:"what it finds",cell:n=>n.title},{title:"needs",wide:!0,cell:n=>r("code",null,t(n))}],e)]}function sf(e,t,n){let i=n.
severity==="error",s=u=>r("a",{href:Ge(t.name,u)},S(u)),l=lf(n),a=(n.episodes??[]).map((u,d)=>[" ",r("a",{href:Je(t.name,
u),title:u},`example ${d+1}`)]);return r("article",{class:"finding item"+(i?" severe":"")},r("header",null,r("span",{class:"\
badge "+(i?"bad":"warn")},n.severity),r("b",null,n.summary),r("span",{class:"dim"},n.first_step===n.last_step?["step ",s(
n.first_step)]:["steps ",s(n.first_step)," to ",s(n.last_step)],(t.stages??[]).length>1?`, ${n.stage}`:"")),(n.causes??[]).
length===0?null:[r("p",{class:"dim"},"Likely causes:"),r("ul",null,n.causes.map(u=>r("li",null,u)))],r("p",null,r("b",null,
"Remedy: "),n.remedy),a.length===0?null:rf(e,t,n),r("p",{class:"more"},a.length===0?null:["Episodes:",a],l?[" ",r("a",{href:B(
["run",t.name,"episodes"],l)},"all such episodes")]:null," ",tn(`awhost docs ${n.docs}`)))}function lf(e){let t="train";
switch(e.id){case"failures":return e.subject?{split:t,class:e.subject}:{split:t,outcome:"FAILED"};case"cut":return{split:t,
outcome:"TRUNCATED"};case"malformed_calls":return{split:t,malformed_min:"1"}}return null}function rf(e,t,n){let i=r("div",
{class:"dim","aria-live":"polite"});return Ja(t.name,n.episodes,e.signal).then(s=>{s&&!e.signal.aborted&&$(i,s)}),i}function of(e,t,n){
let i=r("div",{class:"dim","aria-live":"polite"});n.look&&rs(t.name,e.signal).then(l=>{let a=af(l.settings);a&&!e.signal.
aborted&&$(i,a)},()=>{});let s=B(["run",t.name,"episodes"],n.query);return r("li",{class:"item",data:{href:s}},r("b",null,
n.words)," ",n.advice," ",r("a",{href:s},"Show episodes"),i)}function af(e){let t=e.filter(i=>i.path.startsWith("environ\
ment.")&&(i.path.endsWith(".ground_truth")&&i.value===!0||JSON.stringify(i.value).includes("task.private")));return t.length===
0?null:`The spec gives the private part of tasks to the environment: ${t.slice(0,5).map(i=>`${i.path} = ${JSON.stringify(
i.value)}`).join("; ")}.`}function Jl(e){return[...cf(e),...pf(e)]}function cf(e){let t=e.map(n=>n.success).filter(n=>typeof n==
"number");return t.length<2||t.some(n=>n!==1)?[]:[{words:"All tasks are solved from the first step on.",advice:"Check wh\
ether a tool or the prompt contains the answer.",query:{split:"train"},look:!0}]}var uf={model:"messages of the policy",
tool:"the environment",reward:"rewards",siblings:"waiting for other samples of the group",host:"awhost"};function pf(e){
let t=new Map;for(let a of e)for(let[u,d]of Object.entries(a.parts??{}))u!=="queue"&&t.set(u,(t.get(u)??0)+d);let n=Xa([
...t.values()]),[i,s]=[...t].sort((a,u)=>u[1]-a[1])[0]??["",0],l=s/Math.max(1,Xa(e.map(a=>a.episodes)));return n===0||s<
ef*n||i==="model"||l<tf?[]:[{words:`${at(s/n)} of the episodes' time went into ${uf[i]??i}`,advice:`(${Qe(l)} per episod\
e).`,query:{split:"train",sort:"-seconds"}}]}function Xa(e){return e.reduce((t,n)=>t+(n??0),0)}var tc=25;async function sc(e,t){e.title({text:t});let n=await Pn(t,e.signal),i=r("div",null),s=r("div",null),l=new Ql(e,
n),a=new Zl(e,n),u=r("div",null),d=r("div",null),m=r("div",null),g=k=>{$(i,mf(k)),$(m,hf(k)),$(u,xf(k),yf(k),Ef(k),Mf(k)),
document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",k.status)};g(n);let b=n.played?r("p",{class:"\
dim"},df):[l.element,a.element];if($(e.root,i,d,m,s,b,u,gf(e,t)),e.key("e","all episodes",()=>{location.hash=B(["run",t,
"episodes"])}),e.key("v","validations",()=>{location.hash=B(["run",t,"validations"])}),e.key("s","the newest step",()=>{
location.hash=Ge(t,Math.max(0,n.step))}),n.played||(l.load(),a.load(),nc(e,n,d)),!n.live)return;ic(e,t,s),e.onLive(t,k=>{
v(k)});let v=async k=>{let L=new Set(k.map(D=>D.kind)),P=await Pn(t,e.signal).catch(()=>null);!P||e.signal.aborted||(Object.
assign(n,P),g(P),!n.played&&(L.has("step")||L.has("state"))&&(l.refresh(P,L.has("state")),a.refresh(P),nc(e,P,d)),ic(e,t,
s))}}var df="Tasks of awhost debug. Nothing is trained, so the run has no curves, steps, or checkpoints.",ff=50;async function nc(e,t,n){
let i=await Li(t.name,Math.max(0,t.step-ff+1),Math.max(0,t.step),e.signal).catch(()=>null);if(e.signal.aborted)return;let s=i?.
steps??[],l=JSON.stringify([t.findings,t.not_checked,Jl(s)]);n.dataset.drawn!==l&&(n.dataset.drawn=l,$(n,ec(e,t,s)))}function mf(e){
let t=[e.step>=0?`${S(e.step)}${e.steps?` of ${S(e.steps)}`:""}`:"none"];return[r("div",{class:"bar"},r("h1",null,e.name),
$i(e),r("span",{class:"grow"}),r("a",{class:"button",href:B(["run",e.name,"episodes"])},"Episodes"),r("a",{class:"button",
href:B(["run",e.name,"validations"])},"Validations"),r("a",{class:"button",href:B(["compare"],{run:[e.name]})},"Compare")),
fn([["step",e.played?null:t],["stage",e.stage],["held-out success",e.played?null:Ri(e)],["episodes",e.episodes===void 0?
null:S(e.episodes)],["adapter",e.adapter],["train",e.train],["dataset",e.played?.dataset],["policy",e.played?.policy],["\
spec",e.spec],["machine",e.machine],["started",An(e.started)],["duration",e.live||e.ended?cs(e.started,e.live?void 0:e.ended):
null],["disk",Dt(e.disk_bytes)],["digest",e.digest?r("code",null,e.digest.slice(0,19)):null]]),bf(e)]}function hf(e){return[
e.problem||e.reason?r("p",{class:"warning"},e.problem??e.reason):null,(e.warnings??[]).map(t=>r("p",{class:"warning",role:"\
status"},t))]}function gf(e,t){return Te(r("b",null,"Spec"),()=>{let n=r("div",null);return Ce(e,n,async()=>{let i=(await rs(
t,e.signal)).settings.map(u=>[u.path,JSON.stringify(u.value)]),s=r("div",null),l=r("input",{type:"search",placeholder:"s\
etting or value","aria-label":"filter settings"}),a=()=>{let u=l.value.trim().toLowerCase(),d=i.filter(([m,g])=>`${m} = ${g}`.
toLowerCase().includes(u));$(s,Ae([{title:"setting",cell:([m])=>r("code",null,m)},{title:"value, including defaults",wide:!0,
cell:([,m])=>Re(m,400)}],d.slice(0,500)),d.length>500?r("p",{class:"dim"},`${ye(d.length-500,"more setting")}: refine th\
e filter`):null)};return l.addEventListener("input",a),a(),[l,s]}),n})}function bf(e){let t=Object.entries(e.failures??{}).
filter(([,n])=>n>0).sort((n,i)=>i[1]-n[1]);return t.length===0?null:r("p",{class:"chips"},r("span",{class:"dim"},"Failed\
: "),t.map(([n,i])=>r("a",{class:"chip bad",href:B(["run",e.name,"episodes"],{class:n})},`${n.toLowerCase()} `,r("b",null,
S(i)))))}var Ql=class{constructor(t,n){this.view=t;this.run=n}view;run;element=r("section",{class:"curves","aria-label":"\
curves"});charts=[];points=new Map;drawn="";async load(){this.drawn=(this.run.metrics??[]).join(`
`);let t=Ms(this.run.metrics??[]),n=r("div",{class:"grid"});await Ce(this.view,this.element,async()=>(await this.fetch(t.
flatMap(i=>i.names)),$(n,t.map(i=>this.chart(i))),t.length===0?r("p",{class:"empty"},"No curves: no step has ended."):[n,
[...ja(this.run.metrics??[])].map(([i,s])=>this.part(i,s))]))}part(t,n){let i=[r("b",null,t),r("span",{class:"dim"},` ${ye(
n.length,"metric")}`)];return Te(i,()=>{let s=r("div",null),l=24,a=u=>Ce(this.view,s,async()=>{let d=n.slice(u,u+l);return await this.
fetch(d),[r("div",{class:"grid"},d.map(m=>this.chart({title:m,names:[m]}))),n.length>l?r("div",{class:"pager"},r("button",
{disabled:u===0,onclick:()=>{a(u-l)}},"\u2190"),r("span",null,`${u+1} to ${u+d.length} of ${n.length}`),r("button",{disabled:u+
l>=n.length,onclick:()=>{a(u+l)}},"\u2192")):null]});return a(0),s})}chart(t){let n=new bi({title:t.title,unit:t.unit,share:t.
share,sync:"run",open:i=>{location.hash=Ge(this.run.name,i)}},this.lines(t),this.ground(),this.view.signal);return this.
charts.push({of:t,chart:n}),n.element}lines(t){return t.names.map(n=>({label:qa(n,t),points:this.points.get(n)??[]}))}ground(){
return{stages:this.run.stages??[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??[],last:this.run.step}}async fetch(t,n){
if(t.length===0)return;let{series:i}=await ss(this.run.name,t,n,this.view.signal);for(let[s,l]of Object.entries(i)){let a=n===
void 0?[]:(this.points.get(s)??[]).filter(u=>u[0]<=n);this.points.set(s,[...a,...l])}}async refresh(t,n){if(this.run=t,this.
drawn===""||this.charts.length===0&&(t.metrics??[]).length>0)return this.load();let i=[...new Set(this.charts.flatMap(l=>l.
of.names))],s=Math.max(-1,...i.flatMap(l=>(this.points.get(l)??[]).slice(-1).map(a=>a[0])));try{await this.fetch(i,n||s<
1?void 0:s-1)}catch{return}for(let{of:l,chart:a}of this.charts)a.update(this.lines(l),this.ground())}},Zl=class{constructor(t,n){
this.view=t;this.run=n;this.element.append(this.place)}view;run;element=me("Steps");place=r("div",null);top;load(){return Ce(
this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.top===void 0&&!this.place.contains(document.activeElement)){
let n=await this.draw().catch(()=>null);n&&!this.view.signal.aborted&&$(this.place,n)}}async draw(){let t=this.top??this.
run.step,n=Math.max(0,t-tc+1),{steps:i}=await Li(this.run.name,n,Math.max(0,t),this.view.signal);if(i.length===0)return r(
"p",{class:"empty"},"No steps: none has ended.");let s=l=>{let a=t+l*tc;this.top=a>=this.run.step?void 0:a,this.load()};
return[wf(this.run.name,[...i].sort((l,a)=>a.step-l.step)),n>0||this.top!==void 0?r("div",{class:"pager"},r("button",{disabled:this.
top===void 0,onclick:()=>s(1)},"\u2190 Newer"),r("span",null,`steps ${n} to ${t}`),r("button",{disabled:n===0,onclick:()=>s(
-1)},"Older \u2192")):null]}};function wf(e,t){let n=[...new Set(t.flatMap(i=>Object.keys(i.seconds??{})))];return Ae([{
title:"step",right:!0,cell:i=>r("a",{href:Ge(e,i.step)},S(i.step))},{title:"stage",cell:i=>i.stage??"\u2013"},{title:"ep\
isodes",right:!0,cell:i=>S(i.episodes)},{title:"reward",right:!0,cell:i=>S(i.reward)},{title:"success",right:!0,cell:i=>at(
i.success)},{title:"failed",right:!0,cell:i=>Xl(i.failed)},{title:"truncated",right:!0,cell:i=>Xl(i.truncated)},...n.map(
i=>({title:i.replaceAll("_"," "),right:!0,cell:s=>Qe(s.seconds?.[i])})),{title:"",wide:!0,cell:()=>""}],t,i=>Ge(e,i.step))}
function Xl(e){return e?r("span",{class:"bad"},S(e)):S(e)}var vf={start:"started",resume:"resumed",kill:"killed",end:"en\
ded",take_up:"trainer reattached",stage:"stage",plugin_restart:"plugin restarted"};function xf(e){let t=[...e.marks??[]].
sort((s,l)=>l.time.localeCompare(s.time));if(t.length===0)return null;let n=s=>Ae([{title:"time",cell:l=>An(l.time)},{title:"\
step",right:!0,cell:l=>S(l.step)},{title:"what",cell:l=>r("span",{class:"badge "+(l.kind==="kill"?"bad":"")},vf[l.kind]??
l.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:l=>l.text}],s),i=10;return me("Events",n(t.slice(0,i)),t.length>i?Te(
`${ye(Math.min(t.length,500)-i,"earlier entry").replace("entrys","entries")}`,()=>n(t.slice(i,500))):null)}function yf(e){
return(e.plugins??[]).length===0?null:me("Plugins",Ae([{title:"address",cell:t=>r("code",null,t.address)},{title:"plugin",
cell:t=>`${t.name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(t.pid):"\u2013"},{title:"restarts",
right:!0,cell:t=>Xl(t.restarts)},{title:"CPU",right:!0,cell:kf},{title:"memory",right:!0,cell:t=>Dt(t.rss_bytes)},...e.plugins.
some(t=>t.gpus)?[{title:"GPU memory",right:!0,cell:t=>Sf(t)}]:[],{title:"last output",wide:!0,cell:t=>t.last_words?r("di\
v",{class:"words"},Re(t.last_words,400)):""}],e.plugins),e.played?null:r("p",{class:"dim"},"Output of all plugins: ",tn(
`awhost logs ${e.name}`)))}function kf(e){return e.cpu_percent===void 0?Qe(e.cpu_seconds):[Qe(e.cpu_seconds),r("span",{class:"\
dim"},` ${Math.round(e.cpu_percent)} %`)]}function Sf(e){return(e.gpus??[]).map(t=>r("div",null,r("span",{class:"dim"},`${t.
index}: `),Dt(t.bytes)))}function Ef(e){return(e.gpus??[]).length===0?null:me("GPUs",Ae([{title:"",right:!0,cell:t=>String(
t.index)},{title:"name",cell:t=>t.name??"\u2013"},{title:"memory",cell:t=>[`${Dt(t.used_bytes)} of ${Dt(t.total_bytes)}`,
t.total_bytes?r("progress",{value:t.used_bytes??0,max:t.total_bytes,"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],
e.gpus))}function Mf(e){let t=[...e.checkpoints??[]].sort((n,i)=>i.step-n.step).slice(0,200);return t.length===0?null:me(
"Checkpoints",Ae([{title:"step",right:!0,cell:n=>r("a",{href:Ge(e.name,n.step)},S(n.step))},{title:"",cell:n=>n.best?r("\
span",{class:"badge good"},"best"):""},{title:"path",wide:!0,cell:n=>n.path?tn(n.path):""}],t))}async function ic(e,t,n){
let i=await Br(t,e.signal).catch(()=>null);if(!i||!i.live||e.signal.aborted)return $(n);if(i.waits.length===0)return $(n);
let s=i.waits[0];$(n,Te([r("b",null,"Waits: "),_f(s),i.waits.length>1?`, and ${i.waits.length-1} more`:""],()=>Ae([{title:"\
who",cell:l=>l.episodes?ye(l.episodes,"episode"):"the "+l.who},{title:"waits for",cell:l=>[l.for," ",l.address??"",l.call?
`, ${l.call}`:""]},{title:"since",right:!0,cell:l=>Qe(l.seconds)},{title:"longest",cell:l=>l.episode?r("a",{href:Je(t,l.
episode)},l.episode):""},{title:"",wide:!0,cell:l=>l.detail??""}],i.waits),n.querySelector("details")?.open??!1))}function _f(e){
return`${e.episodes?`${ye(e.episodes,"episode")} wait`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:
""}, ${Qe(e.seconds)}`}var ln=e=>({text:e,href:Cn(e)});function Mt(e){let t=e.filter(s=>typeof s=="number"&&Number.isFinite(s)),n=Math.min(0,...t),i=Math.max(1,...t);if(n<0){let s=Math.
max(-n,Math.max(0,...t));return{low:-s,high:s}}return{low:0,high:i}}function Ls(e){return{low:-e,high:e}}function _t(e,t,n){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let i=n.high-
n.low,s=i===0?.5:Math.min(1,Math.max(0,(t-n.low)/i));return e.classList.add(s<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(s-.5)*200)}%`),e}function bn(e,t,n,i=!1){let s=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",l=r("a",
{class:"cell"+(i?" here":""),href:Je(e,t.id),title:Tf(t),"aria-current":i?"true":void 0},s?Ze(t.outcome):t.reward===null||
t.reward===void 0?"none":S(t.reward,3),t.success===!0?r("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?r("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?r("span",{class:"cut","aria-label":"\
malformed calls"},"\u2260"):null);return _t(l,t.outcome==="FAILED"?null:t.reward,n)}function Tf(e){let t=e.success===!0?
", solved":e.success===!1?", not solved":"",n=e.class?` (${Ze(e.class)})`:"",i=e.malformed?`, ${ye(e.malformed,"malforme\
d call")}`:"";return`${e.id}: ${Ze(e.outcome)}${n}, reward ${S(e.reward)}${t}${i}`}function Vn(e){let t=e.outcome==="SCO\
RED"&&!e.malformed,n=e.outcome==="FAILED"?"bad":t?"good":"warn";return r("span",{class:"badge "+n},e.outcome?Ze(e.outcome):
"given up",e.class?`: ${Ze(e.class)}`:"",e.malformed?`, ${ye(e.malformed,"malformed call")}`:"")}function lc(e,t){return _t(
r("span",{class:"cell small"},S(e.reward,3)),e.reward,t)}var ac=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],Lf=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function cc(e){let t={};for(let n of ac){
let i=e.get(n);i&&(t[n]=i)}return t}function Cs(e){return ac.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function uc(e,t,n){
let i=d=>t.get(d)??"",s=(d,m={})=>[...new Set([...Object.keys(m),i(d)])].filter(g=>g!=="").map(g=>[g,`${Ze(g)} (${S(m[g]??
0)})`]),l=["member","task","group","turns_min","turns_max","malformed_min"].some(d=>i(d)!==""),a=r("form",{class:"filter",
role:"search"},Ps("q","text",i("q"),{"data-filter":!0,placeholder:"text in the conversation",type:"search"}),er("outcome",
i("outcome"),[["","any outcome"],...s("outcome",n.outcomes)]),er("class",i("class"),[["","any failure"],...s("class",n.failures)]),
er("sort",i("sort"),Lf),oc("reward",i),r("details",{class:"more",open:l},r("summary",null,"more"),r("div",{class:"filter"},
oc("turns",i),Pf("malformed","malformed calls",i),Ps("task","task",i("task")),Ps("group","group",i("group")),Ps("member",
"member",i("member")))),r("button",null,"Filter"),Cs(t)?r("a",{class:"button quiet",href:B(e,rc(t))},"Clear"):null),u=()=>{
let d=rc(t);for(let[m,g]of new FormData(a))typeof g=="string"&&g.trim()!==""&&(d[m]=g.trim());location.hash=B(e,d)};return a.
addEventListener("submit",d=>{d.preventDefault(),u()}),a.addEventListener("change",d=>{d.target instanceof HTMLSelectElement&&
u()}),a}function rc(e){let t={};for(let n of["split","layout","expected"]){let i=e.get(n);i&&(t[n]=i)}return t}function Ps(e,t,n,i={}){
return r("label",null,r("span",null,t),r("input",{name:e,value:n,type:"text",autocomplete:"off",...i}))}function Pf(e,t,n){
let i={name:`${e}_min`,value:n(`${e}_min`),type:"number",min:0,placeholder:"from"};return r("label",{class:"range"},r("s\
pan",null,t),r("input",i))}function oc(e,t){let n=(i,s)=>r("input",{name:`${e}_${i}`,value:t(`${e}_${i}`),type:"number",
step:"any",placeholder:s,"aria-label":`${e} ${s}`});return r("label",{class:"range"},r("span",null,e),n("min","from"),n(
"max","to"))}function er(e,t,n){let i=r("select",{name:e,"aria-label":e},n.map(([s,l])=>r("option",{value:s},l)));return i.
value=t,i}function ji(e,t){let n=new Map;for(let i of e){let s=t(i),l=n.get(s);l?l.push(i):n.set(s,[i])}return n}var Cf=100;async function nr(e,t,n){let i=n===void 0?["run",t,"episodes"]:["run",t,"step",n];e.title(ln(t),{text:n===void 0?
"episodes":`step ${n}`});let s=await Pn(t,e.signal),l=new tr(e,s,n,i);$(e.root,Af(e,s,n,i),n===void 0?null:$f(e,t,n),Qt===
void 0?uc(i,e.query,s):null,n===void 0||Cs(e.query)?null:Df(e,t,n),l.element),await l.load(),s.live&&e.onLive(t,a=>l.hear(
a.some(u=>n===void 0||u.step===n)))}function Af(e,t,n,i){let s=e.query.get("split")??"",l=Object.fromEntries([...e.query].
filter(([m])=>m!=="cursor")),a=(m,g)=>r("a",{class:"tab"+(s===m?" here":""),"aria-current":s===m?"true":void 0,href:B(i,
{...l,split:m})},g),u=e.query.get("layout")??"",d=m=>{location.hash=Ge(t.name,Math.max(0,(n??0)+m),{split:s})};return n!==
void 0&&(e.key("ArrowLeft","previous step",()=>d(-1)),e.key("ArrowRight","next step",()=>d(1))),r("div",{class:"bar"},r(
"h1",null,n===void 0?"Episodes":`Step ${S(n)}`),n===void 0?null:r("span",{class:"turn"},r("button",{disabled:n===0,title:"\
previous step (\u2190)","aria-label":"previous step",onclick:()=>d(-1)},"\u2190"),r("button",{title:"next step (\u2192)",
"aria-label":"next step",onclick:()=>d(1)},"\u2192")),t.played?null:r("span",{class:"tabs"},a("","All"),a("train","Train\
ing"),a("validation","Held-out")),n===void 0?null:r("span",{class:"tabs"},r("a",{class:"tab"+(u===""?" here":""),href:B(
i,{...l,layout:""})},"Groups"),r("a",{class:"tab"+(u==="list"?" here":""),href:B(i,{...l,layout:"list"})},"List")))}function $f(e,t,n){
let i=r("div",null);return Ce(e,i,async()=>{let s=(await Li(t,n,n,e.signal)).steps.find(l=>l.step===n);return s?fn([["st\
age",s.stage],["episodes",S(s.episodes)],["reward",S(s.reward)],["success",at(s.success)],["failed",S(s.failed)],["trunc\
ated",S(s.truncated)],...Rf(s)]):r("p",{class:"dim"},"The step has not ended, or belongs to another run.")}),i}function Rf(e){
return Object.entries(e.seconds??{}).map(([t,n])=>[t.replaceAll("_"," "),Qe(n)])}function Df(e,t,n){let i=r("div",null),
s=e.query.get("split")??void 0,l=u=>Pi(t,{step:n,split:s,sort:u,limit:3},e.signal);Ce(e,i,async()=>{let[u,d]=await Promise.
all([l("-reward"),l("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(u).length===0||m(u)[0].reward===
m(d)[0].reward)return null;let g=Mt([...m(u),...m(d)].map(b=>b.reward));return r("div",{class:"extremes"},a("Best",m(u),
g),a("Worst",m(d),g))});let a=(u,d,m)=>me(u,d.map(g=>r("p",{class:"answer"},bn(t,g,m)," ",r("a",{href:Je(t,g.id),class:"\
quiet"},wi(g.answer)||"no answer"))));return i}var tr=class{constructor(t,n,i,s){this.view=t;this.run=n;this.step=i;this.
path=s;this.element.append(this.news,this.place)}view;run;step;path;element=r("div",null);place=r("div",null);news=r("di\
v",null);load(){return $(this.news),Ce(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?$(this.news,
r("p",{class:"news"},r("button",{onclick:()=>{this.load()}},"Show new episodes"))):this.load()}async draw(){let t=this.view.
query.get("cursor")??void 0,n=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sort"),i=n?
{sort:"group"}:{},s=await Pi(this.run.name,{...cc(this.view.query),...i,step:this.step,limit:Cf,cursor:t},this.view.signal);
if(s.episodes.length===0)return r("p",{class:"empty"},this.emptiness());let l=Mt(s.episodes.map(u=>u.reward)),a=s.total===
void 0?"":`${ye(s.total,"episode")}`;return[r("p",{class:"legend"},r("b",null,a),zf(l),this.asks(n)),this.strip(s.episodes,
l),n?this.groups(s.episodes,l):this.list(s.episodes,l),this.pager(s,t)]}emptiness(){return Cs(this.view.query)?"No match\
ing episodes.":this.run.live?"No episodes yet. The list updates automatically.":"No episodes."}strip(t,n){if(this.step!==
void 0||!this.view.query.get("task"))return null;let i=ji([...t].sort((s,l)=>s.step-l.step),s=>s.step);return me("All ep\
isodes of this task",r("div",{class:"strip"},[...i].map(([s,l])=>r("div",null,r("a",{class:"dim",href:Ge(this.run.name,s)},
`step ${s}`),l.map(a=>bn(this.run.name,a,n))))))}groups(t,n){let i=[...ji(t,s=>JSON.stringify([s.split,s.group])).values()].
sort(Hf);return r("div",{class:"groups"},i.map(s=>{let l=s.toSorted((d,m)=>d.sample-m.sample),a=l[0],u=Ai(this.run.name,
a.group,a.step,a.split);return r("section",{class:"group item",data:{href:u}},r("div",{class:"of"},r("a",{href:u,title:"\
side by side"},a.split==="validation"?"held-out ":"",`group ${a.group}`),r("a",{class:"task",title:"all episodes of this\
 task",href:B(["run",this.run.name,"episodes"],{task:a.task})},a.task),r("span",{class:"dim"},Vf(l))),r("div",{class:"ce\
lls"},l.map(d=>bn(this.run.name,d,n))))}))}list(t,n){let i=this.run.name;return Ae([...this.step===void 0&&!this.run.played?
[{title:"step",right:!0,cell:s=>r("a",{href:Ge(i,s.step)},S(s.step))}]:[],{title:"episode",cell:s=>r("a",{href:Je(i,s.id),
title:s.id},qi(s))},{title:"reward",right:!0,cell:s=>lc(s,n)},{title:"success",cell:s=>s.success===!0?"solved":s.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:Vn},{title:"task",cell:s=>r("a",{class:"short",href:B(["run",i,"episodes"],
{task:s.task})},s.task)},{title:"answer",wide:!0,cell:s=>r("div",{class:"short",title:s.answer},Of(s))},...this.expected(),
{title:"turns",right:!0,cell:s=>S(s.turns)},{title:"tokens",right:!0,cell:s=>S(s.tokens)},{title:"duration",right:!0,cell:s=>Qe(
s.seconds)},{title:"attempt",right:!0,cell:s=>S(s.attempt)}],t,s=>Je(i,s.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,n=Promise.resolve();return[{title:"private part",cell:s=>{let l=JSON.stringify([s.split,s.task]),
a=t.get(l)??n.then(()=>ls(this.run.name,s.id,this.view.signal).then(Nf),()=>"");t.set(l,a),n=a.catch(()=>{});let u=r("di\
v",{class:"private"},"\u2026");return a.then(d=>{u.title=Rt(d),$(u,wi(d))},d=>$(u,r("span",{class:"bad"},d instanceof Error?
d.message:""))),u}}]}asks(t){if(t||Qt!==void 0)return null;let n=Object.fromEntries([...this.view.query]),i=!!n.expected;
return r("a",{class:"button quiet",href:B(this.path,{...n,expected:i?"":"1"})},i?"Hide private parts":"Show private part\
s (expected answers)")}pager(t,n){if(!t.next&&!n)return null;let i=Object.fromEntries([...this.view.query].filter(([l])=>l!==
"cursor")),s=()=>{t.next&&(location.hash=B(this.path,{...i,cursor:t.next}))};return this.view.key("n","next page",s),r("\
div",{class:"pager"},r("button",{disabled:!n,onclick:()=>{location.hash=B(this.path,i)}},"First page"),r("button",{disabled:!n,
onclick:()=>history.back()},"\u2190 Back"),r("button",{disabled:!t.next,onclick:s},"Next page \u2192"))}};function qi(e){
return`${e.group}, sample ${S(e.sample)}`}function Nf(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([n,i])=>`${n}: ${typeof i=="string"?i:JSON.stringify(i)}`).
join(", ")}function Of(e){let t=e.answer??"",n=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&n?"\u2026 "+wi(
t.slice(-60)):wi(t)}function Hf([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function zf(e){return r("span",{class:"ramp"},r("span",null,S(e.low)),r("i",null),r("span",null,S(e.high)),r("i",{class:"\
hatched"}),r("span",null,"no reward"))}function Vf(e){let t=e.map(i=>i.reward).filter(i=>typeof i=="number");if(t.length===
0)return"no rewards";let n=t.reduce((i,s)=>i+s,0)/t.length;return t.length>1&&t.every(i=>i===t[0])?`all ${S(n,3)}: teach\
es nothing`:`mean ${S(n,3)}`}function wi(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var Ff=200;function Wi(e,t){let n=e.transcripts??(e.messages?[{messages:e.messages}]:[]),i=r("div",{class:"conversation"});
if(n.reduce((d,m)=>d+m.messages.length,0)===0)return $(i,r("p",{class:"empty"},"No messages.")),i;let l=jf(n),a=qf(e,l),
u=d=>{i.querySelector(":scope > button")?.remove();let m=Math.min(l.length,d+Ff);Gt(i,Wf(l.slice(d,m),t,a)),m<l.length?i.
append(r("button",{onclick:()=>u(m)},`Show more: ${ye(l.length-m,"message")} left`)):e.limit?.cut&&i.append(r("p",{class:"\
cuthere",title:Rt(e.limit.words)},"\u2702 cut here"))};return u(0),i}function jf(e){let t=[],n=new Map;for(let i of e){let s=i.
agent??"";for(let l of i.messages){let a=JSON.stringify([s,l.tool_call_id]),u=l.role==="tool"?n.get(a):void 0;if(u){u.results.
set(l.tool_call_id,l),n.delete(a);continue}let d={member:s,depth:Math.max(0,i.depth??0),message:l,results:new Map};for(let m of l.
tool_calls??[])n.set(JSON.stringify([s,m.id]),d);t.push(d)}}return t}function qf(e,t){let n=t.filter(s=>s.message.role===
"assistant"),i=(e.transcripts?.length??1)===1&&n.length===e.episode.turns;return new Map(i?n.map((s,l)=>[s,l+1]):[])}function pc(e){
if(e.querySelector("[data-turn]"))return t=>{let n=e.querySelector(`[data-turn="${t}"]`);for(let i of e.querySelectorAll(
".current"))i.classList.remove("current");n?.classList.add("current"),n?.scrollIntoView({block:"start"})}}function Wf(e,t,n){
let i=r("div",null),s=[{element:i,member:""}];for(let l of e){let a=l.member===""?0:l.depth+1;for(;s.length>a+1||s.length===
a+1&&a>0&&s.at(-1).member!==l.member;)s.pop();for(;s.length<=a;){let u=r("details",{class:"member",open:!0},r("summary",
null,l.member));s.at(-1).element.append(u),s.push({element:u,member:l.member})}s.at(-1).element.append(Uf(l,t,n.get(l)))}
return[...i.childNodes]}function Uf(e,t,n){let i=e.message,s=i.role||"unknown",l=(i.content??"").length;return r("articl\
e",{class:`message item ${If(s)}${i.is_error?" error":""}`,data:n?{turn:String(n)}:void 0},r("header",null,r("b",null,s),
i.name?r("span",{class:"dim"},i.name):null,i.is_error?r("span",{class:"badge bad"},"error"):null,l>2e3?r("span",{class:"\
dim"},`${l.toLocaleString("en")} characters`):null),i.reasoning?Te([r("b",null,"reasoning"),r("span",{class:"dim"}," "+ir(
i.reasoning))],()=>Re(i.reasoning),!1,"thinks"):null,i.content?Re(i.content,t):null,(i.images??[]).map(dc),(i.attachments??
[]).map(a=>mc(a,i.content??"")),(i.tool_calls??[]).map(a=>Kf(a,e.results.get(a.id))),(i.malformed??[]).map(a=>r("div",{class:"\
malformed"},r("span",{class:"badge warn"},"malformed call")," ",a.reason,(i.content??"").includes(a.text)?null:Te("text \
of the call",()=>Re(a.text)))),Bf(i)?r("p",{class:"dim"},"(nothing)"):null)}var Gf=new Set(["system","user","assistant",
"tool"]);function If(e){return Gf.has(e)?e:"other"}function Bf(e){return!e.content&&!e.reasoning&&!e.images?.length&&!e.
attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function Kf(e,t){let n=[r("span",{class:"arrow"},"\u2192"),
r("b",null,e.name||"(no name)"),r("span",{class:"dim oneline"},ir(e.arguments)),t?.is_error?r("span",{class:"badge bad"},
"error"):null,r("span",{class:t?"result oneline":"oneline bad"},t?"\u2190 "+ir(t.content??""):"no result")];return Te(n,
()=>r("div",{class:"body"},r("h4",null,"arguments"),Re(Yf(e.arguments)),r("h4",null,"result"),t?[t.content?Re(t.content):
r("p",{class:"dim"},"(nothing)"),(t.images??[]).map(dc),(t.attachments??[]).map(i=>mc(i,t.content??""))]:r("p",{class:"d\
im"},"The episode ended before the result.")),!1,"call")}function Yf(e){if(e.length>1e6)return e;try{return JSON.stringify(
JSON.parse(e),null,2)}catch{return e}}function ir(e){return Ci(e.slice(0,300).replace(/\s+/g," ").trim())}var Jf=new Set(
["image/png","image/jpeg","image/gif","image/webp"]),Qf=8<<20;function dc(e){let t=["picture",e.mime_type,e.url,e.data?Dt(
Math.floor(e.data.length*3/4)):""];return fc(t.filter(n=>n).join(", "),e.mime_type,e.data)}function fc(e,t,n){return!n||
!t||!Jf.has(t)||n.length>Qf||!/^[A-Za-z0-9+/]+=*$/.test(n)?r("p",{class:"attachment"},"+ "+e):Te("+ "+e,()=>{let i=document.
createElement("img");return i.alt=Rt(e),i.src=`data:${t};base64,${n}`,i},!1,"attachment")}function mc(e,t){let n=[e.kind||
"attachment",e.mime_type,e.name,e.uri,e.size?Dt(e.size):"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:
""].filter(s=>s).join(", ");if(e.data)return fc(n,e.mime_type,e.data);let i=e.json!==void 0?JSON.stringify(e.json,null,2):
e.text??"";return i===""||i===t?r("p",{class:"attachment"},"+ "+n):Te("+ "+n,()=>Re(i),!1,"attachment")}function As(e){let t=e.reward,n=t?.total??e.episode.reward,i=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),s=Mt([n,...Object.values(t?.parts??{})]),l=e.episode.success;return r("div",{class:"reward"},r("p",
{class:"total"},_t(r("span",{class:"cell"},S(n)),n,s),l===!0?r("span",{class:"badge good"},"solved"):null,l===!1?r("span",
{class:"badge"},"not solved"):null,n==null?r("span",{class:"dim"},Xf(e)):null),t?.expression?r("p",null,r("span",{class:"\
dim"},"expression "),r("code",{class:"expression"},t.expression)):null,i.length===0?null:Ae([{title:"part",cell:a=>r("co\
de",null,a.replace(/^reward\./,""))},{title:"value",right:!0,cell:a=>Zf(t?.parts?.[a],s)},{title:t?.notes?"notes":"",wide:!0,
cell:a=>t?.notes?.[a]?Re(t.notes[a],400):""}],i),(t?.own_rewards??[]).map(a=>r("p",null,r("code",null,`agent.${a.agent}`),
" reports ",S(a.reward),a.is_success===void 0?"":a.is_success?", solved":", not solved")),em(t?.turn_rewards??[]))}function Zf(e,t){
return e===void 0?"":_t(r("span",{class:"cell small"},S(e)),e,t)}function Xf(e){return e.failure||e.episode.outcome==="F\
AILED"?"No reward: the episode failed.":"No reward."}function em(e){if(e.length===0)return null;let t=Mt(e.map(n=>n.reward));
return r("p",{class:"cells"},r("span",{class:"dim"},"by turn "),e.slice(0,500).map(n=>_t(r("span",{class:"cell small",title:n.
call_id},S(n.reward,3)),n.reward,t)))}var tm=360,nm=200;async function hc(e,t,n){let i=Number(e.query.get("step")??0),s=e.query.get("split")??"train";e.title(
ln(t),{text:`step ${i}`,href:Ge(t,i)},{text:`group ${n}`});let a=(await Pi(t,{step:i,split:s,group:n,limit:nm},e.signal)).
episodes.toSorted((P,D)=>P.sample-D.sample),u=a[0];if(!u){$(e.root,r("p",{class:"empty"},"This group has no episodes."));
return}let d=Mt(a.map(P=>P.reward)),m=r("div",{class:"beside"}),g=a.map(P=>bn(t,P,d)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/tm))),k=()=>{let P=a.slice(b,b+v());g.forEach((D,q)=>D.classList.toggle(
"here",q>=b&&q<b+P.length)),$(m,P.map(D=>im(e,t,D)))},L=P=>{b=Math.min(Math.max(0,a.length-v()),Math.max(0,b+P*v())),k()};
e.key("ArrowLeft","previous samples",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),$(e.root,r("div",{class:"bar"},
r("h1",null,`Group ${n}`),r("span",{class:"turn"},r("button",{title:"previous samples (\u2190)","aria-label":"previous s\
amples",onclick:()=>L(-1)},"\u2190"),r("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(
1)},"\u2192"))),r("p",null,"Task ",r("a",{href:B(["run",t,"episodes"],{task:u.task})},u.task)),r("div",{class:"cells"},g),
m),k()}function im(e,t,n){let i=r("div",null);return Ce(e,i,async()=>{let s=await ri(t,n.id,e.signal);return[As(s),Wi(s,
1200)]}),r("section",{class:"panel"},r("h2",null,r("a",{href:Je(t,n.id)},`sample ${S(n.sample)}`)," ",Vn(n)),i)}function wc(e){let t=e.some(n=>n.model);return Ae([{title:"member",cell:n=>r("code",null,n.agent)},{title:"turns",right:!0,
cell:n=>S(n.turns)},{title:"prompt tokens",right:!0,cell:n=>S(n.prompt_tokens)},{title:"output tokens",right:!0,cell:n=>S(
n.output_tokens)},{title:"model's time",right:!0,cell:n=>mn(n.model_ms)},...t?[{title:"model",cell:n=>n.model??"the poli\
cy"},{title:"cost",right:!0,cell:n=>n.cost_usd?`$${S(n.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var gc=200;
function vc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?bc(e.chains):null;let n=new Set(t.map(g=>g.
call_id)),i=ji(t,g=>g.parent&&n.has(g.parent)&&g.parent!==g.call_id?g.parent:""),s=[],l=new Set,a=(i.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;a.length>0;){let g=a.pop();if(l.has(g.call.call_id))continue;l.add(g.call.call_id),
s.push(g);let b=i.get(g.call.call_id)??[],v=b.length>1;for(let k of b.toReversed())a.push({call:k,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)l.has(g.call_id)||s.push({call:g,depth:0,branch:!1});let u=r("div",{class:"forest"}),d=g=>$(u,
s.slice(0,g).map(sm),s.length>g?r("button",{onclick:()=>d(g+gc)},`Show more: ${ye(s.length-g,"call")} left`):null);d(gc);
let m=(i.get("")??[]).length;return[r("p",{class:"dim"},`${ye(t.length,"call")} in ${ye(m,"tree")}. A branch continues a\
n earlier answer. Untrained calls are marked.`),u,(e.chains??[]).length>0?bc(e.chains):null]}function sm({call:e,depth:t,
branch:n}){let i=!e.parent,s=[r("span",{class:"twig"},i?"\u25CF":n?"\u251C":"\u2502"),r("code",null,e.call_id),e.agent?r(
"span",null,e.agent):null,e.auxiliary?r("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?r("span",
{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?r("span",{class:"dim"},Ze(e.finish)):null,r("span",{class:"\
dim"},`${S(e.prompt_tokens)} + ${S(e.output_tokens)} tokens`),r("span",{class:"oneline dim"},(e.text??"").slice(0,200))],
l=Te(s,()=>e.text?Re(e.text):r("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" untrained":
""));return l.style.setProperty("--depth",String(Math.min(t,24))),l}function bc(e){return Te([r("b",null,"chains"),r("sp\
an",{class:"dim"},` ${e.length}`)],()=>Ae([{title:"chain",cell:t=>r("code",null,t.chain)},{title:"agent",cell:t=>t.agent??
""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>S(t.reward)},
{title:"digest",wide:!0,cell:t=>r("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var vi=1500,lm=150,rm=240,Sc=(e,t)=>e?.[t]??null;function $s(e,t){let n=e.loss_mask?.[t];return n==null?null:n?1:0}function wn(e,t,n){
let i=Sc(e,n);return i===0&&$s(t,n)===0?null:i}function Ec(e,t){let[n,i]=[wn(e.logprobs,e,t),wn(e.trainer_logprobs,e,t)];
return n===null||i===null?null:i-n}var sr=(e,t)=>e.reduce((n,i)=>Math.max(n,Math.abs(i)),t),xc=e=>({low:-sr(e,1),high:0}),
yc=[{name:"mask",label:"trained",value:$s,scale:()=>Ls(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>wn(
e.logprobs,e,t),scale:xc},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>wn(e.trainer_logprobs,e,t),scale:xc},
{name:"gap",label:"gap",value:Ec,scale:e=>Ls(sr(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>wn(e.advantages,
e,t),scale:e=>Ls(sr(e,1e-6))}],kc={trained:"The tokens of this episode are not recorded. Adapters report the tokens of s\
ome groups at the steps that tokens_every selects.",played:"The model of this episode returned no tokens. Served models \
return them if their block sets tokens."};function Mc(e,t=!1){if(!e||e.length===0)return r("p",{class:"dim"},t?kc.played:
kc.trained);let n=r("div",null),i=l=>$(n,new lr(e[l]).element);if(i(0),e.length===1)return n;let s=r("select",{"aria-lab\
el":"row"},e.slice(0,500).map((l,a)=>r("option",{value:String(a)},`row ${a+1} of ${e.length}${l.chain?`: ${l.chain}`:""}`)));
return s.addEventListener("change",()=>i(Number(s.value))),[s,n]}var lr=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",n=>this.point(n.target)),this.text.addEventListener("click",n=>this.point(n.target)),this.text.addEventListener(
"keydown",n=>{let i={ArrowRight:1,ArrowLeft:-1}[n.key];i!==void 0&&(n.preventDefault(),n.stopPropagation(),this.stand(this.
at<0?this.from:this.at+i))}),$(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=r("div",{class:"tokens"});measure=yc[0];from=0;text=r("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=r("div",{class:"readout",role:"status"});tabs=r("div",{class:"tabs"});overview=r(
"div",{class:"overview","aria-hidden":"true"});pager=r("div",{class:"pager"});legend=r("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:n}=this,i=[],s=0;for(let d=0;d<this.length;d++){let m=n.value(t,d);m===
null?s++:i.push(m)}let l=n.scale(i);$(this.tabs,yc.map(d=>r("button",{class:"tab"+(d===n?" here":""),"aria-pressed":d===
n?"true":"false",onclick:()=>{this.measure=d,this.draw()}},d.label))),$(this.legend,i.length===0?r("p",{class:"unknown"},
`${n.label}: unknown, because this framework does not report it.`):this.ramp(l,i,s));let a=Math.min(this.length,this.from+
vi),u=[];for(let d=this.from;d<a;d++)u.push(this.token(d,n.value(t,d),l));$(this.text,u),this.text.children.item(this.at-
this.from)?.classList.add("here"),this.drawOverview(l,a),this.drawPager(a)}drawOverview(t,n){if(this.length<lm)return;let i=Math.
ceil(this.length/rm),s=[];for(let l=0;l<this.length;l+=i){let a=this.extreme(l,Math.min(this.length,l+i)),u=r("i",{class:l<
n&&l+i>this.from?"shown":""});u.addEventListener("click",()=>this.stand(Math.max(a,l))),s.push(_t(u,a<0?null:this.measure.
value(this.row,a),t))}$(this.overview,s)}extreme(t,n){let[i,s]=[-1,-1];for(let l=t;l<n;l++){let a=this.measure.value(this.
row,l);a!==null&&Math.abs(a)>s&&([i,s]=[l,Math.abs(a)])}return i}ramp(t,n,i){if(this.measure.name==="mask"){let s=n.reduce(
(l,a)=>l+a,0);return r("p",{class:"ramp"},r("i",{class:"one high"}),`${S(s)} trained`,r("i",{class:"one plain"}),`${S(n.
length-s)} not trained`,i>0?[r("i",{class:"hatched"}),`${S(i)} unknown`]:null,this.cutWords())}return r("p",{class:"ramp"},
S(t.low,3),r("i",null),S(t.high,3),i>0?[r("i",{class:"hatched"}),`${S(i)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:r("span",{class:"badge warn"},`the first ${S(this.length)} of ${S(t)}\
 tokens`)}token(t,n,i){let s=this.row.text?.[t],l=r("span",{class:"token",data:{i:String(t)}},s==null?`\u27E8${this.row.
ids[t]}\u27E9`:om(s));return s?.includes(`
`)&&l.classList.add("ends"),t===this.row.prompt_length&&l.classList.add("first"),_t(l,n,i)}drawPager(t){let n=s=>{this.from=
Math.max(0,Math.min(s,this.length-1)),this.draw()},i=this.extreme(0,this.length);$(this.pager,r("button",{disabled:this.
from===0,onclick:()=>n(this.from-vi)},"\u2190"),r("span",null,`tokens ${S(this.from+1)} to ${S(t)} of ${S(this.length)}`),
r("button",{disabled:t>=this.length,onclick:()=>n(this.from+vi)},"\u2192"),r("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),i>=0&&this.measure.name!=="mask"?r("button",{onclick:()=>this.stand(i)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if($s(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+vi)&&(this.from=Math.floor(t/vi)*vi,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:n}=this,i=a=>a===null?r("span",
{class:"unknown"},po):r("b",null,S(a)),s=t<0?null:$s(n,t),l=t<0?null:Sc(n.turn_ids,t);$(this.readout,t<0?r("span",{class:"\
dim"},`${ye(this.length,"token")}: point at a token for its values`):[r("span",null,"token ",r("b",null,S(t))," ",r("cod\
e",null,Ci(n.text?.[t]??"")),r("span",{class:"dim"},` id ${n.ids[t]}`)),r("span",null,s===null?r("span",{class:"unknown"},
"trained: unknown"):s?"trained":"not trained"),l===null||l<0?null:r("span",null,"turn ",r("b",null,S(l+1))),r("span",null,
"sampler ",i(wn(n.logprobs,n,t))),r("span",null,"trainer ",i(wn(n.trainer_logprobs,n,t))),r("span",null,"gap ",i(Ec(n,t))),
r("span",null,"advantage ",i(wn(n.advantages,n,t)))])}};function om(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Ci(e)}var _c=150,am=["queue","model","tool","reward","siblings","host"];function Tc(e,t,n){if(e.length===0)return r("p",{class:"\
dim"},"No times recorded.");let i=Math.min(...e.slice(0,5e4).map(d=>d.start_ms)),s=Math.max(...e.slice(0,5e4).map(d=>d.start_ms+
d.ms)),l=Math.max(s-i,1e-9),a=r("div",{class:"waterfall"}),u=d=>$(a,e.slice(0,d).map(m=>um(m,i,l,n)),e.length>d?r("butto\
n",{onclick:()=>u(d+_c)},`Show more: ${ye(e.length-d,"bar")} left`):null);return u(_c),[cm(e),a,r("p",{class:"axis dim"},
r("span",null,"0"),r("span",null,mn(l))),t==="sums"?r("p",{class:"dim"},"Only total times are recorded, without their be\
ginnings."):null]}function rr(e){return am.includes(e)?e:"other"}function cm(e){let t=new Map;for(let s of e)t.set(s.part,
(t.get(s.part)??0)+s.ms);let n=[...t.values()].reduce((s,l)=>s+l,0)||1,i=[...t].sort((s,l)=>l[1]-s[1]);return r("div",null,
r("div",{class:"stack","aria-hidden":"true"},i.map(([s,l])=>r("i",{class:"part "+rr(s),vars:{"--share":`${100*l/n}%`}}))),
r("p",{class:"chips"},i.map(([s,l])=>r("span",{class:"key"},r("i",{class:"swatch part "+rr(s)}),`${s==="tool"?"environme\
nt":s} `,r("b",null,mn(l)),r("span",{class:"dim"},` ${Math.round(100*l/n)} %`)))))}function um(e,t,n,i){let s=(e.turn?`t\
urn ${e.turn}: `:"")+(e.label||e.part),l=100*(e.start_ms-t)/n,a=Math.max(.3,100*e.ms/n);return r("div",{class:"wait",title:`${e.
part}: ${s}, ${mn(e.ms)} from ${mn(e.start_ms-t)}`},e.turn&&i?r("button",{class:"name quiet",onclick:()=>i(e.turn)},s):r(
"span",{class:"name"},s),r("span",{class:"lane"},r("i",{class:"part "+rr(e.part),vars:{"--left":`${Math.min(l,99.7)}%`,"\
--share":`${Math.min(a,100)}%`}})),r("span",{class:"ms"},mn(e.ms)))}async function Pc(e,t,n){e.title(ln(t),{text:`episode ${n}`});let i=await ri(t,n,e.signal),s=i.episode,l=i.played?{text:"\
episodes",href:B(["run",t,"episodes"])}:{text:`step ${s.step}`,href:Ge(t,s.step,{split:s.split})};e.title(ln(t),l,{text:qi(
s)});let a=i.siblings??[],u=Wi(i);dm(e,t,i),$(e.root,r("div",{class:"bar"},r("h1",{title:n},i.played?qi(s):`Step ${S(s.step)}\
, ${qi(s)}`),Vn(s),r("span",{class:"grow"}),(i.commands??[]).map(d=>tn(d))),i.failure?r("div",{class:"trouble"},r("h2",null,
`Failed: ${Ze(i.failure.class)}`),Re(i.failure.detail??"")):null,i.limit?pm(i.limit):null,a.length>1?fm(t,i,a):null,r("d\
iv",{class:"episode"},r("div",null,me("Conversation",u),xm(i),wm(i),vm(i),Cc(me("Tokens",Mc(i.tokens?.rows,i.played!==void 0)))),
r("aside",null,me("Reward",As(i),gm(i)),bm(i.madness??[]),mm(t,i),me("Time",Tc(i.times??[],i.times_are,pc(u))),ym(i.attempts??
[]),Lc("Environment's state",i.state),Lc("Metadata",i.metadata),Qt===void 0?km(e,t,n):null)))}function pm(e){return r("d\
iv",{class:"trouble truncated"},r("h2",null,`Truncated: ${e.name}${e.value?` = ${e.value}`:""}`),Re(`${e.words[0]?.toUpperCase()??
""}${e.words.slice(1)}.`))}function dm(e,t,n){let i=n.siblings??[],s=i.findIndex(a=>a.id===n.episode.id),l=a=>{let u=i[s+
a];u&&(location.hash=Je(t,u.id))};e.key("ArrowLeft","previous sample",()=>l(-1)),e.key("ArrowRight","next sample",()=>l(
1)),e.key("b","the group side by side",()=>{location.hash=Ai(t,n.episode.group,n.episode.step,n.episode.split)}),e.key("\
o","expand or collapse all calls",()=>{let a=[...document.querySelectorAll(".conversation .message details")],u=!a.some(
d=>d.open);for(let d of a)d.open=u}),e.key("c","copy the terminal command for this episode",()=>{document.querySelector(
"main button.copy")?.click()})}function fm(e,t,n){let i=t.episode,s=Mt(n.map(l=>l.reward));return r("div",{class:"siblin\
gs"},r("a",{href:Ai(e,i.group,i.step,i.split)},`group ${i.group}`),r("div",{class:"cells"},n.slice(0,300).map(l=>bn(e,l,
s,l.id===i.id))))}function mm(e,t){let n=t.episode;return me("About",fn([["task",r("a",{href:B(["run",e,"episodes"],{task:n.
task}),title:"all episodes of this task"},n.task)],...hm(t),["turns",S(n.turns)],["tokens",S(n.tokens)],["duration",Qe(n.
seconds)],["status",t.played||!n.standing?null:Ze(n.standing)]]))}function hm(e){let t=e.episode;return e.played?[["data\
set",e.played.dataset],["policy",e.played.policy],["try",S(t.sample+1)],["environment's seed",e.seeds?.environment]]:[["\
split",t.split==="validation"?"held-out":"training"],["step",S(t.step)],["sample",S(t.sample)]]}function gm(e){let t=[];
return e.played?null:(e.use&&t.push(`In training: ${Ze(e.use)}.`),e.why&&t.push(`Not trained: ${Ze(e.why)}.`),e.masked&&
!e.use&&t.push("Masked: counts in its group and is not trained."),e.drop_group&&t.push("Group dropped."),t.length>0?r("p",
{class:"dim"},t.join(" ")):null)}function bm(e){return e.length===0?null:me("Failed checks",e.slice(0,100).map(t=>r("p",
null,r("span",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}: ${Ze(t.reason)} in its ${t.part}`,t.near?[",\
 near ",r("code",null,t.near)]:null)))}function wm(e){return(e.members??[]).length>0?me("Members",wc(e.members)):null}function vm(e){
let t=vc(e);return t===null?null:Cc(me("Calls of the program",t))}function Cc(e){return e.classList.add("late"),e}function xm(e){
let t=e.own_steps??[];return t.length===0?null:me("Steps of the agent itself",t.slice(0,200).map((n,i)=>Te(`step ${i+1}`,
()=>Wi({episode:e.episode,messages:n.messages}))))}function ym(e){return e.length<2&&!e.some(t=>t.class)?null:me("Attemp\
ts",e.slice(0,100).map(t=>r("div",{class:"attempt"},r("p",null,r("b",null,S(t.attempt))," ",Vn(t),r("span",{class:"dim"},
t.started?` from ${An(t.started)}`:"",t.seconds===void 0?"":`, ${Qe(t.seconds)}`)),t.detail?Re(t.detail,600):null)))}function Lc(e,t){
return t==null?null:me(e,Te("show",()=>Re(JSON.stringify(t,null,2))))}function km(e,t,n){return me("Private part of the \
task",Te("Show the private part, which can contain the answer",()=>{let i=r("div",null);return Ce(e,i,async()=>{let s=await ls(
t,n,e.signal);return Re(JSON.stringify("private"in s?s.private:s,null,2))}),i}))}var Sm=240;async function $c(e,t){e.title(ln(t),{text:"validations"});let n=r("div",null);$(e.root,r("div",{class:"bar"},
r("h1",null,"Validations"),Em(e)),n),await Ce(e,n,()=>Mm(e,t))}var Ui=()=>{};function Em(e){return e.key("ArrowLeft","pr\
evious validations",()=>Ui(-1)),e.key("ArrowRight","next validations",()=>Ui(1)),r("span",{class:"turn"},r("button",{title:"\
previous validations (\u2190)","aria-label":"previous validations",onclick:()=>Ui(-1)},"\u2190"),r("button",{title:"next\
 validations (\u2192)","aria-label":"next validations",onclick:()=>Ui(1)},"\u2192"))}async function Mm(e,t){let n=e.query.
get("cursor")??void 0,i=await Ir(t,n,e.signal);if(i.tasks.length===0)return r("p",{class:"empty"},"This run has no valid\
ations.");let s=r("div",null),l=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/Sm)),a=Math.max(0,i.
steps.length-l()),u=()=>$(s,_m(t,i,i.steps.slice(a,a+l())));Ui=g=>{a=Math.min(Math.max(0,i.steps.length-l()),Math.max(0,
a+g*l())),u()},u();let d=["run",t,"validations"],m=()=>{i.next&&(location.hash=B(d,{cursor:i.next}))};return e.key("n","\
next page",m),[s,i.next||n?r("div",{class:"pager"},r("button",{disabled:!n,onclick:()=>{location.hash=B(d)}},"First page"),
r("button",{disabled:!n,onclick:()=>history.back()},"\u2190 Back"),r("button",{disabled:!i.next,onclick:m},"Next page \u2192")):
null]}function _m(e,t,n){let i=Mt(t.tasks.flatMap(s=>s.episodes.map(l=>l.reward)));return r("div",{class:"scroll"},r("ta\
ble",{class:"answers"},r("thead",null,r("tr",null,r("th",null,"task"),n.map(s=>r("th",null,r("a",{href:Ge(e,s,{split:"va\
lidation"})},`after step ${S(s)}`))))),r("tbody",null,t.tasks.map(s=>r("tr",{class:"item",data:{href:Ac(e,s.task)}},r("t\
h",null,r("a",{href:Ac(e,s.task)},s.task)),n.map(l=>r("td",null,s.episodes.filter(a=>a.step===l).map(a=>_t(r("a",{class:"\
cell answer",href:Je(e,a.id)},r("b",null,S(a.reward,3),a.success===!0?" \u2713":""),r("span",null,wi(a.answer)||"no answ\
er")),a.reward,i)))))))))}var Ac=(e,t)=>B(["run",e,"episodes"],{task:t,split:"validation"});var Ds=r("main",{tabindex:"-1"}),cr=r("nav",{class:"crumbs","aria-label":"Breadcrumbs"}),ar=r("span",{class:"connection",
role:"status"}),or=new AbortController;function Tm(){co(),Rc(),Gt(document.body,[r("header",null,r("a",{class:"home",href:B(
[])},"awhost"),cr,ar,r("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>dl()},"?"),r("button",{class:"\
quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:bl},"\u25D0")),Ds]),so(),dn("j","next item",()=>pl(
1)),dn("k","previous item",()=>pl(-1)),dn("Enter","expand or collapse the item",()=>lo()),dn("/","go to the filter",Lm),
dn("u","go up one level",Pm),dn("t","light or dark",bl),dn("?","show keys and symbols",()=>dl()),addEventListener("hashc\
hange",()=>{Rc(),Rs()}),Rs()}function Rc(){let e=gl(location.hash);e&&(ll(e.token),history.replaceState(null,"",e.rest))}
function Lm(){Ds.querySelector("[data-filter]")?.focus()}function Pm(){let e=cr.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??B([])}function Rs(){if(or.abort(),or=new AbortController,io(),Dc("off"),!qr()){$m();return}let{path:e,
query:t}=hl(Qt!==void 0&&/^(#\/?)?$/.test(location.hash)?Qt:location.hash),n=Cm(t,or.signal),i=n.root;$(Ds,i),scrollTo(0,
0),Am(n,e).catch(s=>{n.signal.aborted||$(i,wl(s,Rs))})}function Cm(e,t){return{root:r("div",{class:"view"}),signal:t,query:e,
key:(n,i,s)=>no(n,i,()=>{t.aborted||s()}),onLive:(n,i)=>{Qt===void 0&&oo(n,t,i,s=>{t.aborted||Dc(s)})},title:(...n)=>{document.
title=[...n].reverse().map(i=>i.text).concat("awhost").join(" \xB7 "),$(cr,n.map(i=>[r("span",{class:"slash","aria-hidde\
n":"true"},"/"),i.href?r("a",{href:i.href},i.text):r("span",{"aria-current":"page"},i.text)]))}}}async function Am(e,t){
let[n,i,s,l]=t;if(n===void 0)return fo(e);if(n==="compare")return Ya(e);if(n==="run"&&i!==void 0){if(s===void 0)return sc(
e,i);if(s==="step"&&/^\d+$/.test(l??""))return nr(e,i,Number(l));if(s==="episodes")return nr(e,i,void 0);if(s==="group"&&
l!==void 0)return hc(e,i,l);if(s==="episode"&&l!==void 0)return Pc(e,i,l);if(s==="validations")return $c(e,i)}e.title({text:"\
not found"}),$(e.root,r("section",{class:"trouble"},r("h2",null,"Page not found."),r("p",null,"The address is incomplete\
 or belongs to another version of awhost. ",r("a",{href:B([])},"All runs"))))}function Dc(e){ar.className="connection "+
e,$(ar,{live:"live",lost:"no connection, retrying",off:""}[e])}function $m(){let e=r("input",{type:"password","aria-labe\
l":"token",autocomplete:"off",size:40}),t=r("form",null,e,r("button",null,"Open"));t.addEventListener("submit",n=>{n.preventDefault();
let i=e.value.trim();ll(gl(i.slice(Math.max(0,i.indexOf("#"))))?.token??i),Rs()}),$(Ds,r("section",{class:"trouble"},r("\
h2",null,"This page needs a token."),r("p",null,"Open the link that awhost ui prints, or paste the link or its token her\
e. The token is valid for this tab until you close it."),t)),e.focus()}Tm();})();
