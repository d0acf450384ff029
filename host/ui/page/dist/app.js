"use strict";(()=>{function ql(e){let t=e.getElementById("awhost-data");return t?pu(JSON.parse(t.textContent??"{}")):null}function pu(e){let t=new Map(
Object.entries(e));return{open:String(e.route??"#/"),answer:(i,n={})=>fu(i,t.get(du(i)),n)}}function du(e){return"GET /"+
e.split("/").map(decodeURIComponent).join("/")}function fu(e,t,i){if(t===void 0)return;let n=e.split("/");switch(n.length===
4?n[3]:""){case"episodes":return mu(t.episodes,i);case"steps":{let{steps:r}=t;return{steps:r.filter(s=>s.step>=Number(i.
from)&&s.step<=Number(i.to))}}case"metrics":{let r=new Set([i.name??[]].flat().map(String)),{series:s}=t;return{series:Object.
fromEntries(Object.entries(s).filter(([a])=>r.size===0||r.has(a)))}}}return t}function mu(e,t){let i=["step","split","gr\
oup","task","outcome","class"].filter(p=>t[p]!==void 0),n=e.filter(p=>i.every(m=>String(p[m]??"")===String(t[m]))),r=String(
t.sort??"order"),s=r.replace(/^-/,"");(s==="reward"||s==="turns"||s==="seconds")&&n.sort(hu(s,r.startsWith("-")?-1:1));let a=Number(
t.cursor??0),u=r==="group"?n.length:a+Number(t.limit??100);return{episodes:n.slice(a,u),next:u<n.length?String(u):void 0,
total:n.length}}function hu(e,t){return(i,n)=>{let[r,s]=[i[e],n[e]];return typeof r!="number"||typeof s!="number"?+(typeof s==
"number")-+(typeof r=="number"):t*(r-s)}}function nr(e,t){try{return e().getItem(t)}catch{return null}}function ir(e,t,i){try{e().setItem(t,i)}catch{}}var Wl="awhost-token",li=ql(document),ss=li?"":nr(()=>sessionStorage,Wl)??"";function ls(e){ss=e,ir(()=>sessionStorage,Wl,
e)}function jl(){return ss!==""||li!==null}var Qt=li?.open,Jt=class extends Error{constructor(i,n,r){super(n);this.status=
i;this.summary=n;this.detail=r}status;summary;detail};function gu(e,t){let i=new URLSearchParams;for(let[r,s]of Object.entries(
t??{}))for(let a of Array.isArray(s)?s:[s])a!==void 0&&a!==""&&i.append(r,String(a));let n=i.toString();return n===""?e:
`${e}?${n}`}async function Il(e,t,i){if(li)throw Gl();let n;try{n=await fetch(gu(e,t),{signal:i,headers:{Authorization:`\
Bearer ${ss}`},cache:"no-store",credentials:"omit",redirect:"error"})}catch(r){throw i.aborted?r:new Jt(0,"The server do\
es not answer.","awhost ui, or the command with --ui, may have ended: start it again, and open the link that it prints.")}
if(!n.ok)throw await bu(n);return n}async function bu(e){let t=await e.json().catch(()=>null);return new Jt(e.status,t?.
error?.summary??`The server answered ${e.status}.`,t?.error?.detail??"")}async function $t(e,t,i){return li?wu(e,t):await(await Il(
e,t,i)).json()}function wu(e,t){let i=li.answer(e,t);if(i!==void 0)return i;throw Gl()}function Gl(){return new Jt(404,"\
This file does not hold that.","awhost ui shows all of the run, where its directory is.")}var Zt=e=>`api/runs/${encodeURIComponent(
e)}`,Ul=(e,t)=>`${Zt(e)}/episodes/${encodeURIComponent(t)}`,rr=e=>$t("api/runs",void 0,e),Ln=(e,t)=>$t(Zt(e),void 0,t),sr=(e,t,i,n)=>$t(
`${Zt(e)}/metrics`,{name:t,after:i},n),Ci=(e,t,i,n)=>$t(`${Zt(e)}/steps`,{from:t,to:i},n),Pn=(e,t,i)=>$t(`${Zt(e)}/episo\
des`,t,i),oi=(e,t,i)=>$t(Ul(e,t),void 0,i),lr=(e,t,i)=>$t(`${Ul(e,t)}/private`,void 0,i),Bl=(e,t,i)=>$t(`${Zt(e)}/valida\
tions`,{cursor:t},i),or=(e,t)=>$t(`${Zt(e)}/spec`,void 0,t),Kl=(e,t)=>$t(`${Zt(e)}/waits`,void 0,t),Yl=(e,t)=>Il(`${Zt(e)}\
/live`,void 0,t);async function Jl(e,t,i){let n=await $t("api/compare",{run:[e,t]},i);return"comparison"in n?n.comparison:
n}var vu=/^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/,
Xl=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,xu=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u,
yu=/^[\n\t -~]*$/,Ql=/\p{M}/u,Zl=/[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u,os=new RegExp("["+["Arabic","Syr\
iac","Mandaic","Nko","Adlam","Mongolian","Phags_Pa","Devanagari","Bengali","Gurmukhi","Gujarati","Oriya","Tamil","Telugu",
"Kannada","Malayalam","Sinhala","Balinese","Javanese","Khmer","Lao","Myanmar","Thai","Tibetan"].map(e=>`\\p{Script=${e}}`).
join("")+"]","u"),ku=4;function cs(e){if(yu.test(e))return[{text:e,escaped:!1}];let t=new as;for(let i=0;i<e.length;)i+=
t.take(e,i);return t.done()}function Rt(e){return cs(e).map(t=>t.text).join("")}function Ai(e){return Rt(e).replaceAll(`\

`,"\u23CE").replaceAll("	"," ")}var as=class{out=[];shown="";before="";marks=0;take(t,i){let n=t.codePointAt(i);if(n===13&&
t[i+1]===`
`)return 1;if(n===27||n===155){let s=vu.exec(t.slice(i,i+512));if(s)return this.escape(Su(s[0])),s[0].length}let r=String.
fromCodePoint(n);return this.isShown(r,t,i+r.length)?(this.marks=Ql.test(r)?this.marks+1:0,this.shown+=r,this.before=r):
this.escape(eo(n)),r.length}done(){return this.flush(),this.out}isShown(t,i,n){if(t===`
`||t==="	"||!xu.test(t))return!0;if(Ql.test(t)&&!Xl.test(t))return this.marks<ku;let r=n<i.length?String.fromCodePoint(i.
codePointAt(n)):"";switch(t){case"\u200D":return Zl.test(this.before)&&Zl.test(r)||os.test(this.before);case"\u200C":return os.
test(this.before)&&os.test(r);case"\uFE0E":case"\uFE0F":return/[\p{S}\p{N}\p{Emoji}]/u.test(this.before)}return!1}escape(t){
this.flush();let i=this.out.at(-1);i?.escaped?i.text+=t:this.out.push({text:t,escaped:!0}),this.before=""}flush(){this.shown!==
""&&this.out.push({text:this.shown,escaped:!1}),this.shown=""}};function Su(e){return[...e].map(t=>Xl.test(t)?eo(t.codePointAt(
0)):t).join("")}function eo(e){return e<=255?"\\x"+e.toString(16).padStart(2,"0"):e<=65535?"\\u"+e.toString(16).padStart(
4,"0"):"\\U"+e.toString(16).padStart(8,"0")}function o(e,t,...i){let n=document.createElement(e);for(let[r,s]of Object.entries(t??{}))Eu(n,r,s);return Gt(n,i),n}function Eu(e,t,i){
if(!(i==null||i===!1)){switch(t){case"class":e.className=String(i);return;case"onclick":e.addEventListener("click",i);return;case"\
vars":for(let[n,r]of Object.entries(i))e.style.setProperty(n,r);return;case"data":Object.assign(e.dataset,i);return;case"\
href":if(!String(i).startsWith("#"))throw new Error("links of this page stay within it");e.setAttribute("href",String(i));
return}if(t.startsWith("on")||t==="style"||t==="src")throw new Error(`attribute ${t} is not for h()`);e.setAttribute(t,i===
!0?"":Rt(String(i)))}}function Gt(e,t){for(let i of t)i==null||i===!1||(Array.isArray(i)?Gt(e,i):i instanceof Node?e.appendChild(
i):e.appendChild(document.createTextNode(Rt(String(i)))))}function R(e,...t){e.replaceChildren(),Gt(e,t)}var Mu=6e3,Tu=1e5;
function $e(e,t=Mu){let i=o("div",{class:"prose",dir:"auto"}),n=0,r=u=>{let p=_u(e,Math.min(u,e.length));for(let m of cs(
e.slice(n,p)))i.append(m.escaped?o("span",{class:"escape"},m.text):m.text);n=p};if(r(t),n===e.length)return i;let s=o("b\
utton",{class:"quiet",onclick:()=>{r(n+Tu),n===e.length?s.remove():a()}}),a=()=>R(s,`show more: ${to(e.length-n)} of ${to(
e.length)} characters are left`);return a(),o("div",null,i,s)}function to(e){return e.toLocaleString("en")}function _u(e,t){
let i=e.charCodeAt(t-1);return t<e.length&&i>=55296&&i<=56319?t+1:t}var ar=new Map,ps=new Map;function io(e,t,i){ar.set(e,{what:t,act:i})}function pn(e,t,i){ps.set(e,{what:t,act:i})}function ro(){
ar.clear()}function so(){document.addEventListener("keydown",e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Es\
cape"){document.activeElement instanceof HTMLElement&&document.activeElement.blur(),us();return}if(Lu(e.target))return;let t=ar.
get(e.key)??ps.get(e.key);t&&(e.preventDefault(),t.act())})}function Lu(e){return e instanceof HTMLElement&&(e.isContentEditable||
e.matches("input, select, textarea, dialog *"))}function ds(e){let t=[...document.querySelectorAll("main .item")].filter(
r=>r.offsetParent!==null);if(t.length===0)return;let i=t.findIndex(r=>r.classList.contains("current")),n=i<0?e>0?0:t.length-
1:Math.min(t.length-1,Math.max(0,i+e));t[i]?.classList.remove("current"),t[n].classList.add("current"),t[n].scrollIntoView(
{block:"nearest"})}function lo(){let e=document.querySelector("main .item.current");e&&(e.dataset.href?location.hash=e.dataset.
href:e instanceof HTMLDetailsElement?e.open=!e.open:e.querySelectorAll("details").forEach(t=>{t.open=!t.open}))}function fs(){
if(us())return;let e=[...ar,...ps,["Esc",{what:"leave a field, close this"}]],t=o("dialog",{class:"help","aria-label":"K\
eys, signs and words"},o("h2",null,"Keys"),no(e.map(([i,n])=>[o("kbd",null,Cu[i]??i),n.what])),o("h2",null,"Signs and wo\
rds"),no(Pu),o("button",{onclick:()=>us()},"Close"));document.body.append(t),t.addEventListener("close",()=>t.remove()),
t.showModal()}var Pu=[["\u2713","solved"],["\u2702","truncated: a limit of tokens, turns or time ended the episode"],["\u2260",
"with malformed calls: the policy wrote calls that are not valid, and they were not carried out"],["hatched","without a \
reward, or not known"],["\u25B2","in a chart: a checkpoint, the best one in another colour; broken lines are kills and r\
esumes"],["dropped","no usable attempt was left: nothing is learned from the episode"],["masked","counts in its group, a\
nd is not trained on"],["filtered","left out of the update: all of its group are worth the same"],["digest","names the c\
ontent of the newest checkpoint: two that are equal are equal to the bit"]];function no(e){return o("table",null,o("tbod\
y",null,e.map(([t,i])=>o("tr",null,o("td",null,t),o("td",null,i)))))}var Cu={ArrowLeft:"\u2190",ArrowRight:"\u2192",ArrowUp:"\
\u2191",ArrowDown:"\u2193",Enter:"Enter"};function us(){let e=document.querySelector("dialog.help");return e?.close(),e!==
null}var $u=1e3,oo=45e3;function ao(e,t,i,n){Ru(e,t,new ms(i,t),n)}async function Ru(e,t,i,n){let r=500;for(let s=!0;!t.aborted&&
(await Ou(t),!t.aborted);s=!1){try{await Du(e,t,a=>i.take(a),()=>{n("live"),r=500,s||i.take({kind:"state"})})}catch(a){if(a instanceof
Jt&&a.status>=400&&a.status<500)break}if(t.aborted)break;document.hidden||(n("lost"),await Nu(r,t),r=Math.min(2*r,15e3))}
n("off")}async function Du(e,t,i,n){let r=new AbortController,s=()=>r.abort(),a=()=>document.hidden&&s();t.addEventListener(
"abort",s,{once:!0}),document.addEventListener("visibilitychange",a);let u=setTimeout(s,oo);try{let m=(await Yl(e,r.signal)).
body.pipeThrough(new TextDecoderStream).getReader();n();for(let g="";;){let{done:b,value:v}=await m.read();if(b)return;clearTimeout(
u),u=setTimeout(s,oo),g=Hu(g+v,i)}}finally{clearTimeout(u),t.removeEventListener("abort",s),document.removeEventListener(
"visibilitychange",a),r.abort()}}function Hu(e,t){let i=e.replaceAll(`\r
`,`
`).split(`

`),n=i.pop();for(let r of i){let s=r.split(`
`).filter(a=>a.startsWith("data:")).map(a=>a.slice(5).trimStart()).join(`
`);if(s!=="")try{t(JSON.parse(s))}catch{t({kind:"state"})}}return n}var ms=class{constructor(t,i){this.hear=t;this.signal=
i}hear;signal;events=[];timer;take(t){this.events.push(t),this.timer??=setTimeout(()=>{let i=this.events;this.events=[],
this.timer=void 0,this.signal.aborted||this.hear(i)},$u)}};function Ou(e){return new Promise(t=>{let i=()=>{document.hidden&&
!e.aborted||(document.removeEventListener("visibilitychange",i),e.removeEventListener("abort",i),t())};document.addEventListener(
"visibilitychange",i),e.addEventListener("abort",i),i()})}function Nu(e,t){return new Promise(i=>{let n=setTimeout(i,e);
t.addEventListener("abort",()=>{clearTimeout(n),i()},{once:!0})})}function gs(e){let[t="",i=""]=zu(e.replace(/^#/,""));return{path:t.split("/").filter(n=>n!=="").map(hs),query:new URLSearchParams(
i)}}function zu(e){let t=e.indexOf("?");return t<0?[e]:[e.slice(0,t),e.slice(t+1)]}function hs(e){try{return decodeURIComponent(
e)}catch{return e}}function B(e,t={}){let i=new URLSearchParams;for(let[r,s]of Object.entries(t))for(let a of Array.isArray(
s)?s:[s])a!==void 0&&a!==""&&i.append(r,String(a));let n=i.toString();return"#/"+e.map(r=>encodeURIComponent(r)).join("/")+
(n?"?"+n:"")}var Cn=e=>B(["run",e]),Ye=(e,t,i={})=>B(["run",e,"step",t],i),at=(e,t)=>B(["run",e,"episode",t]),$i=(e,t,i,n)=>B(
["run",e,"group",t],{step:i,split:n});function bs(e){let t=/^#token=([^&]*)(?:&to=(.*))?$/.exec(e);if(t)return{token:hs(
t[1]),rest:"#"+(t[2]?hs(t[2]):"/")};let{path:i,query:n}=gs(e),r=n.get("token");if(r===null)return null;n.delete("token");
let s=n.toString();return{token:r,rest:"#/"+i.map(encodeURIComponent).join("/")+(s?"?"+s:"")}}var co="awhost-theme";function Vu(){let e=document.documentElement.dataset.theme;return e?e==="dark":matchMedia("(prefer\
s-color-scheme: dark)").matches}function uo(){let e=nr(()=>localStorage,co);(e==="dark"||e==="light")&&(document.documentElement.
dataset.theme=e)}function ws(){let e=Vu()?"light":"dark";ir(()=>localStorage,co,e),document.documentElement.dataset.theme=
e,document.dispatchEvent(new Event("theme"))}function po(e,t){document.addEventListener("theme",e,{signal:t}),matchMedia(
"(prefers-color-scheme: dark)").addEventListener("change",e,{signal:t})}function en(e){return getComputedStyle(document.
documentElement).getPropertyValue(e).trim()}function vs(e,t){let[i,n]=e instanceof Jt?[e.summary,e.detail]:["The page could not draw this.",e instanceof Error?e.message:
String(e)];return o("section",{class:"trouble",role:"alert"},o("h2",null,i),o("p",null,n),o("button",{onclick:t},"Try ag\
ain"))}async function Pe(e,t,i){t.setAttribute("aria-busy","true");let n=setTimeout(()=>R(t,o("p",{class:"dim"},"Loading\
 \u2026")),200);try{let r=await i();e.signal.aborted||R(t,r)}catch(r){e.signal.aborted||R(t,vs(r,()=>{Pe(e,t,i)}))}finally{
clearTimeout(n),t.removeAttribute("aria-busy")}}function me(e,...t){let i=o("section",{class:"panel"},o("h2",null,e));return Gt(
i,t),i}function Ce(e,t,i=!1,n=""){let r=o("details",{class:"fold "+n},o("summary",null,e)),s=!1,a=()=>{s||!r.open||(s=!0,
Gt(r,[t()]))};return r.addEventListener("toggle",a),i&&(r.open=!0,a()),r}function Oe(e,t,i){let n=s=>[s.right?"right":"",
s.wide?"wide":"",s.half?"half":""].join(" ").trim()||void 0,r=o("tbody",null,t.map(s=>{let a=o("tr",null,e.map(u=>o("td",
{class:n(u)},u.cell(s))));return i&&(a.classList.add("item"),a.dataset.href=i(s)),a}));return o("div",{class:"scroll"},o(
"table",null,o("thead",null,o("tr",null,e.map(s=>o("th",{class:n(s)},s.title)))),r))}function dn(e){return o("dl",{class:"\
pairs"},e.filter(([,t])=>t!=null&&t!==""&&t!==!1).map(([t,i])=>o("div",null,o("dt",null,t),o("dd",null,i))))}function An(e,t=e){
let i=o("span",null,t),n=o("button",{class:"copy",title:"copy: "+e},i);return n.addEventListener("click",()=>{Fu(e).then(
r=>{n.classList.add("done"),R(i,r?"copied":"not copied: select it by hand"),setTimeout(()=>{R(i,t),n.classList.remove("d\
one")},1200)})}),n}async function Fu(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}var fo="unknown";function k(e,t=4){if(e==null||Number.isNaN(e))return"\u2013";if(!Number.isFinite(e))return e>0?"\u221E":
"\u2212\u221E";if(Number.isInteger(e)&&Math.abs(e)<1e15)return cr(e.toLocaleString("en"));let i=Math.abs(e);return i>=1e6||
i<1e-4?cr(e.toExponential(2)):cr(String(Number(e.toPrecision(t))))}function cr(e){return e.replace(/^-/,"\u2212")}function it(e){
return e==null||!Number.isFinite(e)?"\u2013":cr((100*e).toFixed(1))+" %"}function Dt(e){if(e==null)return"\u2013";let t=[
"B","KiB","MiB","GiB","TiB"],i=0;for(;e>=1024&&i<t.length-1;i++)e/=1024;return`${i===0?e:e.toPrecision(3)} ${t[i]}`}function fn(e){
return e==null?"\u2013":e<1?`${k(e,2)} ms`:e<1e3?`${Math.round(e)} ms`:Je(e/1e3)}function Je(e){if(e==null||!Number.isFinite(
e))return"\u2013";if(e<1)return qu(e);if(e<60)return`${Number(e.toPrecision(3))} s`;let t=Math.round(e),[i,n]=[Math.floor(
t/3600),Math.floor(t%3600/60)];return i>0?`${i} h ${n} min`:`${n} min ${t%60} s`}function qu(e){return`${e===0?0:Number(
(1e3*e).toPrecision(3))} ms`}function $n(e){let t=e?new Date(e):null;if(!t||Number.isNaN(t.getTime()))return"\u2013";let i=n=>String(
n).padStart(2,"0");return`${t.getFullYear()}-${i(t.getMonth()+1)}-${i(t.getDate())} ${i(t.getHours())}:${i(t.getMinutes())}\
:${i(t.getSeconds())}`}function ur(e,t){return e?Je(((t?new Date(t):new Date).getTime()-new Date(e).getTime())/1e3):"\u2013"}
function Te(e,t){return`${e.toLocaleString("en")} ${t}${e===1?"":"s"}`}function Qe(e){return e?e.toLowerCase().replaceAll(
"_"," "):"\u2013"}var Rn=50,Wu=5e3;async function mo(e){e.title();let t=new Set,i=o("div",null),n=o("input",{type:"search",placeholder:"ru\
n, spec, adapter, status","aria-label":"filter runs","data-filter":!0}),r=o("button",{disabled:!0,onclick:()=>s()},"Comp\
are");R(e.root,o("div",{class:"bar"},o("h1",null,"Runs"),n,r),i);let s=()=>{let v=a.filter(S=>t.has(S.name)).sort((S,L)=>(S.
started??"").localeCompare(L.started??""));v.length>1&&(location.hash=B(["compare"],{run:v.map(S=>S.name)}))};e.key("c",
"compare the chosen runs",s),e.key("x","choose the run for a comparison",()=>{document.querySelector("tr.current input")?.
click()});let a=[],u=0,p=()=>R(i,m()),m=()=>{let v=n.value.trim().toLowerCase(),S=a.filter(D=>v===""||Iu(D).includes(v));
u=Math.min(u,Math.max(0,Math.ceil(S.length/Rn)-1));let L=D=>{let W=o("input",{type:"checkbox","aria-label":`compare ${D.
name}`,checked:t.has(D.name)});return W.addEventListener("change",()=>{W.checked?t.add(D.name):t.delete(D.name),r.disabled=
t.size<2,R(r,t.size<2?"Compare":`Compare ${t.size} runs`)}),W},P=D=>{u+=D,p()};return[S.length===0?Gu(a.length):Uu(S.slice(
u*Rn,(u+1)*Rn),L),S.length>Rn?o("div",{class:"pager"},o("button",{disabled:u===0,onclick:()=>P(-1)},"\u2190 Newer"),o("s\
pan",null,`${u*Rn+1} to ${Math.min(S.length,(u+1)*Rn)} of ${S.length}`),o("button",{disabled:(u+1)*Rn>=S.length,onclick:()=>P(
1)},"Older \u2192")):null]};n.addEventListener("input",()=>{u=0,p()});let g=async()=>{a=(await rr(e.signal)).runs};await Pe(
e,i,async()=>(await g(),m()));let b=setInterval(()=>{!a.some(v=>v.live)||document.hidden||i.contains(document.activeElement)||
g().then(()=>ju(p),()=>{})},Wu);e.signal.addEventListener("abort",()=>clearInterval(b),{once:!0})}function ju(e){let t=document.
querySelector("tr.current")?.dataset.href;if(e(),!!t)for(let i of document.querySelectorAll("tr.item"))i.dataset.href===
t&&i.classList.add("current")}function Iu(e){return[e.name,e.spec,e.train,e.adapter,e.status,e.outcome,e.stage,e.machine].
join(" ").toLowerCase()}function Gu(e){return e>0?o("p",{class:"empty"},"No run has these words."):me("No runs yet",o("p",
null,"A run that begins in this folder shows up here: "),An("awhost apply"))}function Uu(e,t){let i=e.some(n=>n.machine);
return Oe([{title:"",cell:t},{title:"run",cell:n=>o("a",{class:"short",href:Cn(n.name),title:n.name},n.name)},{title:"st\
atus",cell:n=>[Ri(n),n.reason?o("div",{class:"reason dim",title:n.reason},n.reason):null]},{title:"step",right:!0,cell:Bu},
{title:"reward",right:!0,cell:n=>k(n.reward)},{title:"held-out success",right:!0,cell:Di},{title:"stage",cell:n=>n.stage??
"\u2013"},{title:"adapter",cell:n=>n.adapter??"\u2013"},{title:"spec",wide:!0,cell:n=>n.problem?o("span",{class:"bad"},n.
problem):n.spec},...i?[{title:"where",cell:n=>n.machine??"\u2013"}]:[],{title:"started",cell:n=>$n(n.started)},{title:"t\
ook",right:!0,cell:n=>n.live||n.ended?ur(n.started,n.live?void 0:n.ended):"\u2013"},{title:"disk",right:!0,cell:n=>Dt(n.
disk_bytes)}],e,n=>Cn(n.name))}function Ri(e){let t=e.status==="failed"||e.outcome==="failed",i=e.live?"live":t?"bad":e.
status==="finished"?"good":"warn",n=e.live?"running":e.outcome&&e.outcome!==e.status?`${e.status}, ${e.outcome}`:e.status;
return o("span",{class:"badge "+i},n)}function Bu(e){if(e.step<0)return"\u2013";let t=e.steps?o("progress",{value:e.step,
max:e.steps,"aria-hidden":"true"}):null;return[o("span",null,k(e.step),e.steps?o("span",{class:"dim"},` of ${k(e.steps)}`):
null),t]}function Di(e){if(e.success_after===void 0&&e.success_before===void 0)return"\u2013";if(e.success_after===void 0)
return[it(e.success_before),o("span",{class:"dim"}," before")];if(e.success_before===void 0)return it(e.success_after);let t=e.
live||e.success_after>e.success_before||e.success_after===1,i=it(e.success_after);return[o("span",{class:"dim"},`${it(e.
success_before)} \u2192 `),t?i:o("span",{class:"badge warn",title:"no better than at the first validation"},i)]}var Ku="uplot",Yu="u-hz",Ju="u-vt",Qu="u-title",Zu="u-wrap",Xu="u-under",ep="u-over",tp="u-axis",On="u-off",np="u-select",
ip="u-cursor-x",rp="u-cursor-y",sp="u-cursor-pt",lp="u-legend",op="u-live",ap="u-inline",cp="u-series",up="u-marker",ho="\
u-label",pp="u-value",Oi="width",Ni="height";var go="bottom",ai="left",xs="right",Ns="#000",bo=Ns+"0",ys="mousemove",wo="mousedown",ks="mouseup",vo="mouseenter",xo="\
mouseleave",yo="dblclick",dp="resize",fp="scroll",ko="change",hr="dppxchange",zs="--",hi=typeof window<"u",_s=hi?document:
null,ui=hi?window:null,mp=hi?navigator:null,ce,pr;function Ls(){let e=devicePixelRatio;ce!=e&&(ce=e,pr&&Cs(ko,pr,Ls),pr=
matchMedia(`(min-resolution: ${ce-.001}dppx) and (max-resolution: ${ce+.001}dppx)`),Nn(ko,pr,Ls),ui.dispatchEvent(new CustomEvent(
hr)))}function mt(e,t){if(t!=null){let i=e.classList;!i.contains(t)&&i.add(t)}}function Ps(e,t){let i=e.classList;i.contains(
t)&&i.remove(t)}function ye(e,t,i){e.style[t]=i+"px"}function Ht(e,t,i,n){let r=_s.createElement(e);return t!=null&&mt(r,
t),i?.insertBefore(r,n),r}function St(e,t){return Ht("div",e,t)}var So=new WeakMap;function Ut(e,t,i,n,r){let s="transla\
te("+t+"px,"+i+"px)",a=So.get(e);s!=a&&(e.style.transform=s,So.set(e,s),t<0||i<0||t>n||i>r?mt(e,On):Ps(e,On))}var Eo=new WeakMap;
function Mo(e,t,i){let n=t+i,r=Eo.get(e);n!=r&&(Eo.set(e,n),e.style.background=t,e.style.borderColor=i)}var To=new WeakMap;
function _o(e,t,i,n){let r=t+""+i,s=To.get(e);r!=s&&(To.set(e,r),e.style.height=i+"px",e.style.width=t+"px",e.style.marginLeft=
n?-t/2+"px":0,e.style.marginTop=n?-i/2+"px":0)}var Vs={passive:!0},hp={...Vs,capture:!0};function Nn(e,t,i,n){t.addEventListener(
e,i,n?hp:Vs)}function Cs(e,t,i,n){t.removeEventListener(e,i,Vs)}hi&&Ls();function Ot(e,t,i,n){let r;i=i||0,n=n||t.length-
1;let s=n<=2147483647;for(;n-i>1;)r=s?i+n>>1:ht((i+n)/2),t[r]<e?i=r:n=r;return e-t[i]<=t[n]-e?i:n}function ta(e){return(i,n,r)=>{
let s=-1,a=-1;for(let u=n;u<=r;u++)if(e(i[u])){s=u;break}for(let u=r;u>=n;u--)if(e(i[u])){a=u;break}return[s,a]}}var na=e=>e!=
null,ia=e=>e!=null&&e>0,wr=ta(na),gp=ta(ia);function bp(e,t,i,n=0,r=!1){let s=r?gp:wr,a=r?ia:na;[t,i]=s(e,t,i);let u=e[t],
p=e[t];if(t>-1)if(n==1)u=e[t],p=e[i];else if(n==-1)u=e[i],p=e[t];else for(let m=t;m<=i;m++){let g=e[m];a(g)&&(g<u?u=g:g>
p&&(p=g))}return[u??he,p??-he]}function vr(e,t,i,n){let r=Co(e),s=Co(t);e==t&&(r==-1?(e*=i,t/=i):(e/=i,t*=i));let a=i==10?
tn:ra,u=r==1?ht:Et,p=s==1?Et:ht,m=u(a(ze(e))),g=p(a(ze(t))),b=pi(i,m),v=pi(i,g);return i==10&&(m<0&&(b=ge(b,-m)),g<0&&(v=
ge(v,-g))),n||i==2?(e=b*r,t=v*s):(e=aa(e,b),t=xr(t,v)),[e,t]}function Fs(e,t,i,n){let r=vr(e,t,i,n);return e==0&&(r[0]=0),
t==0&&(r[1]=0),r}var qs=.1,Lo={mode:3,pad:qs},Vi={pad:0,soft:null,mode:0},wp={min:Vi,max:Vi};function gr(e,t,i,n){return yr(
i)?Po(e,t,i):(Vi.pad=i,Vi.soft=n?0:null,Vi.mode=n?3:0,Po(e,t,wp))}function oe(e,t){return e??t}function vp(e,t,i){for(t=
oe(t,0),i=oe(i,e.length-1);t<=i;){if(e[t]!=null)return!0;t++}return!1}function Po(e,t,i){let n=i.min,r=i.max,s=oe(n.pad,
0),a=oe(r.pad,0),u=oe(n.hard,-he),p=oe(r.hard,he),m=oe(n.soft,he),g=oe(r.soft,-he),b=oe(n.mode,0),v=oe(r.mode,0),S=t-e,L=tn(
S),P=rt(ze(e),ze(t)),D=tn(P),W=ze(D-L);(S<1e-24||W>10)&&(S=0,(e==0||t==0)&&(S=1e-24,b==2&&m!=he&&(s=0),v==2&&g!=-he&&(a=
0)));let M=S||P||1e3,j=tn(M),T=pi(10,ht(j)),Z=M*(S==0?e==0?.1:1:s),O=ge(aa(e-Z,T/10),24),X=e>=m&&(b==1||b==3&&O<=m||b==2&&
O>=m)?m:he,Y=rt(u,O<X&&e>=X?X:Nt(X,O)),ne=M*(S==0?t==0?.1:1:a),K=ge(xr(t+ne,T/10),24),_=t<=g&&(v==1||v==3&&K>=g||v==2&&K<=
g)?g:-he,Q=Nt(p,K>_&&t<=_?_:rt(_,K));return Y==Q&&Y==0&&(Q=100),[Y,Q]}var xp=new Intl.NumberFormat(hi?mp.language:"en-US"),
Ws=e=>xp.format(e),gt=Math,mr=gt.PI,ze=gt.abs,ht=gt.floor,Ne=gt.round,Et=gt.ceil,Nt=gt.min,rt=gt.max,pi=gt.pow,Co=gt.sign,
tn=gt.log10,ra=gt.log2,yp=(e,t=1)=>gt.sinh(e)*t,Ss=(e,t=1)=>gt.asinh(e/t),he=1/0;function Ao(e){return(tn((e^e>>31)-(e>>
31))|0)+1}function As(e,t,i){return Nt(rt(e,t),i)}function sa(e){return typeof e=="function"}function ie(e){return sa(e)?
e:()=>e}var kp=()=>{},la=e=>e,oa=(e,t)=>t,Sp=e=>null,$o=e=>!0,Ro=(e,t)=>e==t,Ep=/\.\d*?(?=9{6,}|0{6,})/gm,zn=e=>{if(ua(e)||
hn.has(e))return e;let t=`${e}`,i=t.match(Ep);if(i==null)return e;let n=i[0].length-1;if(t.indexOf("e-")!=-1){let[r,s]=t.
split("e");return+`${zn(r)}e${s}`}return ge(e,n)};function Dn(e,t){return zn(ge(zn(e/t))*t)}function xr(e,t){return zn(Et(
zn(e/t))*t)}function aa(e,t){return zn(ht(zn(e/t))*t)}function ge(e,t=0){if(ua(e))return e;let i=10**t,n=e*i*(1+Number.EPSILON);
return Ne(n)/i}var hn=new Map;function ca(e){return((""+e).split(".")[1]||"").length}function qi(e,t,i,n){let r=[],s=n.map(
ca);for(let a=t;a<i;a++){let u=ze(a),p=ge(pi(e,a),u);for(let m=0;m<n.length;m++){let g=e==10?+`${n[m]}e${a}`:n[m]*p,b=(a>=
0?0:u)+(a>=s[m]?0:s[m]),v=e==10?g:ge(g,b);r.push(v),hn.set(v,b)}}return r}var Fi={},js=[],di=[null,null],mn=Array.isArray,
ua=Number.isInteger,Mp=e=>e===void 0;function Do(e){return typeof e=="string"}function yr(e){let t=!1;if(e!=null){let i=e.
constructor;t=i==null||i==Object}return t}function Tp(e){return e!=null&&typeof e=="object"}var _p=Object.getPrototypeOf(
Uint8Array),pa="__proto__";function fi(e,t=yr){let i;if(mn(e)){let n=e.find(r=>r!=null);if(mn(n)||t(n)){i=Array(e.length);
for(let r=0;r<e.length;r++)i[r]=fi(e[r],t)}else i=e.slice()}else if(e instanceof _p)i=e.slice();else if(t(e)){i={};for(let n in e)
n!=pa&&(i[n]=fi(e[n],t))}else i=e;return i}function Re(e){let t=arguments;for(let i=1;i<t.length;i++){let n=t[i];for(let r in n)
r!=pa&&(yr(e[r])?Re(e[r],fi(n[r])):e[r]=fi(n[r]))}return e}var Lp=0,Pp=1,Cp=2;function Ap(e,t,i){for(let n=0,r,s=-1;n<t.
length;n++){let a=t[n];if(a>s){for(r=a-1;r>=0&&e[r]==null;)e[r--]=null;for(r=a+1;r<i&&e[r]==null;)e[s=r++]=null}}}function $p(e,t){
if(Hp(e)){let a=e[0].slice();for(let u=1;u<e.length;u++)a.push(...e[u].slice(1));return Op(a[0])||(a=Dp(a)),a}let i=new Set;
for(let a=0;a<e.length;a++){let p=e[a][0],m=p.length;for(let g=0;g<m;g++)i.add(p[g])}let n=[Array.from(i).sort((a,u)=>a-
u)],r=n[0].length,s=new Map;for(let a=0;a<r;a++)s.set(n[0][a],a);for(let a=0;a<e.length;a++){let u=e[a],p=u[0];for(let m=1;m<
u.length;m++){let g=u[m],b=Array(r).fill(void 0),v=t?t[a][m]:Pp,S=[];for(let L=0;L<g.length;L++){let P=g[L],D=s.get(p[L]);
P===null?v!=Lp&&(b[D]=P,v==Cp&&S.push(D)):b[D]=P}Ap(b,S,r),n.push(b)}}return n}var Rp=typeof queueMicrotask>"u"?e=>Promise.
resolve().then(e):queueMicrotask;function Dp(e){let t=e[0],i=t.length,n=Array(i);for(let s=0;s<n.length;s++)n[s]=s;n.sort(
(s,a)=>t[s]-t[a]);let r=[];for(let s=0;s<e.length;s++){let a=e[s],u=Array(i);for(let p=0;p<i;p++)u[p]=a[n[p]];r.push(u)}
return r}function Hp(e){let t=e[0][0],i=t.length;for(let n=1;n<e.length;n++){let r=e[n][0];if(r.length!=i)return!1;if(r!=
t){for(let s=0;s<i;s++)if(r[s]!=t[s])return!1}}return!0}function Op(e,t=100){let i=e.length;if(i<=1)return!0;let n=0,r=i-
1;for(;n<=r&&e[n]==null;)n++;for(;r>=n&&e[r]==null;)r--;if(r<=n)return!0;let s=rt(1,ht((r-n+1)/t));for(let a=e[n],u=n+s;u<=
r;u+=s){let p=e[u];if(p!=null){if(p<=a)return!1;a=p}}return!0}var da=["January","February","March","April","May","June",
"July","August","September","October","November","December"],fa=["Sunday","Monday","Tuesday","Wednesday","Thursday","Fri\
day","Saturday"];function ma(e){return e.slice(0,3)}var Np=fa.map(ma),zp=da.map(ma),Vp={MMMM:da,MMM:zp,WWWW:fa,WWW:Np};function Hi(e){
return(e<10?"0":"")+e}function Fp(e){return(e<10?"00":e<100?"0":"")+e}var qp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+
"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Hi(e.getMonth()+1),M:e=>e.getMonth()+
1,DD:e=>Hi(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Hi(e.getHours()),
H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=
12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Hi(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Hi(e.getSeconds()),s:e=>e.
getSeconds(),fff:e=>Fp(e.getMilliseconds())};function Is(e,t){t=t||Vp;let i=[],n=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=n.exec(
e);)i.push(r[0][0]=="{"?qp[r[1]]:r[0]);return s=>{let a="";for(let u=0;u<i.length;u++)a+=typeof i[u]=="string"?i[u]:i[u](
s,t);return a}}var Wp=new Intl.DateTimeFormat().resolvedOptions().timeZone;function jp(e,t){let i;return t=="UTC"||t=="E\
tc/UTC"?i=new Date(+e+e.getTimezoneOffset()*6e4):t==Wp?i=e:(i=new Date(e.toLocaleString("en-US",{timeZone:t})),i.setMilliseconds(
e.getMilliseconds())),i}var ha=e=>e%1==0,br=[1,2,2.5,5],Ip=qi(10,-32,0,br),ga=qi(10,0,32,br),Gp=ga.filter(ha),Hn=Ip.concat(
ga),Gs=`
`,ba="{YYYY}",Ho=Gs+ba,wa="{M}/{D}",zi=Gs+wa,dr=zi+"/{YY}",va="{aa}",Up="{h}:{mm}",ci=Up+va,Oo=Gs+ci,No=":{ss}",pe=null;
function xa(e){let t=e*1e3,i=t*60,n=i*60,r=n*24,s=r*30,a=r*365,p=(e==1?qi(10,0,3,br).filter(ha):qi(10,-3,0,br)).concat([
t,t*5,t*10,t*15,t*30,i,i*5,i*10,i*15,i*30,n,n*2,n*3,n*4,n*6,n*8,n*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,s,s*2,s*
3,s*4,s*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),m=[[a,ba,pe,pe,pe,pe,pe,pe,1],[r*28,"{MMM}",Ho,pe,pe,pe,pe,pe,1],[r,wa,Ho,pe,
pe,pe,pe,pe,1],[n,"{h}"+va,dr,pe,zi,pe,pe,pe,1],[i,ci,dr,pe,zi,pe,pe,pe,1],[t,No,dr+" "+ci,pe,zi+" "+ci,pe,Oo,pe,1],[e,No+
".{fff}",dr+" "+ci,pe,zi+" "+ci,pe,Oo,pe,1]];function g(b){return(v,S,L,P,D,W)=>{let M=[],j=D>=a,T=D>=s&&D<a,Z=b(L),O=ge(
Z*e,3),X=Es(Z.getFullYear(),j?0:Z.getMonth(),T||j?1:Z.getDate()),Y=ge(X*e,3);if(T||j){let ne=T?D/s:0,K=j?D/a:0,_=O==Y?O:
ge(Es(X.getFullYear()+K,X.getMonth()+ne,1)*e,3),Q=new Date(Ne(_/e)),N=Q.getFullYear(),G=Q.getMonth();for(let q=0;_<=P;q++){
let re=Es(N+K*q,G+ne*q,1),F=re-b(ge(re*e,3));_=ge((+re+F)*e,3),_<=P&&M.push(_)}}else{let ne=D>=r?r:D,K=ht(L)-ht(O),_=Y+K+
xr(O-Y,ne);M.push(_);let Q=b(_),N=Q.getHours()+Q.getMinutes()/i+Q.getSeconds()/n,G=D/n,q=v.axes[S]._space,re=W/q;for(;_=
ge(_+D,e==1?0:3),!(_>P);)if(G>1){let F=ht(ge(N+G,6))%24,se=b(_).getHours()-F;se>1&&(se=-1),_-=se*n,N=(N+G)%24;let de=M[M.
length-1];ge((_-de)/D,3)*re>=.7&&M.push(_)}else M.push(_)}return M}}return[p,m,g]}var[Bp,Kp,Yp]=xa(1),[Jp,Qp,Zp]=xa(.001);
qi(2,-53,53,[1]);function zo(e,t){return e.map(i=>i.map((n,r)=>r==0||r==8||n==null?n:t(r==1||i[8]==0?n:i[1]+n)))}function Vo(e,t){
return(i,n,r,s,a)=>{let u=t.find(L=>a>=L[0])||t[t.length-1],p,m,g,b,v,S;return n.map(L=>{let P=e(L),D=P.getFullYear(),W=P.
getMonth(),M=P.getDate(),j=P.getHours(),T=P.getMinutes(),Z=P.getSeconds(),O=D!=p&&u[2]||W!=m&&u[3]||M!=g&&u[4]||j!=b&&u[5]||
T!=v&&u[6]||Z!=S&&u[7]||u[1];return p=D,m=W,g=M,b=j,v=T,S=Z,O(P)})}}function Xp(e,t){let i=Is(t);return(n,r,s,a,u)=>r.map(
p=>i(e(p)))}function Es(e,t,i){return new Date(e,t,i)}function Fo(e,t){return t(e)}var ed="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function qo(e,t){return(i,n,r,s)=>s==null?zs:t(e(n))}function td(e,t){let i=e.series[t];return i.width?i.stroke(e,t):i.points.
width?i.points.stroke(e,t):null}function nd(e,t){return e.series[t].fill(e,t)}var id={show:!0,live:!0,isolate:!1,mount:kp,
markers:{show:!0,width:2,stroke:td,fill:nd,dash:"solid"},idx:null,idxs:null,values:[]};function rd(e,t){let i=e.cursor.points,
n=St(),r=i.size(e,t);ye(n,Oi,r),ye(n,Ni,r);let s=r/-2;ye(n,"marginLeft",s),ye(n,"marginTop",s);let a=i.width(e,t,r);return a&&
ye(n,"borderWidth",a),n}function sd(e,t){let i=e.series[t].points;return i._fill||i._stroke}function ld(e,t){let i=e.series[t].
points;return i._stroke||i._fill}function od(e,t){return e.series[t].points.size}var Ms=[0,0];function ad(e,t,i){return Ms[0]=
t,Ms[1]=i,Ms}function fr(e,t,i,n=!0){return r=>{r.button==0&&(!n||r.target==t)&&i(r)}}function Ts(e,t,i,n=!0){return r=>{
(!n||r.target==t)&&i(r)}}var cd={show:!0,x:!0,y:!0,lock:!1,move:ad,points:{one:!1,show:rd,size:od,width:0,stroke:ld,fill:sd},
bind:{mousedown:fr,mouseup:fr,click:fr,dblclick:fr,mousemove:Ts,mouseleave:Ts,mouseenter:Ts},drag:{setScale:!0,x:!0,y:!1,
dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,i,n,r)=>n-
r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ya={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Us=Re({},ya,{filter:oa}),ka=Re({},Us,{size:10}),Sa=Re({},ya,{show:!1}),Bs='12\
px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", \
"Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ea="bold "+Bs,Ma=1.5,Wo={show:!0,scale:"x",stroke:Ns,space:50,gap:5,
alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ea,side:2,grid:Us,ticks:ka,border:Sa,font:Bs,lineGap:Ma,rotate:0},ud="\
Value",pd="Time",jo={show:!0,scale:"x",auto:!1,sorted:1,min:he,max:-he,idxs:[]};function dd(e,t,i,n,r){return t.map(s=>s==
null?"":Ws(s))}function fd(e,t,i,n,r,s,a){let u=[],p=hn.get(r)||0;i=a?i:ge(xr(i,r),p);for(let m=i;m<=n;m=ge(m+r,p))u.push(
Object.is(m,-0)?0:m);return u}function $s(e,t,i,n,r,s,a){let u=[],p=e.scales[e.axes[t].scale].log,m=p==10?tn:ra,g=ht(m(i));
r=pi(p,g),p==10&&(r=Hn[Ot(r,Hn)]);let b=i,v=r*p;p==10&&(v=Hn[Ot(v,Hn)]);do u.push(b),b=b+r,p==10&&!hn.has(b)&&(b=ge(b,hn.
get(r))),b>=v&&(r=b,v=r*p,p==10&&(v=Hn[Ot(v,Hn)]));while(b<=n);return u}function md(e,t,i,n,r,s,a){let p=e.scales[e.axes[t].
scale].asinh,m=n>p?$s(e,t,rt(p,i),n,r):[p],g=n>=0&&i<=0?[0]:[];return(i<-p?$s(e,t,rt(p,-n),-i,r):[p]).reverse().map(v=>-v).
concat(g,m)}var Ta=/./,hd=/[12357]/,gd=/[125]/,Io=/1/,Rs=(e,t,i,n)=>e.map((r,s)=>t==4&&r==0||s%n==0&&i.test(r.toExponential()[r<
0?1:0])?r:null);function bd(e,t,i,n,r){let s=e.axes[i],a=s.scale,u=e.scales[a],p=e.valToPos,m=s._space,g=p(10,a),b=p(9,a)-
g>=m?Ta:p(7,a)-g>=m?hd:p(5,a)-g>=m?gd:Io;if(b==Io){let v=ze(p(1,a)-g);if(v<m)return Rs(t.slice().reverse(),u.distr,b,Et(
m/v)).reverse()}return Rs(t,u.distr,b,1)}function wd(e,t,i,n,r){let s=e.axes[i],a=s.scale,u=s._space,p=e.valToPos,m=ze(p(
1,a)-p(2,a));return m<u?Rs(t.slice().reverse(),3,Ta,Et(u/m)).reverse():t}function vd(e,t,i,n){return n==null?zs:t==null?
"":Ws(t)}var Go={show:!0,scale:"y",stroke:Ns,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ea,side:3,
grid:Us,ticks:ka,border:Sa,font:Bs,lineGap:Ma,rotate:0};function xd(e,t){let i=3+(e||1)*2;return ge(i*t,3)}function yd(e,t){
let{scale:i,idxs:n}=e.series[0],r=e._data[0],s=e.valToPos(r[n[0]],i,!0),a=e.valToPos(r[n[1]],i,!0),u=ze(a-s),p=e.series[t],
m=u/(p.points.space*ce);return n[1]-n[0]<=m}var Uo={scale:null,auto:!0,sorted:0,min:he,max:-he},_a=(e,t,i,n,r)=>r,Bo={show:!0,
auto:!0,sorted:0,gaps:_a,alpha:1,facets:[Re({},Uo,{scale:"x"}),Re({},Uo,{scale:"y"})]},Ko={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:_a,alpha:1,points:{show:yd,filter:null},values:null,min:he,max:-he,idxs:[],path:null,clip:null};function kd(e,t,i,n,r){
return i/10}var La={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Sd=Re({},La,{time:!1,ori:1}),Yo={};
function Pa(e,t){let i=Yo[e];return i||(i={key:e,plots:[],sub(n){i.plots.push(n)},unsub(n){i.plots=i.plots.filter(r=>r!=
n)},pub(n,r,s,a,u,p,m){for(let g=0;g<i.plots.length;g++)i.plots[g]!=r&&i.plots[g].pub(n,r,s,a,u,p,m)}},e!=null&&(Yo[e]=i)),
i}var mi=1,Ds=2;function Vn(e,t,i){let n=e.mode,r=e.series[t],s=n==2?e._data[t]:e._data,a=e.scales,u=e.bbox,p=s[0],m=n==
2?s[1]:s[t],g=n==2?a[r.facets[0].scale]:a[e.series[0].scale],b=n==2?a[r.facets[1].scale]:a[r.scale],v=u.left,S=u.top,L=u.
width,P=u.height,D=e.valToPosH,W=e.valToPosV;return g.ori==0?i(r,p,m,g,b,D,W,v,S,L,P,Sr,gi,Mr,Aa,Ra):i(r,p,m,g,b,W,D,S,v,
P,L,Er,bi,Js,$a,Da)}function Ks(e,t){let i=0,n=0,r=oe(e.bands,js);for(let s=0;s<r.length;s++){let a=r[s];a.series[0]==t?
i=a.dir:a.series[1]==t&&(a.dir==1?n|=1:n|=2)}return[i,n==1?-1:n==2?1:n==3?2:0]}function Ed(e,t,i,n,r){let s=e.mode,a=e.series[t],
u=s==2?a.facets[1].scale:a.scale,p=e.scales[u];return r==-1?p.min:r==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function nn(e,t,i,n,r,s){
return Vn(e,t,(a,u,p,m,g,b,v,S,L,P,D)=>{let W=a.pxRound,M=m.dir*(m.ori==0?1:-1),j=m.ori==0?gi:bi,T,Z;M==1?(T=i,Z=n):(T=n,
Z=i);let O=W(b(u[T],m,P,S)),X=W(v(p[T],g,D,L)),Y=W(b(u[Z],m,P,S)),ne=W(v(s==1?g.max:g.min,g,D,L)),K=new Path2D(r);return j(
K,Y,ne),j(K,O,ne),j(K,O,X),K})}function kr(e,t,i,n,r,s){let a=null;if(e.length>0){a=new Path2D;let u=t==0?Mr:Js,p=i;for(let b=0;b<
e.length;b++){let v=e[b];if(v[1]>v[0]){let S=v[0]-p;S>0&&u(a,p,n,S,n+s),p=v[1]}}let m=i+r-p,g=10;m>0&&u(a,p,n-g/2,m,n+s+
g)}return a}function Md(e,t,i){let n=e[e.length-1];n&&n[0]==t?n[1]=i:e.push([t,i])}function Ys(e,t,i,n,r,s,a){let u=[],p=e.
length;for(let m=r==1?i:n;m>=i&&m<=n;m+=r)if(t[m]===null){let b=m,v=m;if(r==1)for(;++m<=n&&t[m]===null;)v=m;else for(;--m>=
i&&t[m]===null;)v=m;let S=s(e[b]),L=v==b?S:s(e[v]),P=b-r;S=a<=0&&P>=0&&P<p?s(e[P]):S;let W=v+r;L=a>=0&&W>=0&&W<p?s(e[W]):
L,L>=S&&u.push([S,L])}return u}function Jo(e){return e==0?la:e==1?Ne:t=>Dn(t,e)}function Ca(e){let t=e==0?Sr:Er,i=e==0?(r,s,a,u,p,m)=>{
r.arcTo(s,a,u,p,m)}:(r,s,a,u,p,m)=>{r.arcTo(a,s,p,u,m)},n=e==0?(r,s,a,u,p)=>{r.rect(s,a,u,p)}:(r,s,a,u,p)=>{r.rect(a,s,p,
u)};return(r,s,a,u,p,m=0,g=0)=>{m==0&&g==0?n(r,s,a,u,p):(m=Nt(m,u/2,p/2),g=Nt(g,u/2,p/2),t(r,s+m,a),i(r,s+u,a,s+u,a+p,m),
i(r,s+u,a+p,s,a+p,g),i(r,s,a+p,s,a,g),i(r,s,a,s+u,a,m),r.closePath())}}var Sr=(e,t,i)=>{e.moveTo(t,i)},Er=(e,t,i)=>{e.moveTo(
i,t)},gi=(e,t,i)=>{e.lineTo(t,i)},bi=(e,t,i)=>{e.lineTo(i,t)},Mr=Ca(0),Js=Ca(1),Aa=(e,t,i,n,r,s)=>{e.arc(t,i,n,r,s)},$a=(e,t,i,n,r,s)=>{
e.arc(i,t,n,r,s)},Ra=(e,t,i,n,r,s,a)=>{e.bezierCurveTo(t,i,n,r,s,a)},Da=(e,t,i,n,r,s,a)=>{e.bezierCurveTo(i,t,r,n,a,s)};
function Ha(e){return(t,i,n,r,s)=>Vn(t,i,(a,u,p,m,g,b,v,S,L,P,D)=>{let{pxRound:W,points:M}=a,j,T;m.ori==0?(j=Sr,T=Aa):(j=
Er,T=$a);let Z=ge(M.width*ce,3),O=(M.size-M.width)/2*ce,X=ge(O*2,3),Y=new Path2D,ne=new Path2D,{left:K,top:_,width:Q,height:N}=t.
bbox;Mr(ne,K-X,_-X,Q+X*2,N+X*2);let G=q=>{if(p[q]!=null){let re=W(b(u[q],m,P,S)),F=W(v(p[q],g,D,L));j(Y,re+O,F),T(Y,re,F,
O,0,mr*2)}};if(s)s.forEach(G);else for(let q=n;q<=r;q++)G(q);return{stroke:Z>0?Y:null,fill:Y,clip:ne,flags:mi|Ds}})}function Oa(e){
return(t,i,n,r,s,a)=>{n!=r&&(s!=n&&a!=n&&e(t,i,n),s!=r&&a!=r&&e(t,i,r),e(t,i,a))}}var Td=Oa(gi),_d=Oa(bi);function Na(e){
let t=oe(e?.alignGaps,0);return(i,n,r,s)=>Vn(i,n,(a,u,p,m,g,b,v,S,L,P,D)=>{[r,s]=wr(p,r,s);let W=a.pxRound,M=N=>W(b(N,m,
P,S)),j=N=>W(v(N,g,D,L)),T,Z;m.ori==0?(T=gi,Z=Td):(T=bi,Z=_d);let O=m.dir*(m.ori==0?1:-1),X={stroke:new Path2D,fill:null,
clip:null,band:null,gaps:null,flags:mi},Y=X.stroke,ne=!1;if(s-r>=P*4){let N=z=>i.posToVal(z,m.key,!0),G=null,q=null,re,F,
st,ke=M(u[O==1?r:s]),se=M(u[r]),de=M(u[s]),ee=N(O==1?se+1:de-1);for(let z=O==1?r:s;z>=r&&z<=s;z+=O){let De=u[z],Se=(O==1?
De<ee:De>ee)?ke:M(De),ue=p[z];Se==ke?ue!=null?(F=ue,G==null?(T(Y,Se,j(F)),re=G=q=F):F<G?G=F:F>q&&(q=F)):ue===null&&(ne=!0):
(G!=null&&Z(Y,ke,j(G),j(q),j(re),j(F)),ue!=null?(F=ue,T(Y,Se,j(F)),G=q=re=F):(G=q=null,ue===null&&(ne=!0)),ke=Se,ee=N(ke+
O))}G!=null&&G!=q&&st!=ke&&Z(Y,ke,j(G),j(q),j(re),j(F))}else for(let N=O==1?r:s;N>=r&&N<=s;N+=O){let G=p[N];G===null?ne=
!0:G!=null&&T(Y,M(u[N]),j(G))}let[_,Q]=Ks(i,n);if(a.fill!=null||_!=0){let N=X.fill=new Path2D(Y),G=a.fillTo(i,n,a.min,a.
max,_),q=j(G),re=M(u[r]),F=M(u[s]);O==-1&&([F,re]=[re,F]),T(N,F,q),T(N,re,q)}if(!a.spanGaps){let N=[];ne&&N.push(...Ys(u,
p,r,s,O,M,t)),X.gaps=N=a.gaps(i,n,r,s,N),X.clip=kr(N,m.ori,S,L,P,D)}return Q!=0&&(X.band=Q==2?[nn(i,n,r,s,Y,-1),nn(i,n,r,
s,Y,1)]:nn(i,n,r,s,Y,Q)),X})}function Ld(e){let t=oe(e.align,1),i=oe(e.ascDesc,!1),n=oe(e.alignGaps,0),r=oe(e.extend,!1);
return(s,a,u,p)=>Vn(s,a,(m,g,b,v,S,L,P,D,W,M,j)=>{[u,p]=wr(b,u,p);let T=m.pxRound,{left:Z,width:O}=s.bbox,X=se=>T(L(se,v,
M,D)),Y=se=>T(P(se,S,j,W)),ne=v.ori==0?gi:bi,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:mi},_=K.
stroke,Q=v.dir*(v.ori==0?1:-1),N=Y(b[Q==1?u:p]),G=X(g[Q==1?u:p]),q=G,re=G;r&&t==-1&&(re=Z,ne(_,re,N)),ne(_,G,N);for(let se=Q==
1?u:p;se>=u&&se<=p;se+=Q){let de=b[se];if(de==null)continue;let ee=X(g[se]),z=Y(de);t==1?ne(_,ee,N):ne(_,q,z),ne(_,ee,z),
N=z,q=ee}let F=q;r&&t==1&&(F=Z+O,ne(_,F,N));let[st,ke]=Ks(s,a);if(m.fill!=null||st!=0){let se=K.fill=new Path2D(_),de=m.
fillTo(s,a,m.min,m.max,st),ee=Y(de);ne(se,F,ee),ne(se,re,ee)}if(!m.spanGaps){let se=[];se.push(...Ys(g,b,u,p,Q,X,n));let de=m.
width*ce/2,ee=i||t==1?de:-de,z=i||t==-1?-de:de;se.forEach(De=>{De[0]+=ee,De[1]+=z}),K.gaps=se=m.gaps(s,a,u,p,se),K.clip=
kr(se,v.ori,D,W,M,j)}return ke!=0&&(K.band=ke==2?[nn(s,a,u,p,_,-1),nn(s,a,u,p,_,1)]:nn(s,a,u,p,_,ke)),K})}function Qo(e,t,i,n,r,s,a=he){
if(e.length>1){let u=null;for(let p=0,m=1/0;p<e.length;p++)if(t[p]!==void 0){if(u!=null){let g=ze(e[p]-e[u]);g<m&&(m=g,a=
ze(i(e[p],n,r,s)-i(e[u],n,r,s)))}u=p}}return a}function Pd(e){e=e||Fi;let t=oe(e.size,[.6,he,1]),i=e.align||0,n=e.gap||0,
r=e.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let s=ie(r),a=1-t[0],u=oe(t[1],he),p=oe(t[2],1),m=oe(e.disp,Fi),g=oe(
e.each,S=>{}),{fill:b,stroke:v}=m;return(S,L,P,D)=>Vn(S,L,(W,M,j,T,Z,O,X,Y,ne,K,_)=>{let Q=W.pxRound,N=i,G=n*ce,q=u*ce,re=p*
ce,F,st;T.ori==0?[F,st]=s(S,L):[st,F]=s(S,L);let ke=T.dir*(T.ori==0?1:-1),se=T.ori==0?Mr:Js,de=T.ori==0?g:($,be,He,In,xn,Vt,yn)=>{
g($,be,He,xn,In,yn,Vt)},ee=oe(S.bands,js).find($=>$.series[0]==L),z=ee!=null?ee.dir:0,De=W.fillTo(S,L,W.min,W.max,z),Ze=Q(
X(De,Z,_,ne)),Se,ue,_t,ct=K,Me=Q(W.width*ce),zt=!1,Bt=null,bt=null,sn=null,qn=null;b!=null&&(Me==0||v!=null)&&(zt=!0,Bt=
b.values(S,L,P,D),bt=new Map,new Set(Bt).forEach($=>{$!=null&&bt.set($,new Path2D)}),Me>0&&(sn=v.values(S,L,P,D),qn=new Map,
new Set(sn).forEach($=>{$!=null&&qn.set($,new Path2D)})));let{x0:Wn,size:ki}=m;if(Wn!=null&&ki!=null){N=1,M=Wn.values(S,
L,P,D),Wn.unit==2&&(M=M.map(He=>S.posToVal(Y+He*K,T.key,!0)));let $=ki.values(S,L,P,D);ki.unit==2?ue=$[0]*K:ue=O($[0],T,
K,Y)-O(0,T,K,Y),ct=Qo(M,j,O,T,K,Y,ct),_t=ct-ue+G}else ct=Qo(M,j,O,T,K,Y,ct),_t=ct*a+G,ue=ct-_t;_t<1&&(_t=0),Me>=ue/2&&(Me=
0),_t<5&&(Q=la);let Ui=_t>0,wn=ct-_t-(Ui?Me:0);ue=Q(As(wn,re,q)),Se=(N==0?ue/2:N==ke?0:ue)-N*ke*((N==0?G/2:0)+(Ui?Me/2:0));
let Xe={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},jn=zt?null:new Path2D,Kt=null;if(ee!=null)Kt=S.data[ee.
series[1]];else{let{y0:$,y1:be}=m;$!=null&&be!=null&&(j=be.values(S,L,P,D),Kt=$.values(S,L,P,D))}let vn=F*ue,J=st*ue;for(let $=ke==
1?P:D;$>=P&&$<=D;$+=ke){let be=j[$];if(be==null)continue;if(Kt!=null){let lt=Kt[$]??0;if(be-lt==0)continue;Ze=X(lt,Z,_,ne)}
let He=T.distr!=2||m!=null?M[$]:$,In=O(He,T,K,Y),xn=X(oe(be,De),Z,_,ne),Vt=Q(In-Se),yn=Q(rt(xn,Ze)),ut=Q(Nt(xn,Ze)),wt=yn-
ut;if(be!=null){let lt=be<0?J:vn,Lt=be<0?vn:J;zt?(Me>0&&sn[$]!=null&&se(qn.get(sn[$]),Vt,ut+ht(Me/2),ue,rt(0,wt-Me),lt,Lt),
Bt[$]!=null&&se(bt.get(Bt[$]),Vt,ut+ht(Me/2),ue,rt(0,wt-Me),lt,Lt)):se(jn,Vt,ut+ht(Me/2),ue,rt(0,wt-Me),lt,Lt),de(S,L,$,
Vt-Me/2,ut,ue+Me,wt)}}return Me>0?Xe.stroke=zt?qn:jn:zt||(Xe._fill=W.width==0?W._fill:W._stroke??W._fill,Xe.width=0),Xe.
fill=zt?bt:jn,Xe})}function Cd(e,t){let i=oe(t?.alignGaps,0);return(n,r,s,a)=>Vn(n,r,(u,p,m,g,b,v,S,L,P,D,W)=>{[s,a]=wr(
m,s,a);let M=u.pxRound,j=F=>M(v(F,g,D,L)),T=F=>M(S(F,b,W,P)),Z,O,X;g.ori==0?(Z=Sr,X=gi,O=Ra):(Z=Er,X=bi,O=Da);let Y=g.dir*
(g.ori==0?1:-1),ne=j(p[Y==1?s:a]),K=ne,_=[],Q=[];for(let F=Y==1?s:a;F>=s&&F<=a;F+=Y)if(m[F]!=null){let ke=p[F],se=j(ke);
_.push(K=se),Q.push(T(m[F]))}let N={stroke:e(_,Q,Z,X,O,M),fill:null,clip:null,band:null,gaps:null,flags:mi},G=N.stroke,[
q,re]=Ks(n,r);if(u.fill!=null||q!=0){let F=N.fill=new Path2D(G),st=u.fillTo(n,r,u.min,u.max,q),ke=T(st);X(F,K,ke),X(F,ne,
ke)}if(!u.spanGaps){let F=[];F.push(...Ys(p,m,s,a,Y,j,i)),N.gaps=F=u.gaps(n,r,s,a,F),N.clip=kr(F,g.ori,L,P,D,W)}return re!=
0&&(N.band=re==2?[nn(n,r,s,a,G,-1),nn(n,r,s,a,G,1)]:nn(n,r,s,a,G,re)),N})}function Ad(e){return Cd($d,e)}function $d(e,t,i,n,r,s){
let a=e.length;if(a<2)return null;let u=new Path2D;if(i(u,e[0],t[0]),a==2)n(u,e[1],t[1]);else{let p=Array(a),m=Array(a-1),
g=Array(a-1),b=Array(a-1);for(let v=0;v<a-1;v++)g[v]=t[v+1]-t[v],b[v]=e[v+1]-e[v],m[v]=g[v]/b[v];p[0]=m[0];for(let v=1;v<
a-1;v++)m[v]===0||m[v-1]===0||m[v-1]>0!=m[v]>0?p[v]=0:(p[v]=3*(b[v-1]+b[v])/((2*b[v]+b[v-1])/m[v-1]+(b[v]+2*b[v-1])/m[v]),
isFinite(p[v])||(p[v]=0));p[a-1]=m[a-2];for(let v=0;v<a-1;v++)r(u,e[v]+b[v]/3,t[v]+p[v]*b[v]/3,e[v+1]-b[v]/3,t[v+1]-p[v+
1]*b[v]/3,e[v+1],t[v+1])}return u}var Hs=new Set;function Zo(){for(let e of Hs)e.syncRect(!0)}hi&&(Nn(dp,ui,Zo),Nn(fp,ui,
Zo,!0),Nn(hr,ui,()=>{Be.pxRatio=ce}));var Rd=Na(),Dd=Ha();function Xo(e,t,i,n){return(n?[e[0],e[1]].concat(e.slice(2)):[
e[0]].concat(e.slice(1))).map((s,a)=>Os(s,a,t,i))}function Hd(e,t){return e.map((i,n)=>n==0?{}:Re({},t,i))}function Os(e,t,i,n){
return Re({},t==0?i:n,e)}function za(e,t,i){return t==null?di:[t,i]}var Od=za;function Nd(e,t,i){return t==null?di:gr(t,
i,qs,!0)}function Va(e,t,i,n){return t==null?di:vr(t,i,e.scales[n].log,!1)}var zd=Va;function Fa(e,t,i,n){return t==null?
di:Fs(t,i,e.scales[n].log,!1)}var Vd=Fa;function Fd(e,t,i,n,r){let s=rt(Ao(e),Ao(t)),a=t-e,u=Ot(r/n*a,i);do{let p=i[u],m=n*
p/a;if(m>=r&&s+(p<5?hn.get(p):0)<=17)return[p,m]}while(++u<i.length);return[0,0]}function ea(e){let t,i;return e=e.replace(
/(\d+)px/,(n,r)=>(t=Ne((i=+r)*ce))+"px"),[e,t,i]}function qd(e){e.show&&[e.font,e.labelFont].forEach(t=>{let i=ge(t[2]*ce,
1);t[0]=t[0].replace(/[0-9.]+px/,i+"px"),t[1]=i})}function Be(e,t,i){let n={mode:oe(e.mode,1)},r=n.mode;function s(l,c,d,f){
let h=c.valToPct(l);return f+d*(c.dir==-1?1-h:h)}function a(l,c,d,f){let h=c.valToPct(l);return f+d*(c.dir==-1?h:1-h)}function u(l,c,d,f){
return c.ori==0?s(l,c,d,f):a(l,c,d,f)}n.valToPosH=s,n.valToPosV=a;let p=!1;n.status=0;let m=n.root=St(Ku);if(e.id!=null&&
(m.id=e.id),mt(m,e.class),e.title){let l=St(Qu,m);l.textContent=e.title}let g=Ht("canvas"),b=n.ctx=g.getContext("2d"),v=St(
Zu,m);Nn("click",v,l=>{l.target===L&&(we!=ti||Ee!=ni)&&Ue.click(n,l)},!0);let S=n.under=St(Xu,v);v.appendChild(g);let L=n.
over=St(ep,v);e=fi(e);let P=+oe(e.pxAlign,1),D=Jo(P);(e.plugins||[]).forEach(l=>{l.opts&&(e=l.opts(n,e)||e)});let W=e.ms||
.001,M=n.series=r==1?Xo(e.series||[],jo,Ko,!1):Hd(e.series||[null],Bo),j=n.axes=Xo(e.axes||[],Wo,Go,!0),T=n.scales={},Z=n.
bands=e.bands||[];Z.forEach(l=>{l.fill=ie(l.fill||null),l.dir=oe(l.dir,-1)});let O=r==2?M[1].facets[0].scale:M[0].scale,
X={axes:Jc,series:Gc},Y=(e.drawOrder||["axes","series"]).map(l=>X[l]);function ne(l){let c=l.distr==3?d=>tn(d>0?d:l.clamp(
n,d,l.min,l.max,l.key)):l.distr==4?d=>Ss(d,l.asinh):l.distr==100?d=>l.fwd(d):d=>d;return d=>{let f=c(d),{_min:h,_max:w}=l,
x=w-h;return(f-h)/x}}function K(l){let c=T[l];if(c==null){let d=(e.scales||Fi)[l]||Fi;if(d.from!=null){K(d.from);let f=Re(
{},T[d.from],d,{key:l});f.valToPct=ne(f),T[l]=f}else{c=T[l]=Re({},l==O?La:Sd,d),c.key=l;let f=c.time,h=c.range,w=mn(h);if((l!=
O||r==2&&!f)&&(w&&(h[0]==null||h[1]==null)&&(h={min:h[0]==null?Lo:{mode:1,hard:h[0],soft:h[0]},max:h[1]==null?Lo:{mode:1,
hard:h[1],soft:h[1]}},w=!1),!w&&yr(h))){let x=h;h=(y,E,C)=>E==null?di:gr(E,C,x)}c.range=ie(h||(f?Od:l==O?c.distr==3?zd:c.
distr==4?Vd:za:c.distr==3?Va:c.distr==4?Fa:Nd)),c.auto=ie(w?!1:c.auto),c.clamp=ie(c.clamp||kd),c._min=c._max=null,c.valToPct=
ne(c)}}}K("x"),K("y"),r==1&&M.forEach(l=>{K(l.scale)}),j.forEach(l=>{K(l.scale)});for(let l in e.scales)K(l);let _=T[O],
Q=_.distr,N,G;_.ori==0?(mt(m,Yu),N=s,G=a):(mt(m,Ju),N=a,G=s);let q={};for(let l in T){let c=T[l];(c.min!=null||c.max!=null)&&
(q[l]={min:c.min,max:c.max},c.min=c.max=null)}let re=e.tzDate||(l=>new Date(Ne(l/W))),F=e.fmtDate||Is,st=W==1?Yp(re):Zp(
re),ke=Vo(re,zo(W==1?Kp:Qp,F)),se=qo(re,Fo(ed,F)),de=[],ee=n.legend=Re({},id,e.legend),z=n.cursor=Re({},cd,{drag:{y:r==2}},
e.cursor),De=ee.show,Ze=z.show,Se=ee.markers;ee.idxs=de,Se.width=ie(Se.width),Se.dash=ie(Se.dash),Se.stroke=ie(Se.stroke),
Se.fill=ie(Se.fill);let ue,_t,ct,Me=[],zt=[],Bt,bt=!1,sn={};if(ee.live){let l=M[1]?M[1].values:null;bt=l!=null,Bt=bt?l(n,
1,0):{_:0};for(let c in Bt)sn[c]=zs}if(De)if(ue=Ht("table",lp,m),ct=Ht("tbody",null,ue),ee.mount(n,ue),bt){_t=Ht("thead",
null,ue,ct);let l=Ht("tr",null,_t);Ht("th",null,l);for(var qn in Bt)Ht("th",ho,l).textContent=qn}else mt(ue,ap),ee.live&&
mt(ue,op);let Wn={show:!0},ki={show:!1};function Ui(l,c){if(c==0&&(bt||!ee.live||r==2))return di;let d=[],f=Ht("tr",cp,ct,
ct.childNodes[c]);mt(f,l.class),l.show||mt(f,On);let h=Ht("th",null,f);if(Se.show){let y=St(up,h);if(c>0){let E=Se.width(
n,c);E&&(y.style.border=E+"px "+Se.dash(n,c)+" "+Se.stroke(n,c)),y.style.background=Se.fill(n,c)}}let w=St(ho,h);l.label instanceof
HTMLElement?w.appendChild(l.label):w.textContent=l.label,c>0&&(Se.show||(w.style.color=l.width>0?Se.stroke(n,c):Se.fill(
n,c)),Xe("click",h,y=>{if(z._lock)return;Sn(y);let E=M.indexOf(l);if((y.ctrlKey||y.metaKey)!=ee.isolate){let C=M.some((A,H)=>H>
0&&H!=E&&A.show);M.forEach((A,H)=>{H>0&&qt(H,C?H==E?Wn:ki:Wn,!0,Ae.setSeries)})}else qt(E,{show:!l.show},!0,Ae.setSeries)},
!1),Un&&Xe(vo,h,y=>{z._lock||(Sn(y),qt(M.indexOf(l),ri,!0,Ae.setSeries))},!1));for(var x in Bt){let y=Ht("td",pp,f);y.textContent=
"--",d.push(y)}return[f,d]}let wn=new Map;function Xe(l,c,d,f=!0){let h=wn.get(c)||{},w=z.bind[l](n,c,d,f);w&&(Nn(l,c,h[l]=
w),wn.set(c,h))}function jn(l,c,d){let f=wn.get(c)||{};for(let h in f)(l==null||h==l)&&(Cs(h,c,f[h]),delete f[h]);l==null&&
wn.delete(c)}let Kt=0,vn=0,J=0,$=0,be=0,He=0,In=be,xn=He,Vt=J,yn=$,ut=0,wt=0,lt=0,Lt=0;n.bbox={};let Or=!1,Bi=!1,Gn=!1,kn=!1,
Ki=!1,vt=!1;function Nr(l,c,d){(d||l!=n.width||c!=n.height)&&pl(l,c),Qn(!1),Gn=!0,Bi=!0,Zn()}function pl(l,c){n.width=Kt=
J=l,n.height=vn=$=c,be=He=0,zc(),Vc();let d=n.bbox;ut=d.left=Dn(be*ce,.5),wt=d.top=Dn(He*ce,.5),lt=d.width=Dn(J*ce,.5),Lt=
d.height=Dn($*ce,.5)}let Hc=3;function Oc(){let l=!1,c=0;for(;!l;){c++;let d=Kc(c),f=Yc(c);l=c==Hc||d&&f,l||(pl(n.width,
n.height),Bi=!0)}}function Nc({width:l,height:c}){Nr(l,c)}n.setSize=Nc;function zc(){let l=!1,c=!1,d=!1,f=!1;j.forEach((h,w)=>{
if(h.show&&h._show){let{side:x,_size:y}=h,E=x%2,C=h.label!=null?h.labelSize:0,A=y+C;A>0&&(E?(J-=A,x==3?(be+=A,f=!0):d=!0):
($-=A,x==0?(He+=A,l=!0):c=!0))}}),En[0]=l,En[1]=d,En[2]=c,En[3]=f,J-=ln[1]+ln[3],be+=ln[3],$-=ln[2]+ln[0],He+=ln[0]}function Vc(){
let l=be+J,c=He+$,d=be,f=He;function h(w,x){switch(w){case 1:return l+=x,l-x;case 2:return c+=x,c-x;case 3:return d-=x,d+
x;case 0:return f-=x,f+x}}j.forEach((w,x)=>{if(w.show&&w._show){let y=w.side;w._pos=h(y,w._size),w.label!=null&&(w._lpos=
h(y,w.labelSize))}})}if(z.dataIdx==null){let l=z.hover,c=l.skip=new Set(l.skip??[]);c.add(void 0);let d=l.prox=ie(l.prox),
f=l.bias??=0;z.dataIdx=(h,w,x,y)=>{if(w==0)return x;let E=x,C=d(h,w,x,y)??he,A=C>=0&&C<he,H=_.ori==0?J:$,U=z.left,ae=t[0],
le=t[w];if(c.has(le[x])){E=null;let te=null,I=null,V;if(f==0||f==-1)for(V=x;te==null&&V-- >0;)c.has(le[V])||(te=V);if(f==
0||f==1)for(V=x;I==null&&V++<le.length;)c.has(le[V])||(I=V);if(te!=null||I!=null)if(A){let xe=te==null?-1/0:N(ae[te],_,H,
0),_e=I==null?1/0:N(ae[I],_,H,0),Ie=U-xe,fe=_e-U;Ie<=fe?Ie<=C&&(E=te):fe<=C&&(E=I)}else E=I==null?te:te==null?I:x-te<=I-
x?te:I}else A&&ze(U-N(ae[x],_,H,0))>C&&(E=null);return E}}let Sn=l=>{z.event=l};z.idxs=de,z._lock=!1;let Ke=z.points;Ke.
show=ie(Ke.show),Ke.size=ie(Ke.size),Ke.stroke=ie(Ke.stroke),Ke.width=ie(Ke.width),Ke.fill=ie(Ke.fill);let Ft=n.focus=Re(
{},e.focus||{alpha:.3},z.focus),Un=Ft.prox>=0,Bn=Un&&Ke.one,xt=[],Kn=[],Yn=[];function dl(l,c){let d=Ke.show(n,c);if(d instanceof
HTMLElement)return mt(d,sp),mt(d,l.class),Ut(d,-10,-10,J,$),L.insertBefore(d,xt[c]),d}function fl(l,c){if(r==1||c>0){let d=r==
1&&T[l.scale].time,f=l.value;l.value=d?Do(f)?qo(re,Fo(f,F)):f||se:f||vd,l.label=l.label||(d?pd:ud)}if(Bn||c>0){l.width=l.
width==null?1:l.width,l.paths=l.paths||Rd||Sp,l.fillTo=ie(l.fillTo||Ed),l.pxAlign=+oe(l.pxAlign,P),l.pxRound=Jo(l.pxAlign),
l.stroke=ie(l.stroke||null),l.fill=ie(l.fill||null),l._stroke=l._fill=l._paths=l._focus=null;let d=xd(rt(1,l.width),1),f=l.
points=Re({},{size:d,width:rt(1,d*.2),stroke:l.stroke,space:d*2,paths:Dd,_stroke:null,_fill:null},l.points);f.show=ie(f.
show),f.filter=ie(f.filter),f.fill=ie(f.fill),f.stroke=ie(f.stroke),f.paths=ie(f.paths),f.pxAlign=l.pxAlign}if(De){let d=Ui(
l,c);Me.splice(c,0,d[0]),zt.splice(c,0,d[1]),ee.values.push(null)}if(Ze){de.splice(c,0,null);let d=null;Bn?c==0&&(d=dl(l,
c)):c>0&&(d=dl(l,c)),xt.splice(c,0,d),Kn.splice(c,0,0),Yn.splice(c,0,0)}je("addSeries",c)}function Fc(l,c){c=c??M.length,
l=r==1?Os(l,c,jo,Ko):Os(l,c,{},Bo),M.splice(c,0,l),fl(M[c],c)}n.addSeries=Fc;function qc(l){if(M.splice(l,1),De){ee.values.
splice(l,1),zt.splice(l,1);let c=Me.splice(l,1)[0];jn(null,c.firstChild),c.remove()}Ze&&(de.splice(l,1),xt.splice(l,1)[0].
remove(),Kn.splice(l,1),Yn.splice(l,1)),je("delSeries",l)}n.delSeries=qc;let En=[!1,!1,!1,!1];function Wc(l,c){if(l._show=
l.show,l.show){let d=l.side%2,f=T[l.scale];f==null&&(l.scale=d?M[1].scale:O,f=T[l.scale]);let h=f.time;l.size=ie(l.size),
l.space=ie(l.space),l.rotate=ie(l.rotate),mn(l.incrs)&&l.incrs.forEach(x=>{!hn.has(x)&&hn.set(x,ca(x))}),l.incrs=ie(l.incrs||
(f.distr==2?Gp:h?W==1?Bp:Jp:Hn)),l.splits=ie(l.splits||(h&&f.distr==1?st:f.distr==3?$s:f.distr==4?md:fd)),l.stroke=ie(l.
stroke),l.grid.stroke=ie(l.grid.stroke),l.ticks.stroke=ie(l.ticks.stroke),l.border.stroke=ie(l.border.stroke);let w=l.values;
l.values=mn(w)&&!mn(w[0])?ie(w):h?mn(w)?Vo(re,zo(w,F)):Do(w)?Xp(re,w):w||ke:w||dd,l.filter=ie(l.filter||(f.distr>=3&&f.log==
10?bd:f.distr==3&&f.log==2?wd:oa)),l.font=ea(l.font),l.labelFont=ea(l.labelFont),l._size=l.size(n,null,c,0),l._space=l._rotate=
l._incrs=l._found=l._splits=l._values=null,l._size>0&&(En[c]=!0,l._el=St(tp,v))}}function Si(l,c,d,f){let[h,w,x,y]=d,E=c%
2,C=0;return E==0&&(y||w)&&(C=c==0&&!h||c==2&&!x?Ne(Wo.size/3):0),E==1&&(h||x)&&(C=c==1&&!w||c==3&&!y?Ne(Go.size/2):0),C}
let ml=n.padding=(e.padding||[Si,Si,Si,Si]).map(l=>ie(oe(l,Si))),ln=n._padding=ml.map((l,c)=>l(n,c,En,0)),Ge,Ve=null,Fe=null,
Yi=r==1?M[0].idxs:null,Pt=null,Ei=!1;function hl(l,c){if(t=l??[],n.data=n._data=t,r==2){Ge=0;for(let d=1;d<M.length;d++)
Ge+=t[d][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),Pt=t[0],Ge=Pt.length;let d=t;if(Q==2){d=t.slice();let f=d[0]=
Array(Ge);for(let h=0;h<Ge;h++)f[h]=h}n._data=t=d}if(Qn(!0),je("setData"),Q==2&&(Gn=!0),c!==!1){let d=_;d.auto(n,Ei)?zr():
an(O,d.min,d.max),kn=kn||z.left>=0,vt=!0,Zn()}}n.setData=hl;function zr(){Ei=!0;let l,c;r==1&&(Ge>0?(Ve=Yi[0]=0,Fe=Yi[1]=
Ge-1,l=t[0][Ve],c=t[0][Fe],Q==2?(l=Ve,c=Fe):l==c&&(Q==3?[l,c]=vr(l,l,_.log,!1):Q==4?[l,c]=Fs(l,l,_.log,!1):_.time?c=l+Ne(
86400/W):[l,c]=gr(l,c,qs,!0))):(Ve=Yi[0]=l=null,Fe=Yi[1]=c=null)),an(O,l,c)}let Ji,Jn,Vr,Fr,qr,Wr,jr,Ir,Gr,ot;function gl(l,c,d,f,h,w){
l??=bo,d??=js,f??="butt",h??=bo,w??="round",l!=Ji&&(b.strokeStyle=Ji=l),h!=Jn&&(b.fillStyle=Jn=h),c!=Vr&&(b.lineWidth=Vr=
c),w!=qr&&(b.lineJoin=qr=w),f!=Wr&&(b.lineCap=Wr=f),d!=Fr&&b.setLineDash(Fr=d)}function bl(l,c,d,f){c!=Jn&&(b.fillStyle=
Jn=c),l!=jr&&(b.font=jr=l),d!=Ir&&(b.textAlign=Ir=d),f!=Gr&&(b.textBaseline=Gr=f)}function Ur(l,c,d,f,h=0){if(f.length>0&&
l.auto(n,Ei)&&(c==null||c.min==null)){let w=oe(Ve,0),x=oe(Fe,f.length-1),y=d.min==null?bp(f,w,x,h,l.distr==3):[d.min,d.max];
l.min=Nt(l.min,d.min=y[0]),l.max=rt(l.max,d.max=y[1])}}let wl={min:null,max:null};function jc(){for(let f in T){let h=T[f];
q[f]==null&&(h.min==null||q[O]!=null&&h.auto(n,Ei))&&(q[f]=wl)}for(let f in T){let h=T[f];q[f]==null&&h.from!=null&&q[h.
from]!=null&&(q[f]=wl)}q[O]!=null&&Qn(!0);let l={};for(let f in q){let h=q[f];if(h!=null){let w=l[f]=fi(T[f],Tp);if(h.min!=
null)Re(w,h);else if(f!=O||r==2)if(Ge==0&&w.from==null){let x=w.range(n,null,null,f);w.min=x[0],w.max=x[1]}else w.min=he,
w.max=-he}}if(Ge>0){M.forEach((f,h)=>{if(r==1){let w=f.scale,x=q[w];if(x==null)return;let y=l[w];if(h==0){let E=y.range(
n,y.min,y.max,w);y.min=E[0],y.max=E[1],Ve=Ot(y.min,t[0]),Fe=Ot(y.max,t[0]),Fe-Ve>1&&(t[0][Ve]<y.min&&Ve++,t[0][Fe]>y.max&&
Fe--),f.min=Pt[Ve],f.max=Pt[Fe]}else f.show&&f.auto&&Ur(y,x,f,t[h],f.sorted);f.idxs[0]=Ve,f.idxs[1]=Fe}else if(h>0&&f.show&&
f.auto){let[w,x]=f.facets,y=w.scale,E=x.scale,[C,A]=t[h],H=l[y],U=l[E];H!=null&&Ur(H,q[y],w,C,w.sorted),U!=null&&Ur(U,q[E],
x,A,x.sorted),f.min=x.min,f.max=x.max}});for(let f in l){let h=l[f],w=q[f];if(h.from==null&&(w==null||w.min==null)){let x=h.
range(n,h.min==he?null:h.min,h.max==-he?null:h.max,f);h.min=x[0],h.max=x[1]}}}for(let f in l){let h=l[f];if(h.from!=null){
let w=l[h.from];if(w.min==null)h.min=h.max=null;else{let x=h.range(n,w.min,w.max,f);h.min=x[0],h.max=x[1]}}}let c={},d=!1;
for(let f in l){let h=l[f],w=T[f];if(w.min!=h.min||w.max!=h.max){w.min=h.min,w.max=h.max;let x=w.distr;w._min=x==3?tn(w.
min):x==4?Ss(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?tn(w.max):x==4?Ss(w.max,w.asinh):x==100?w.fwd(w.max):w.
max,c[f]=d=!0}}if(d){M.forEach((f,h)=>{r==2?h>0&&c.y&&(f._paths=null):c[f.scale]&&(f._paths=null)});for(let f in c)Gn=!0,
je("setScale",f);Ze&&z.left>=0&&(kn=vt=!0)}for(let f in q)q[f]=null}function Ic(l){let c=As(Ve-1,0,Ge-1),d=As(Fe+1,0,Ge-
1);for(;l[c]==null&&c>0;)c--;for(;l[d]==null&&d<Ge-1;)d++;return[c,d]}function Gc(){if(Ge>0){let l=M.some(c=>c._focus)&&
ot!=Ft.alpha;l&&(b.globalAlpha=ot=Ft.alpha),M.forEach((c,d)=>{if(d>0&&c.show&&(vl(d,!1),vl(d,!0),c._paths==null)){let f=ot;
ot!=c.alpha&&(b.globalAlpha=ot=c.alpha);let h=r==2?[0,t[d][0].length-1]:Ic(t[d]);c._paths=c.paths(n,d,h[0],h[1]),ot!=f&&
(b.globalAlpha=ot=f)}}),M.forEach((c,d)=>{if(d>0&&c.show){let f=ot;ot!=c.alpha&&(b.globalAlpha=ot=c.alpha),c._paths!=null&&
xl(d,!1);{let h=c._paths!=null?c._paths.gaps:null,w=c.points.show(n,d,Ve,Fe,h),x=c.points.filter(n,d,w,h);(w||x)&&(c.points.
_paths=c.points.paths(n,d,Ve,Fe,x),xl(d,!0))}ot!=f&&(b.globalAlpha=ot=f),je("drawSeries",d)}}),l&&(b.globalAlpha=ot=1)}}
function vl(l,c){let d=c?M[l].points:M[l];d._stroke=d.stroke(n,l),d._fill=d.fill(n,l)}function xl(l,c){let d=c?M[l].points:
M[l],{stroke:f,fill:h,clip:w,flags:x,_stroke:y=d._stroke,_fill:E=d._fill,_width:C=d.width}=d._paths;C=ge(C*ce,3);let A=null,
H=C%2/2;c&&E==null&&(E=C>0?"#fff":y);let U=d.pxAlign==1&&H>0;if(U&&b.translate(H,H),!c){let ae=ut-C/2,le=wt-C/2,te=lt+C,
I=Lt+C;A=new Path2D,A.rect(ae,le,te,I)}c?Br(y,C,d.dash,d.cap,E,f,h,x,w):Uc(l,y,C,d.dash,d.cap,E,f,h,x,A,w),U&&b.translate(
-H,-H)}function Uc(l,c,d,f,h,w,x,y,E,C,A){let H=!1;E!=0&&Z.forEach((U,ae)=>{if(U.series[0]==l){let le=M[U.series[1]],te=t[U.
series[1]],I=(le._paths||Fi).band;mn(I)&&(I=U.dir==1?I[0]:I[1]);let V,xe=null;le.show&&I&&vp(te,Ve,Fe)?(xe=U.fill(n,ae)||
w,V=le._paths.clip):I=null,Br(c,d,f,h,xe,x,y,E,C,A,V,I),H=!0}}),H||Br(c,d,f,h,w,x,y,E,C,A)}let yl=mi|Ds;function Br(l,c,d,f,h,w,x,y,E,C,A,H){
gl(l,c,d,f,h),(E||C||H)&&(b.save(),E&&b.clip(E),C&&b.clip(C)),H?(y&yl)==yl?(b.clip(H),A&&b.clip(A),Zi(h,x),Qi(l,w,c)):y&
Ds?(Zi(h,x),b.clip(H),Qi(l,w,c)):y&mi&&(b.save(),b.clip(H),A&&b.clip(A),Zi(h,x),b.restore(),Qi(l,w,c)):(Zi(h,x),Qi(l,w,c)),
(E||C||H)&&b.restore()}function Qi(l,c,d){d>0&&(c instanceof Map?c.forEach((f,h)=>{b.strokeStyle=Ji=h,b.stroke(f)}):c!=null&&
l&&b.stroke(c))}function Zi(l,c){c instanceof Map?c.forEach((d,f)=>{b.fillStyle=Jn=f,b.fill(d)}):c!=null&&l&&b.fill(c)}function Bc(l,c,d,f){
let h=j[l],w;if(f<=0)w=[0,0];else{let x=h._space=h.space(n,l,c,d,f),y=h._incrs=h.incrs(n,l,c,d,f,x);w=Fd(c,d,y,f,x)}return h.
_found=w}function Kr(l,c,d,f,h,w,x,y,E,C){let A=x%2/2;P==1&&b.translate(A,A),gl(y,x,E,C,y),b.beginPath();let H,U,ae,le,te=h+
(f==0||f==3?-w:w);d==0?(U=h,le=te):(H=h,ae=te);for(let I=0;I<l.length;I++)c[I]!=null&&(d==0?H=ae=l[I]:U=le=l[I],b.moveTo(
H,U),b.lineTo(ae,le));b.stroke(),P==1&&b.translate(-A,-A)}function Kc(l){let c=!0;return j.forEach((d,f)=>{if(!d.show)return;
let h=T[d.scale];if(h.min==null){d._show&&(c=!1,d._show=!1,Qn(!1));return}else d._show||(c=!1,d._show=!0,Qn(!1));let w=d.
side,x=w%2,{min:y,max:E}=h,[C,A]=Bc(f,y,E,x==0?J:$);if(A==0)return;let H=h.distr==2,U=d._splits=d.splits(n,f,y,E,C,A,H),
ae=h.distr==2?U.map(V=>Pt[V]):U,le=h.distr==2?Pt[U[1]]-Pt[U[0]]:C,te=d._values=d.values(n,d.filter(n,ae,f,A,le),f,A,le);
d._rotate=w==2?d.rotate(n,te,f,A):0;let I=d._size;d._size=Et(d.size(n,te,f,l)),I!=null&&d._size!=I&&(c=!1)}),c}function Yc(l){
let c=!0;return ml.forEach((d,f)=>{let h=d(n,f,En,l);h!=ln[f]&&(c=!1),ln[f]=h}),c}function Jc(){for(let l=0;l<j.length;l++){
let c=j[l];if(!c.show||!c._show)continue;let d=c.side,f=d%2,h,w,x=c.stroke(n,l),y=d==0||d==3?-1:1,[E,C]=c._found;if(c.label!=
null){let tt=c.labelGap*y,ft=Ne((c._lpos+tt)*ce);bl(c.labelFont[0],x,"center",d==2?"top":go),b.save(),f==1?(h=w=0,b.translate(
ft,Ne(wt+Lt/2)),b.rotate((d==3?-mr:mr)/2)):(h=Ne(ut+lt/2),w=ft);let _n=sa(c.label)?c.label(n,l,E,C):c.label;b.fillText(_n,
h,w),b.restore()}if(C==0)continue;let A=T[c.scale],H=f==0?lt:Lt,U=f==0?ut:wt,ae=c._splits,le=A.distr==2?ae.map(tt=>Pt[tt]):
ae,te=A.distr==2?Pt[ae[1]]-Pt[ae[0]]:E,I=c.ticks,V=c.border,xe=I.show?I.size:0,_e=Ne(xe*ce),Ie=Ne((c.alignTo==2?c._size-
xe-c.gap:c.gap)*ce),fe=c._rotate*-mr/180,Le=D(c._pos*ce),pt=(_e+Ie)*y,et=Le+pt;w=f==0?et:0,h=f==1?et:0;let yt=c.font[0],
Ct=c.align==1?ai:c.align==2?xs:fe>0?ai:fe<0?xs:f==0?"center":d==3?xs:ai,jt=fe||f==1?"middle":d==2?"top":go;bl(yt,x,Ct,jt);
let dt=c.font[1]*c.lineGap,kt=ae.map(tt=>D(u(tt,A,H,U))),At=c._values;for(let tt=0;tt<At.length;tt++){let ft=At[tt];if(ft!=
null){f==0?h=kt[tt]:w=kt[tt],ft=""+ft;let _n=ft.indexOf(`
`)==-1?[ft]:ft.split(/\n/gm);for(let nt=0;nt<_n.length;nt++){let Fl=_n[nt];fe?(b.save(),b.translate(h,w+nt*dt),b.rotate(
fe),b.fillText(Fl,0,0),b.restore()):b.fillText(Fl,h,w+nt*dt)}}}I.show&&Kr(kt,I.filter(n,le,l,C,te),f,d,Le,_e,ge(I.width*
ce,3),I.stroke(n,l),I.dash,I.cap);let It=c.grid;It.show&&Kr(kt,It.filter(n,le,l,C,te),f,f==0?2:1,f==0?wt:ut,f==0?Lt:lt,ge(
It.width*ce,3),It.stroke(n,l),It.dash,It.cap),V.show&&Kr([Le],[1],f==0?1:0,f==0?1:2,f==1?wt:ut,f==1?Lt:lt,ge(V.width*ce,
3),V.stroke(n,l),V.dash,V.cap)}je("drawAxes")}function Qn(l){M.forEach((c,d)=>{d>0&&(c._paths=null,l&&(r==1?(c.min=null,
c.max=null):c.facets.forEach(f=>{f.min=null,f.max=null})))})}let Xi=!1,Yr=!1,Mi=[];function Qc(){Yr=!1;for(let l=0;l<Mi.
length;l++)je(...Mi[l]);Mi.length=0}function Zn(){Xi||(Rp(kl),Xi=!0)}function Zc(l,c=!1){Xi=!0,Yr=c,l(n),kl(),c&&Mi.length>
0&&queueMicrotask(Qc)}n.batch=Zc;function kl(){if(Or&&(jc(),Or=!1),Gn&&(Oc(),Gn=!1),Bi){if(ye(S,ai,be),ye(S,"top",He),ye(
S,Oi,J),ye(S,Ni,$),ye(L,ai,be),ye(L,"top",He),ye(L,Oi,J),ye(L,Ni,$),ye(v,Oi,Kt),ye(v,Ni,vn),g.width=Ne(Kt*ce),g.height=Ne(
vn*ce),j.forEach(({_el:l,_show:c,_size:d,_pos:f,side:h})=>{if(l!=null)if(c){let w=h===3||h===0?d:0,x=h%2==1;ye(l,x?"left":
"top",f-w),ye(l,x?"width":"height",d),ye(l,x?"top":"left",x?He:be),ye(l,x?"height":"width",x?$:J),Ps(l,On)}else mt(l,On)}),
Ji=Jn=Vr=qr=Wr=jr=Ir=Gr=Fr=null,ot=1,Li(!0),be!=In||He!=xn||J!=Vt||$!=yn){Qn(!1);let l=J/Vt,c=$/yn;if(Ze&&!kn&&z.left>=0){
z.left*=l,z.top*=c,Xn&&Ut(Xn,Ne(z.left),0,J,$),ei&&Ut(ei,0,Ne(z.top),J,$);for(let d=0;d<xt.length;d++){let f=xt[d];f!=null&&
(Kn[d]*=l,Yn[d]*=c,Ut(f,Et(Kn[d]),Et(Yn[d]),J,$))}}if(ve.show&&!Ki&&ve.left>=0&&ve.width>0){ve.left*=l,ve.width*=l,ve.top*=
c,ve.height*=c;for(let d in ts)ye(ii,d,ve[d])}In=be,xn=He,Vt=J,yn=$}je("setSize"),Bi=!1}Kt>0&&vn>0&&(b.clearRect(0,0,g.width,
g.height),je("drawClear"),Y.forEach(l=>l()),je("draw")),ve.show&&Ki&&(er(ve),Ki=!1),Ze&&kn&&(Tn(null,!0,!1),kn=!1),ee.show&&
ee.live&&vt&&(Xr(),vt=!1),p||(p=!0,n.status=1,je("ready")),Ei=!1,Xi=!1}n.redraw=(l,c)=>{Gn=c||!1,l!==!1?an(O,_.min,_.max):
Zn()};function Jr(l,c){let d=T[l];if(d.from==null){if(Ge==0){let f=d.range(n,c.min,c.max,l);c.min=f[0],c.max=f[1]}if(c.min>
c.max){let f=c.min;c.min=c.max,c.max=f}if(Ge>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)return;l==O&&d.distr==2&&Ge>
0&&(c.min=Ot(c.min,t[0]),c.max=Ot(c.max,t[0]),c.min==c.max&&c.max++),q[l]=c,Or=!0,Zn()}}n.setScale=Jr;let Qr,Zr,Xn,ei,Sl,
El,ti,ni,Ml,Tl,we,Ee,on=!1,Ue=z.drag,qe=Ue.x,We=Ue.y;Ze&&(z.x&&(Qr=St(ip,L)),z.y&&(Zr=St(rp,L)),_.ori==0?(Xn=Qr,ei=Zr):(Xn=
Zr,ei=Qr),we=z.left,Ee=z.top);let ve=n.select=Re({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ii=ve.show?St(
np,ve.over?L:S):null;function er(l,c){if(ve.show){for(let d in l)ve[d]=l[d],d in ts&&ye(ii,d,l[d]);c!==!1&&je("setSelect")}}
n.setSelect=er;function Xc(l){if(M[l].show)De&&Ps(Me[l],On);else if(De&&mt(Me[l],On),Ze){let d=Bn?xt[0]:xt[l];d!=null&&Ut(
d,-10,-10,J,$)}}function an(l,c,d){Jr(l,{min:c,max:d})}function qt(l,c,d,f){c.focus!=null&&ru(l),c.show!=null&&M.forEach(
(h,w)=>{w>0&&(l==w||l==null)&&(h.show=c.show,Xc(w),r==2?(an(h.facets[0].scale,null,null),an(h.facets[1].scale,null,null)):
an(h.scale,null,null),Zn())}),d!==!1&&je("setSeries",l,c),f&&Pi("setSeries",n,l,c)}n.setSeries=qt;function eu(l,c){Re(Z[l],
c)}function tu(l,c){l.fill=ie(l.fill||null),l.dir=oe(l.dir,-1),c=c??Z.length,Z.splice(c,0,l)}function nu(l){l==null?Z.length=
0:Z.splice(l,1)}n.addBand=tu,n.setBand=eu,n.delBand=nu;function iu(l,c){M[l].alpha=c,Ze&&xt[l]!=null&&(xt[l].style.opacity=
c),De&&Me[l]&&(Me[l].style.opacity=c)}let Yt,cn,Mn,ri={focus:!0};function ru(l){if(l!=Mn){let c=l==null,d=Ft.alpha!=1;M.
forEach((f,h)=>{if(r==1||h>0){let w=c||h==0||h==l;f._focus=c?null:w,d&&iu(h,w?1:Ft.alpha)}}),Mn=l,d&&Zn()}}De&&Un&&Xe(xo,
ue,l=>{z._lock||(Sn(l),Mn!=null&&qt(null,ri,!0,Ae.setSeries))});function Wt(l,c,d){let f=T[c];d&&(l=l/ce-(f.ori==1?He:be));
let h=J;f.ori==1&&(h=$,l=h-l),f.dir==-1&&(l=h-l);let w=f._min,x=f._max,y=l/h,E=w+(x-w)*y,C=f.distr;return C==3?pi(10,E):
C==4?yp(E,f.asinh):C==100?f.bwd(E):E}function su(l,c){let d=Wt(l,O,c);return Ot(d,t[0],Ve,Fe)}n.valToIdx=l=>Ot(l,t[0]),n.
posToIdx=su,n.posToVal=Wt,n.valToPos=(l,c,d)=>T[c].ori==0?s(l,T[c],d?lt:J,d?ut:0):a(l,T[c],d?Lt:$,d?wt:0),n.setCursor=(l,c,d)=>{
we=l.left,Ee=l.top,Tn(null,c,d)};function _l(l,c){ye(ii,ai,ve.left=l),ye(ii,Oi,ve.width=c)}function Ll(l,c){ye(ii,"top",
ve.top=l),ye(ii,Ni,ve.height=c)}let Ti=_.ori==0?_l:Ll,_i=_.ori==1?_l:Ll;function lu(){if(De&&ee.live)for(let l=r==2?1:0;l<
M.length;l++){if(l==0&&bt)continue;let c=ee.values[l],d=0;for(let f in c)zt[l][d++].firstChild.nodeValue=c[f]}}function Xr(l,c){
if(l!=null&&(l.idxs?l.idxs.forEach((d,f)=>{de[f]=d}):Mp(l.idx)||de.fill(l.idx),ee.idx=de[0]),De&&ee.live){for(let d=0;d<
M.length;d++)(d>0||r==1&&!bt)&&ou(d,de[d]);lu()}vt=!1,c!==!1&&je("setLegend")}n.setLegend=Xr;function ou(l,c){let d=M[l],
f=l==0&&Q==2?Pt:t[l],h;bt?h=d.values(n,l,c)??sn:(h=d.value(n,c==null?null:f[c],l,c),h=h==null?sn:{_:h}),ee.values[l]=h}function Tn(l,c,d){
Ml=we,Tl=Ee,[we,Ee]=z.move(n,we,Ee),z.left=we,z.top=Ee,Ze&&(Xn&&Ut(Xn,Ne(we),0,J,$),ei&&Ut(ei,0,Ne(Ee),J,$));let f,h=Ve>
Fe;Yt=he,cn=null;let w=_.ori==0?J:$,x=_.ori==1?J:$;if(we<0||Ge==0||h){f=z.idx=null;for(let y=0;y<M.length;y++){let E=xt[y];
E!=null&&Ut(E,-10,-10,J,$)}Un&&qt(null,ri,!0,l==null&&Ae.setSeries),ee.live&&(de.fill(f),vt=!0)}else{let y,E,C;r==1&&(y=
_.ori==0?we:Ee,E=Wt(y,O),f=z.idx=Ot(E,t[0],Ve,Fe),C=N(t[0][f],_,w,0));let A=-10,H=-10,U=0,ae=0,le=!0,te="",I="";for(let V=r==
2?1:0;V<M.length;V++){let xe=M[V],_e=de[V],Ie=_e==null?null:r==1?t[V][_e]:t[V][1][_e],fe=z.dataIdx(n,V,f,E),Le=fe==null?
null:r==1?t[V][fe]:t[V][1][fe];if(vt=vt||Le!=Ie||fe!=_e,de[V]=fe,V>0&&xe.show){let pt=fe==null?-10:fe==f?C:N(r==1?t[0][fe]:
t[V][0][fe],_,w,0),et=Le==null?-10:G(Le,r==1?T[xe.scale]:T[xe.facets[1].scale],x,0);if(Un&&Le!=null){let yt=_.ori==1?we:
Ee,Ct=ze(Ft.dist(n,V,fe,et,yt));if(Ct<Yt){let jt=Ft.bias;if(jt!=0){let dt=Wt(yt,xe.scale),kt=Le>=0?1:-1,At=dt>=0?1:-1;At==
kt&&(At==1?jt==1?Le>=dt:Le<=dt:jt==1?Le<=dt:Le>=dt)&&(Yt=Ct,cn=V)}else Yt=Ct,cn=V}}if(vt||Bn){let yt,Ct;_.ori==0?(yt=pt,
Ct=et):(yt=et,Ct=pt);let jt,dt,kt,At,It,tt,ft=!0,_n=Ke.bbox;if(_n!=null){ft=!1;let nt=_n(n,V);kt=nt.left,At=nt.top,jt=nt.
width,dt=nt.height}else kt=yt,At=Ct,jt=dt=Ke.size(n,V);if(tt=Ke.fill(n,V),It=Ke.stroke(n,V),Bn)V==cn&&Yt<=Ft.prox&&(A=kt,
H=At,U=jt,ae=dt,le=ft,te=tt,I=It);else{let nt=xt[V];nt!=null&&(Kn[V]=kt,Yn[V]=At,_o(nt,jt,dt,ft),Mo(nt,tt,It),Ut(nt,Et(kt),
Et(At),J,$))}}}}if(Bn){let V=Ft.prox,xe=Mn==null?Yt<=V:Yt>V||cn!=Mn;if(vt||xe){let _e=xt[0];_e!=null&&(Kn[0]=A,Yn[0]=H,_o(
_e,U,ae,le),Mo(_e,te,I),Ut(_e,Et(A),Et(H),J,$))}}}if(ve.show&&on)if(l!=null){let[y,E]=Ae.scales,[C,A]=Ae.match,[H,U]=l.cursor.
sync.scales,ae=l.cursor.drag;if(qe=ae._x,We=ae._y,qe||We){let{left:le,top:te,width:I,height:V}=l.select,xe=l.scales[H].ori,
_e=l.posToVal,Ie,fe,Le,pt,et,yt=y!=null&&C(y,H),Ct=E!=null&&A(E,U);yt&&qe?(xe==0?(Ie=le,fe=I):(Ie=te,fe=V),Le=T[y],pt=N(
_e(Ie,H),Le,w,0),et=N(_e(Ie+fe,H),Le,w,0),Ti(Nt(pt,et),ze(et-pt))):Ti(0,w),Ct&&We?(xe==1?(Ie=le,fe=I):(Ie=te,fe=V),Le=T[E],
pt=G(_e(Ie,U),Le,x,0),et=G(_e(Ie+fe,U),Le,x,0),_i(Nt(pt,et),ze(et-pt))):_i(0,x)}else ns()}else{let y=ze(Ml-Sl),E=ze(Tl-El);
if(_.ori==1){let U=y;y=E,E=U}qe=Ue.x&&y>=Ue.dist,We=Ue.y&&E>=Ue.dist;let C=Ue.uni;C!=null?qe&&We&&(qe=y>=C,We=E>=C,!qe&&
!We&&(E>y?We=!0:qe=!0)):Ue.x&&Ue.y&&(qe||We)&&(qe=We=!0);let A,H;qe&&(_.ori==0?(A=ti,H=we):(A=ni,H=Ee),Ti(Nt(A,H),ze(H-A)),
We||_i(0,x)),We&&(_.ori==1?(A=ti,H=we):(A=ni,H=Ee),_i(Nt(A,H),ze(H-A)),qe||Ti(0,w)),!qe&&!We&&(Ti(0,0),_i(0,0))}if(Ue._x=
qe,Ue._y=We,l==null){if(d){if(Vl!=null){let[y,E]=Ae.scales;Ae.values[0]=y!=null?Wt(_.ori==0?we:Ee,y):null,Ae.values[1]=E!=
null?Wt(_.ori==1?we:Ee,E):null}Pi(ys,n,we,Ee,J,$,f)}if(Un){let y=d&&Ae.setSeries,E=Ft.prox;Mn==null?Yt<=E&&qt(cn,ri,!0,y):
Yt>E?qt(null,ri,!0,y):cn!=Mn&&qt(cn,ri,!0,y)}}vt&&(ee.idx=f,Xr()),c!==!1&&je("setCursor")}let un=null;Object.defineProperty(
n,"rect",{get(){return un==null&&Li(!1),un}});function Li(l=!1){l?un=null:(un=L.getBoundingClientRect(),je("syncRect",un))}
function Pl(l,c,d,f,h,w,x){z._lock||on&&l!=null&&l.movementX==0&&l.movementY==0||(es(l,c,d,f,h,w,x,!1,l!=null),l!=null?Tn(
null,!0,!0):Tn(c,!0,!1))}function es(l,c,d,f,h,w,x,y,E){if(un==null&&Li(!1),Sn(l),l!=null)d=l.clientX-un.left,f=l.clientY-
un.top;else{if(d<0||f<0){we=-10,Ee=-10;return}let[C,A]=Ae.scales,H=c.cursor.sync,[U,ae]=H.values,[le,te]=H.scales,[I,V]=Ae.
match,xe=c.axes[0].side%2==1,_e=_.ori==0?J:$,Ie=_.ori==1?J:$,fe=xe?w:h,Le=xe?h:w,pt=xe?f:d,et=xe?d:f;if(le!=null?d=I(C,le)?
u(U,T[C],_e,0):-10:d=_e*(pt/fe),te!=null?f=V(A,te)?u(ae,T[A],Ie,0):-10:f=Ie*(et/Le),_.ori==1){let yt=d;d=f,f=yt}}E&&(c==
null||c.cursor.event.type==ys)&&((d<=1||d>=J-1)&&(d=Dn(d,J)),(f<=1||f>=$-1)&&(f=Dn(f,$))),y?(Sl=d,El=f,[ti,ni]=z.move(n,
d,f)):(we=d,Ee=f)}let ts={width:0,height:0,left:0,top:0};function ns(){er(ts,!1)}let Cl,Al,$l,Rl;function Dl(l,c,d,f,h,w,x){
on=!0,qe=We=Ue._x=Ue._y=!1,es(l,c,d,f,h,w,x,!0,!1),l!=null&&(Xe(ks,_s,Hl,!1),Pi(wo,n,ti,ni,J,$,null));let{left:y,top:E,width:C,
height:A}=ve;Cl=y,Al=E,$l=C,Rl=A}function Hl(l,c,d,f,h,w,x){on=Ue._x=Ue._y=!1,es(l,c,d,f,h,w,x,!1,!0);let{left:y,top:E,width:C,
height:A}=ve,H=C>0||A>0,U=Cl!=y||Al!=E||$l!=C||Rl!=A;if(H&&U&&er(ve),Ue.setScale&&H&&U){let ae=y,le=C,te=E,I=A;if(_.ori==
1&&(ae=E,le=A,te=y,I=C),qe&&an(O,Wt(ae,O),Wt(ae+le,O)),We)for(let V in T){let xe=T[V];V!=O&&xe.from==null&&xe.min!=he&&an(
V,Wt(te+I,V),Wt(te,V))}ns()}else z.lock&&(z._lock=!z._lock,Tn(c,!0,l!=null));l!=null&&(jn(ks,_s),Pi(ks,n,we,Ee,J,$,null))}
function au(l,c,d,f,h,w,x){if(z._lock)return;Sn(l);let y=on;if(on){let E=!0,C=!0,A=10,H,U;_.ori==0?(H=qe,U=We):(H=We,U=qe),
H&&U&&(E=we<=A||we>=J-A,C=Ee<=A||Ee>=$-A),H&&E&&(we=we<ti?0:J),U&&C&&(Ee=Ee<ni?0:$),Tn(null,!0,!0),on=!1}we=-10,Ee=-10,de.
fill(null),Tn(null,!0,!0),y&&(on=y)}function Ol(l,c,d,f,h,w,x){z._lock||(Sn(l),zr(),ns(),l!=null&&Pi(yo,n,we,Ee,J,$,null))}
function Nl(){j.forEach(qd),Nr(n.width,n.height,!0)}Nn(hr,ui,Nl);let si={};si.mousedown=Dl,si.mousemove=Pl,si.mouseup=Hl,
si.dblclick=Ol,si.setSeries=(l,c,d,f)=>{let h=Ae.match[2];d=h(n,c,d),d!=-1&&qt(d,f,!0,!1)},Ze&&(Xe(wo,L,Dl),Xe(ys,L,Pl),
Xe(vo,L,l=>{Sn(l),Li(!1)}),Xe(xo,L,au),Xe(yo,L,Ol),Hs.add(n),n.syncRect=Li);let tr=n.hooks=e.hooks||{};function je(l,c,d){
Yr?Mi.push([l,c,d]):l in tr&&tr[l].forEach(f=>{f.call(null,n,c,d)})}(e.plugins||[]).forEach(l=>{for(let c in l.hooks)tr[c]=
(tr[c]||[]).concat(l.hooks[c])});let zl=(l,c,d)=>d,Ae=Re({key:null,setSeries:!1,filters:{pub:$o,sub:$o},scales:[O,M[1]?M[1].
scale:null],match:[Ro,Ro,zl],values:[null,null]},z.sync);Ae.match.length==2&&Ae.match.push(zl),z.sync=Ae;let Vl=Ae.key,is=Pa(
Vl);function Pi(l,c,d,f,h,w,x){Ae.filters.pub(l,c,d,f,h,w,x)&&is.pub(l,c,d,f,h,w,x)}is.sub(n);function cu(l,c,d,f,h,w,x){
Ae.filters.sub(l,c,d,f,h,w,x)&&si[l](null,c,d,f,h,w,x)}n.pub=cu;function uu(){is.unsub(n),Hs.delete(n),wn.clear(),Cs(hr,
ui,Nl),m.remove(),ue?.remove(),je("destroy")}n.destroy=uu;function rs(){je("init",e,t),hl(t||e.data,!1),q[O]?Jr(O,q[O]):
zr(),Ki=ve.show&&(ve.width>0||ve.height>0),kn=vt=!0,Nr(e.width,e.height)}return M.forEach(fl),j.forEach(Wc),i?i instanceof
HTMLElement?(i.appendChild(m),rs()):i(n,rs):rs(),n}Be.assign=Re;Be.fmtNum=Ws;Be.rangeNum=gr;Be.rangeLog=vr;Be.rangeAsinh=
Fs;Be.orient=Vn;Be.pxRatio=ce;Be.join=$p;Be.fmtDate=Is,Be.tzDate=jp;Be.sync=Pa;{Be.addGap=Md,Be.clipGaps=kr;let e=Be.paths=
{points:Ha};e.linear=Na,e.stepped=Ld,e.bars=Pd,e.spline=Ad}var qa=[{title:"reward",names:["train/reward","validation/reward"]},{title:"success",names:["train/success_rate","valida\
tion/success_rate"],share:!0},{title:"loss",names:["train/loss"]},{title:"KL",names:["train/kl","train/approx_kl"],unit:"\
nats per token"},{title:"entropy",names:["train/entropy"],unit:"nats per token"},{title:"length",names:["train/row_token\
s","train/prompt_tokens"],unit:"tokens per row"},{title:"turns",names:["train/turns"],unit:"per episode"},{title:"failed\
, truncated, masked",names:["train/failed","train/truncated","train/masked","train/dropped"]},{title:"time by part",unit:"\
s",names:["train/rollout_seconds","train/update_seconds","train/weight_sync_seconds","train/save_seconds"]},{title:"spee\
d",names:["train/tokens_per_second"],unit:"trained tokens/s"},{title:"gap of log-probabilities",names:["train/logprob_ga\
p"],unit:"nats, the largest"},{title:"groups of equal rewards",names:["train/zero_variance_groups"],unit:"groups"}];function Tr(e){
let t=new Set(e);return qa.map(n=>({...n,names:n.names.filter(r=>t.has(r))})).filter(n=>n.names.length>0)}function Wa(e){
let t=new Set(qa.flatMap(n=>n.names)),i=new Map;for(let n of e.filter(r=>!t.has(r)).sort()){let r=Wd(n);i.set(r,[...i.get(
r)??[],n])}return i}function Wd(e){let t=e.split("/");return t.length>2&&(t[1]==="components"||t[1]==="members")?`${t[0]}\
/${t[1]}`:t.length>1?t[0]:"other"}function ja(e,t){return t.names.length===1?e:t.names.some(n=>n.startsWith("validation/"))?
e.startsWith("validation/")?"held-out":"training":e.replace(/^[^/]*\//,"").replace(/_seconds$/,"").replaceAll("_"," ")}function Ia(e,t){
let i=e.filter(s=>s[1]!==null).map(s=>s[0]),n=i.at(-1);if(n===void 0||t===void 0)return;let r=Math.max(1,...i.slice(1).map(
(s,a)=>s-i[a]));return t-n>=r?n:void 0}var Ba={stages:[],checkpoints:[],marks:[]},Ga=170,_r=["--s1","--s2","--s3","--s4","--s5","--s6"],wi=class{constructor(t,i,n,r){
this.options=t;this.lines=i;this.ground=n;this.signal=r;R(this.element,o("h3",null,t.title,t.unit?o("span",{class:"dim"},
" "+t.unit):null),this.place,this.legend),this.data=Ua(i),this.values(null);let s=new ResizeObserver(()=>this.fit());s.observe(
this.place),r.addEventListener("abort",()=>{s.disconnect(),this.plot?.destroy()},{once:!0}),po(()=>this.make(),r)}options;lines;ground;signal;element=o(
"figure",{class:"chart"});plot;place=o("div",{class:"plot"});legend=o("figcaption",null);data=[[]];update(t,i){let n=t.length===
this.lines.length&&t.every((r,s)=>r.label===this.lines[s].label);this.lines=t,this.ground=i,this.data=Ua(t),n&&this.plot?
this.plot.setData(this.data):this.make(),this.values(null)}fit(){let t=this.place.clientWidth;t===0||this.signal.aborted||
(this.plot?this.plot.setSize({width:t,height:Ga}):this.make())}make(){let t=this.place.clientWidth;if(t===0||this.signal.
aborted)return;this.plot?.destroy(),this.place.replaceChildren();let i=this.data[0].length<40,n={stroke:en("--dim"),grid:{
stroke:en("--grid"),width:1},ticks:{stroke:en("--grid"),width:1},font:"11px system-ui, sans-serif"};this.plot=new Be({width:t,
height:Ga,legend:{show:!1},padding:[this.ground.stages.length>1?16:8,8,0,0],cursor:{y:!1,points:{size:6},drag:{x:!0,y:!1},
...this.options.sync?{sync:{key:this.options.sync,setSeries:!1}}:{}},scales:{x:{time:!1,range:(r,s,a)=>this.reach(r,s,a)},
y:{range:(r,s,a)=>this.range(s,a)}},axes:[{...n,size:26,incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5]},
{...n,size:52,values:(r,s)=>s.map(a=>this.text(a))}],series:[{},...this.lines.map((r,s)=>({label:r.label,stroke:en(_r[s%
_r.length]),width:1.5,spanGaps:!0,points:{show:i,size:4}}))],hooks:{drawClear:[r=>jd(r,this.ground)],draw:[r=>Gd(r,this.
ground)],setCursor:[r=>this.values(r.cursor.idx??null)]}},this.data,this.place),this.plot.over.addEventListener("click",
()=>this.click())}reach(t,i,n){let r=t.data[0],s=i===r[0]&&n===r.at(-1),a=this.ground.last;return s&&a!==void 0&&a>0?[Math.
min(0,i),Math.max(a,n)]:[i,n]}range(t,i){if(this.options.share&&(i??0)<=1&&(t??0)>=0)return[0,1.02];if(t===null||i===null)
return[0,1];let n=(i-t)*.06||Math.abs(i)*.1||1;return[t>=0&&t-n<0?0:t-n,i+n]}text(t){return this.options.share?it(t).replace(
/\.0 %$/," %"):k(t,3)}click(){let t=this.plot?.cursor.idx;if(t==null||!this.options.open)return;let i=this.data[0][t];i!==
void 0&&this.options.open(i)}values(t){let i=this.data[0],n=t!==null&&t<i.length?t:null;R(this.legend,o("span",{class:"d\
im"},n!==null?`step ${k(i[n])}`:"last"),this.lines.map((r,s)=>{let a=[...this.data[s+1]??[]],u=n!==null?a[n]:a.findLast(
m=>m!=null),p=n===null?Ia(r.points,this.ground.last):void 0;return o("span",{class:"key"},o("i",{class:"swatch",vars:{"-\
-swatch":`var(${_r[s%_r.length]})`}}),r.label===this.options.title?null:r.label+" ",o("b",null,this.exactly(u)),p===void 0?
null:o("span",{class:"dim"},` at step ${k(p)}`))}))}exactly(t){return this.options.share?it(t):k(t)}};function jd(e,t){let{
ctx:i,bbox:n}=e;i.save(),i.font=`${11*devicePixelRatio}px system-ui, sans-serif`,t.stages.forEach((r,s)=>{let a=Math.max(
n.left,e.valToPos(r.first_step-.5,"x",!0)),u=r.last_step??1/0,p=Number.isFinite(u)?e.valToPos(u+.5,"x",!0):n.left+n.width,
m=Math.min(n.left+n.width,p);m<=a||(s%2===1&&(i.fillStyle=en("--band"),i.fillRect(a,n.top,m-a,n.height)),t.stages.length>
1&&m-a>40*devicePixelRatio&&(i.fillStyle=en("--dim"),i.beginPath(),i.save(),i.rect(a,0,m-a-6*devicePixelRatio,n.top),i.clip(),
i.fillText(Rt(r.name.slice(0,40)),a,n.top-4*devicePixelRatio),i.restore()))}),i.restore()}var Id={kill:"--bad",resume:"-\
-s1",take_up:"--s1",plugin_restart:"--warn"};function Gd(e,t){let{ctx:i,bbox:n}=e,r=a=>a>=n.left&&a<=n.left+n.width;i.save();
for(let a of t.marks){let u=Id[a.kind];if(a.step===void 0||!u)continue;let p=e.valToPos(a.step+.5,"x",!0);r(p)&&(i.strokeStyle=
en(u),i.lineWidth=devicePixelRatio,i.setLineDash([3*devicePixelRatio,3*devicePixelRatio]),i.beginPath(),i.moveTo(p,n.top),
i.lineTo(p,n.top+n.height),i.stroke())}i.setLineDash([]);let s=n.top+n.height;for(let a of t.checkpoints){let u=e.valToPos(
a.step,"x",!0);r(u)&&(i.fillStyle=en(a.best?"--s2":"--dim"),i.beginPath(),i.moveTo(u,s-(a.best?9:6)*devicePixelRatio),i.
lineTo(u-3.5*devicePixelRatio,s),i.lineTo(u+3.5*devicePixelRatio,s),i.fill())}i.restore()}function Ua(e){let t=[...new Set(
e.flatMap(r=>r.points.map(s=>s[0])))].sort((r,s)=>r-s),i=new Map(t.map((r,s)=>[r,s])),n=e.map(r=>{let s=new Array(t.length).
fill(void 0);for(let[a,u]of r.points)s[i.get(a)]=u;return s});return[t,...n]}var Ya=6;async function Ja(e){let t=[...new Set(e.query.getAll("run"))].slice(0,Ya);e.title({text:"compare "+t.join(", ")});
let i=(await rr(e.signal)).runs,n=o("div",null),r=o("div",null);if(R(e.root,o("div",{class:"bar"},o("h1",null,"Compare"),
Ud(t,i)),Bd(t,i),n,r),t.length<2){R(n,o("p",{class:"empty"},"Choose a second run."));return}await Promise.all([Pe(e,r,async()=>{
let[s,...a]=t,u=[];for(let p of a)u.push(Jd(await Jl(s,p,e.signal),s,p));return u}),Pe(e,n,()=>Kd(e,t))])}function Ud(e,t){
let i=t.filter(r=>!e.includes(r.name)),n=o("select",{"aria-label":"add a run","data-filter":!0},o("option",{value:""},"a\
dd a run \u2026"),i.slice(0,500).map(r=>o("option",{value:r.name},r.name)));return n.disabled=e.length>=Ya||i.length===0,
n.addEventListener("change",()=>{n.value!==""&&(location.hash=B(["compare"],{run:[...e,n.value]}))}),n}function Bd(e,t){
return o("div",{class:"sides"},e.map((i,n)=>{let r=t.find(s=>s.name===i);return o("section",{class:"panel side",vars:{"-\
-swatch":`var(--s${n+1})`}},o("h2",null,o("i",{class:"swatch"}),o("a",{href:Cn(i)},i)," ",r?Ri(r):null,o("a",{class:"qui\
et",title:"leave it out",href:B(["compare"],{run:e.filter(s=>s!==i)})},"\xD7")),r?dn([["step",k(r.step)],["held-out succ\
ess",Di(r)],["adapter",r.adapter],["spec",r.spec]]):o("p",null,"There is no such run in this folder."))}))}async function Kd(e,t){
let i=await Promise.all(t.map(g=>Ln(g,e.signal))),n=i.map(g=>new Set(g.metrics??[])),r=[...new Set(i.flatMap(g=>g.metrics??
[]))],s=r.filter(g=>n.every(b=>b.has(g))),a=r.filter(g=>!n.every(b=>b.has(g))),u=Tr(r).flatMap(g=>g.names),p=g=>{let b=o(
"div",null);return Pe(e,b,async()=>o("div",{class:"grid"},await Yd(e,t,g))),b},m=s.filter(g=>!u.includes(g)).sort().slice(
0,60);return[p(u),m.length>0?Ce(`${Te(m.length,"other metric")} of all of them`,()=>p(m)):null,a.filter(g=>!u.includes(g)).
length>0?Ce("metrics that only some have",()=>p(a.filter(g=>!u.includes(g)).sort().slice(0,60))):null]}async function Yd(e,t,i){
if(i.length===0)return[];let n=await Promise.all(t.map(r=>sr(r,i,void 0,e.signal)));return i.map(r=>new wi({title:r,sync:"\
compare",share:r.endsWith("success_rate")},t.map((s,a)=>({label:s,points:n[a].series[r]??[]})),Ba,e.signal).element)}function Jd(e,t,i){
let n=[["variables",e.variables],["spec",e.spec],["data",e.data],["plugins",e.plugins],["machine",e.machine]],r=new Set(
e.unrecorded??[]),s=n.filter(([a,u])=>(u??[]).length===0&&!r.has(a)).map(([a])=>a);return me(`What differs between ${t} \
and ${i}`,e.same_digest?o("p",null,"Their newest checkpoints are equal to the bit."):null,s.length>0?o("p",null,`The sam\
e in both: ${s.join(", ")}.`):null,r.size>0?o("p",{class:"dim"},`Not compared, because a run of an earlier version has n\
o record of it: ${[...r].join(", ")}.`):null,n.filter(([,a])=>(a??[]).length>0).map(([a,u])=>[o("h3",null,a),Oe([{title:"",
half:!0,cell:p=>o("code",null,p.path)},{title:t,half:!0,cell:p=>Ka(p.a)},{title:i,half:!0,cell:p=>Ka(p.b)}],u.slice(0,300))]))}
function Ka(e){if(e===void 0)return o("span",{class:"dim"},"\u2013");let t=typeof e=="string"?e:JSON.stringify(e);return o(
"span",{class:"value"},t.length>300?t.slice(0,300)+" \u2026":t)}var Qd=8;async function Qa(e,t,i){let n=await Pn(e,{...t,limit:Qd},i).catch(()=>null),r=[];for(let s of n?.episodes??[]){
let a=await oi(e,s.id,i).catch(()=>null);a&&r.push(a)}return Zd(r)}function Zd(e){let t=[Lr(e,n=>n.failure?.detail&&`\u201C${Xa(
n.failure.detail)}\u201D`),Lr(e,n=>n.limit?.words),Lr(e,n=>Xd(n)),Lr(e,n=>ef(n))].filter(n=>n!==null);if(t.length===0)return null;
let i=t.map(n=>n.of===e.length?n.words:`${n.words} (${k(n.of)} of them)`);return`Of ${k(e.length)} that were looked at: ${i.
join("; ")}.`}function Lr(e,t){let i=new Map;for(let s of e){let a=t(s);a&&i.set(a,(i.get(a)??0)+1)}let[n,r]=[...i].sort(
(s,a)=>a[1]-s[1])[0]??["",0];return 2*r>e.length?{words:n,of:r}:null}function Za(e){return(e.transcripts??[]).flatMap(t=>t.
messages)}function Xd(e){let[t]=Za(e).flatMap(i=>i.malformed??[]);return t&&`\u201C${Xa(t.reason)}\u201D`}function ef(e){
let t=Za(e),i=new Set(t.map(r=>r.tool_call_id)),n=t.flatMap(r=>r.tool_calls??[]).find(r=>!i.has(r.id));return n&&`the ca\
ll of ${n.name} has no result`}function Xa(e){return e.length>160?e.slice(0,160)+"\u2026":e}var Qs=.2,tf=.7,nf=1;function ec(e,t,i){let n=lf(t,i);return n.length===0?null:me("What stands out",o("ul",{class:"findi\
ngs"},n.map(r=>o("li",{class:"item",data:r.query?{href:B(["run",t.name,"episodes"],r.query)}:void 0},o("b",null,r.words),
" ",r.advice,r.query?[" ",o("a",{href:B(["run",t.name,"episodes"],r.query)},"Show them")]:null,rf(e,t,r)))))}function rf(e,t,i){
if(!i.look)return null;let n=o("div",{class:"dim","aria-live":"polite"});return(i.look==="episodes"?Qa(t.name,i.query??{},
e.signal):or(t.name,e.signal).then(s=>sf(s.settings),()=>null)).then(s=>{s&&!e.signal.aborted&&R(n,s)}),n}function sf(e){
let t=e.filter(n=>n.path.startsWith("environment.")&&(n.path.endsWith(".ground_truth")&&n.value===!0||JSON.stringify(n.value).
includes("task.private")));return t.length===0?null:`The spec gives the private part of tasks to the environment: ${t.slice(
0,5).map(n=>`${n.path} = ${JSON.stringify(n.value)}`).join("; ")}.`}function lf(e,t){let i=vi(t.map(p=>p.episodes));if(i===
0)return[];let n=p=>`${k(p)} of ${k(i)} episodes (${it(p/i)})`,r=[],s=vi(t.map(p=>p.failed));if(s>=Qs*i){let[p]=Object.entries(
e.failures??{}).sort((m,g)=>g[1]-m[1])[0]??[];r.push({words:`${n(s)} failed`,advice:p?`most often as ${p.toLowerCase()}:\
 nothing is learned from them.`:"nothing is learned from them.",query:p?{class:p,split:"train"}:{outcome:"FAILED",split:"\
train"},look:"episodes"})}let a=vi(t.map(p=>p.truncated));a>=Qs*i&&r.push({words:`${n(a)} were cut by a limit`,advice:"o\
f tokens or turns: their conversations show where.",query:{outcome:"TRUNCATED",split:"train"},look:"episodes"});let u=vi(
t.map(p=>p.malformed));return u>=Qs*i&&r.push({words:`${k(u)} tool calls of ${k(i)} episodes are malformed`,advice:"and \
were not carried out: the conversations mark them, with the reason.",query:{split:"train",malformed_min:"1"},look:"episo\
des"}),r.length===0&&r.push(...of(t)),r.push(...cf(t)),r}function of(e){let t=e.map(r=>r.reward).filter(r=>typeof r=="nu\
mber");if(t.length<2)return[];let i=e.map(r=>r.success).filter(r=>typeof r=="number"),n={split:"train"};return i.length>
1&&i.every(r=>r===1)?[{words:"Everything was solved from the first step on.",advice:"Is the answer told to the agent, by\
 a tool or by its prompt?",query:n,look:"spec"}]:t.every(r=>r===t[0])?[{words:`The mean reward is ${k(t[0])} in every st\
ep.`,advice:"Where all samples of a group are worth the same, nothing is learned. Is a right answer among them, or is wh\
at is expected of another kind?",query:{...n,expected:"1"}}]:[]}var af={model:"messages of the policy",tool:"the environ\
ment",reward:"rewards",siblings:"waiting for the rest of the group",host:"awhost itself"};function cf(e){let t=new Map;for(let a of e)
for(let[u,p]of Object.entries(a.parts??{}))u!=="queue"&&t.set(u,(t.get(u)??0)+p);let i=vi([...t.values()]),[n,r]=[...t].
sort((a,u)=>u[1]-a[1])[0]??["",0],s=r/Math.max(1,vi(e.map(a=>a.episodes)));return i===0||r<tf*i||n==="model"||s<nf?[]:[{
words:`${it(r/i)} of the episodes' time went into ${af[n]??n}`,advice:`(${Je(s)} an episode).`,query:{split:"train",sort:"\
-seconds"}}]}function vi(e){return e.reduce((t,i)=>t+(i??0),0)}var tc=25;async function rc(e,t){e.title({text:t});let i=await Ln(t,e.signal),n=o("div",null),r=o("div",null),s=new Zs(e,
i),a=new Xs(e,i),u=o("div",null),p=o("div",null),m=o("div",null),g=S=>{R(n,df(S)),R(m,ff(S)),R(u,wf(S),vf(S),kf(S),Sf(S)),
document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status",S.status)};g(i);let b=i.played?o("p",{class:"\
dim"},uf):[s.element,a.element];if(R(e.root,n,p,m,r,b,u,mf(e,t)),e.key("e","all episodes",()=>{location.hash=B(["run",t,
"episodes"])}),e.key("v","validations",()=>{location.hash=B(["run",t,"validations"])}),e.key("s","the newest step",()=>{
location.hash=Ye(t,Math.max(0,i.step))}),i.played||(s.load(),a.load(),nc(e,i,p)),!i.live)return;ic(e,t,r),e.onLive(t,S=>{
v(S)});let v=async S=>{let L=new Set(S.map(D=>D.kind)),P=await Ln(t,e.signal).catch(()=>null);!P||e.signal.aborted||(Object.
assign(i,P),g(P),!i.played&&(L.has("step")||L.has("state"))&&(s.refresh(P,L.has("state")),a.refresh(P),nc(e,P,p)),ic(e,t,
r))}}var uf="These are tasks that awhost debug plays. Nothing is trained: there are no curves, steps or checkpoints.",pf=50;
async function nc(e,t,i){let n=await Ci(t.name,Math.max(0,t.step-pf+1),Math.max(0,t.step),e.signal).catch(()=>null);n&&!e.
signal.aborted&&R(i,ec(e,t,n.steps))}function df(e){let t=[e.step>=0?`${k(e.step)}${e.steps?` of ${k(e.steps)}`:""}`:"no\
ne yet"];return[o("div",{class:"bar"},o("h1",null,e.name),Ri(e),o("span",{class:"grow"}),o("a",{class:"button",href:B(["\
run",e.name,"episodes"])},"Episodes"),o("a",{class:"button",href:B(["run",e.name,"validations"])},"Validations"),o("a",{
class:"button",href:B(["compare"],{run:[e.name]})},"Compare")),dn([["step",e.played?null:t],["stage",e.stage],["held-out\
 success",e.played?null:Di(e)],["episodes",e.episodes===void 0?null:k(e.episodes)],["adapter",e.adapter],["train",e.train],
["dataset",e.played?.dataset],["policy",e.played?.policy],["spec",e.spec],["where",e.machine],["started",$n(e.started)],
["took",e.live||e.ended?ur(e.started,e.live?void 0:e.ended):null],["disk",Dt(e.disk_bytes)],["digest",e.digest?o("code",
null,e.digest.slice(0,19)):null]]),hf(e)]}function ff(e){return[e.problem||e.reason?o("p",{class:"warning"},e.problem??e.
reason):null,(e.warnings??[]).map(t=>o("p",{class:"warning",role:"status"},t))]}function mf(e,t){return Ce(o("b",null,"S\
pec"),()=>{let i=o("div",null);return Pe(e,i,async()=>{let n=(await or(t,e.signal)).settings.map(u=>[u.path,JSON.stringify(
u.value)]),r=o("div",null),s=o("input",{type:"search",placeholder:"setting or value","aria-label":"filter settings"}),a=()=>{
let u=s.value.trim().toLowerCase(),p=n.filter(([m,g])=>`${m} = ${g}`.toLowerCase().includes(u));R(r,Oe([{title:"setting",
cell:([m])=>o("code",null,m)},{title:"value, defaults included",wide:!0,cell:([,m])=>$e(m,400)}],p.slice(0,500)),p.length>
500?o("p",{class:"dim"},`and ${Te(p.length-500,"other")}: narrow it down`):null)};return s.addEventListener("input",a),a(),
[s,r]}),i})}function hf(e){let t=Object.entries(e.failures??{}).filter(([,i])=>i>0).sort((i,n)=>n[1]-i[1]);return t.length===
0?null:o("p",{class:"chips"},o("span",{class:"dim"},"Failed: "),t.map(([i,n])=>o("a",{class:"chip bad",href:B(["run",e.name,
"episodes"],{class:i})},`${i.toLowerCase()} `,o("b",null,k(n)))))}var Zs=class{constructor(t,i){this.view=t;this.run=i}view;run;element=o(
"section",{class:"curves","aria-label":"curves"});charts=[];points=new Map;drawn="";async load(){this.drawn=(this.run.metrics??
[]).join(`
`);let t=Tr(this.run.metrics??[]),i=o("div",{class:"grid"});await Pe(this.view,this.element,async()=>(await this.fetch(t.
flatMap(n=>n.names)),R(i,t.map(n=>this.chart(n))),t.length===0?o("p",{class:"empty"},"No step has ended yet: there is no\
 curve to draw."):[i,[...Wa(this.run.metrics??[])].map(([n,r])=>this.part(n,r))]))}part(t,i){let n=[o("b",null,t),o("spa\
n",{class:"dim"},` ${Te(i.length,"metric")}`)];return Ce(n,()=>{let r=o("div",null),s=24,a=u=>Pe(this.view,r,async()=>{let p=i.
slice(u,u+s);return await this.fetch(p),[o("div",{class:"grid"},p.map(m=>this.chart({title:m,names:[m]}))),i.length>s?o(
"div",{class:"pager"},o("button",{disabled:u===0,onclick:()=>{a(u-s)}},"\u2190"),o("span",null,`${u+1} to ${u+p.length} \
of ${i.length}`),o("button",{disabled:u+s>=i.length,onclick:()=>{a(u+s)}},"\u2192")):null]});return a(0),r})}chart(t){let i=new wi(
{title:t.title,unit:t.unit,share:t.share,sync:"run",open:n=>{location.hash=Ye(this.run.name,n)}},this.lines(t),this.ground(),
this.view.signal);return this.charts.push({of:t,chart:i}),i.element}lines(t){return t.names.map(i=>({label:ja(i,t),points:this.
points.get(i)??[]}))}ground(){return{stages:this.run.stages??[],checkpoints:this.run.checkpoints??[],marks:this.run.marks??
[],last:this.run.step}}async fetch(t,i){if(t.length===0)return;let{series:n}=await sr(this.run.name,t,i,this.view.signal);
for(let[r,s]of Object.entries(n)){let a=i===void 0?[]:(this.points.get(r)??[]).filter(u=>u[0]<=i);this.points.set(r,[...a,
...s])}}async refresh(t,i){if(this.run=t,this.drawn===""||this.charts.length===0&&(t.metrics??[]).length>0)return this.load();
let n=[...new Set(this.charts.flatMap(s=>s.of.names))],r=Math.max(-1,...n.flatMap(s=>(this.points.get(s)??[]).slice(-1).
map(a=>a[0])));try{await this.fetch(n,i||r<1?void 0:r-1)}catch{return}for(let{of:s,chart:a}of this.charts)a.update(this.
lines(s),this.ground())}},Xs=class{constructor(t,i){this.view=t;this.run=i;this.element.append(this.place)}view;run;element=me(
"Steps");place=o("div",null);top;load(){return Pe(this.view,this.place,()=>this.draw())}async refresh(t){if(this.run=t,this.
top===void 0&&!this.place.contains(document.activeElement)){let i=await this.draw().catch(()=>null);i&&!this.view.signal.
aborted&&R(this.place,i)}}async draw(){let t=this.top??this.run.step,i=Math.max(0,t-tc+1),{steps:n}=await Ci(this.run.name,
i,Math.max(0,t),this.view.signal);if(n.length===0)return o("p",{class:"empty"},"No step has ended yet.");let r=s=>{let a=t+
s*tc;this.top=a>=this.run.step?void 0:a,this.load()};return[gf(this.run.name,[...n].sort((s,a)=>a.step-s.step)),i>0||this.
top!==void 0?o("div",{class:"pager"},o("button",{disabled:this.top===void 0,onclick:()=>r(1)},"\u2190 Newer"),o("span",null,
`steps ${i} to ${t}`),o("button",{disabled:i===0,onclick:()=>r(-1)},"Older \u2192")):null]}};function gf(e,t){let i=[...new Set(
t.flatMap(n=>Object.keys(n.seconds??{})))];return Oe([{title:"step",right:!0,cell:n=>o("a",{href:Ye(e,n.step)},k(n.step))},
{title:"stage",cell:n=>n.stage??"\u2013"},{title:"episodes",right:!0,cell:n=>k(n.episodes)},{title:"reward",right:!0,cell:n=>k(
n.reward)},{title:"success",right:!0,cell:n=>it(n.success)},{title:"failed",right:!0,cell:n=>el(n.failed)},{title:"trunc\
ated",right:!0,cell:n=>el(n.truncated)},...i.map(n=>({title:n.replaceAll("_"," "),right:!0,cell:r=>Je(r.seconds?.[n])})),
{title:"",wide:!0,cell:()=>""}],t,n=>Ye(e,n.step))}function el(e){return e?o("span",{class:"bad"},k(e)):k(e)}var bf={start:"\
started",resume:"resumed",kill:"killed",end:"ended",take_up:"trainer taken up",stage:"stage",plugin_restart:"plugin rest\
arted"};function wf(e){let t=[...e.marks??[]].sort((r,s)=>s.time.localeCompare(r.time));if(t.length===0)return null;let i=r=>Oe(
[{title:"time",cell:s=>$n(s.time)},{title:"step",right:!0,cell:s=>k(s.step)},{title:"what",cell:s=>o("span",{class:"badg\
e "+(s.kind==="kill"?"bad":"")},bf[s.kind]??s.kind.replaceAll("_"," "))},{title:"",wide:!0,cell:s=>s.text}],r),n=10;return me(
"What happened",i(t.slice(0,n)),t.length>n?Ce(`${Te(Math.min(t.length,500)-n,"earlier entry").replace("entrys","entries")}`,
()=>i(t.slice(n,500))):null)}function vf(e){return(e.plugins??[]).length===0?null:me("Plugins",Oe([{title:"address",cell:t=>o(
"code",null,t.address)},{title:"plugin",cell:t=>`${t.name??""} ${t.version??""}`},{title:"pid",right:!0,cell:t=>t.pid?String(
t.pid):"\u2013"},{title:"restarts",right:!0,cell:t=>el(t.restarts)},{title:"CPU",right:!0,cell:xf},{title:"memory",right:!0,
cell:t=>Dt(t.rss_bytes)},...e.plugins.some(t=>t.gpus)?[{title:"GPU memory",right:!0,cell:t=>yf(t)}]:[],{title:"last word\
s",wide:!0,cell:t=>t.last_words?o("div",{class:"words"},$e(t.last_words,400)):""}],e.plugins),e.played?null:o("p",{class:"\
dim"},"All that a plugin wrote: ",An(`awhost logs ${e.name}`)))}function xf(e){return e.cpu_percent===void 0?Je(e.cpu_seconds):
[Je(e.cpu_seconds),o("span",{class:"dim"},` ${Math.round(e.cpu_percent)} %`)]}function yf(e){return(e.gpus??[]).map(t=>o(
"div",null,o("span",{class:"dim"},`${t.index}: `),Dt(t.bytes)))}function kf(e){return(e.gpus??[]).length===0?null:me("GP\
Us of the machine",Oe([{title:"",right:!0,cell:t=>String(t.index)},{title:"name",cell:t=>t.name??"\u2013"},{title:"memor\
y",cell:t=>[`${Dt(t.used_bytes)} of ${Dt(t.total_bytes)}`,t.total_bytes?o("progress",{value:t.used_bytes??0,max:t.total_bytes,
"aria-hidden":"true"}):null]},{title:"",wide:!0,cell:()=>""}],e.gpus))}function Sf(e){let t=[...e.checkpoints??[]].sort(
(i,n)=>n.step-i.step).slice(0,200);return t.length===0?null:me("Checkpoints",Oe([{title:"step",right:!0,cell:i=>o("a",{href:Ye(
e.name,i.step)},k(i.step))},{title:"",cell:i=>i.best?o("span",{class:"badge good"},"best"):""},{title:"path",wide:!0,cell:i=>i.
path?An(i.path):""}],t))}async function ic(e,t,i){let n=await Kl(t,e.signal).catch(()=>null);if(!n||!n.live||e.signal.aborted)
return R(i);if(n.waits.length===0)return R(i);let r=n.waits[0];R(i,Ce([o("b",null,"What waits for what: "),Ef(r),n.waits.
length>1?`, and ${n.waits.length-1} more`:""],()=>Oe([{title:"who",cell:s=>s.episodes?Te(s.episodes,"episode"):"the "+s.
who},{title:"waits for",cell:s=>[s.for," ",s.address??"",s.call?`, ${s.call}`:""]},{title:"since",right:!0,cell:s=>Je(s.
seconds)},{title:"longest",cell:s=>s.episode?o("a",{href:at(t,s.episode)},s.episode):""},{title:"",wide:!0,cell:s=>s.detail??
""}],n.waits),i.querySelector("details")?.open??!1))}function Ef(e){return`${e.episodes?`${Te(e.episodes,"episode")} wai\
t`:`the ${e.who} waits`} for ${e.for}${e.address?` of ${e.address}`:""}, ${Je(e.seconds)}`}var rn=e=>({text:e,href:Cn(e)});function Mt(e){let t=e.filter(r=>typeof r=="number"&&Number.isFinite(r)),i=Math.min(0,...t),n=Math.max(1,...t);if(i<0){let r=Math.
max(-i,Math.max(0,...t));return{low:-r,high:r}}return{low:0,high:n}}function Pr(e){return{low:-e,high:e}}function Tt(e,t,i){
if(e.classList.remove("low","high","nothing"),t==null||Number.isNaN(t))return e.classList.add("nothing"),e;let n=i.high-
i.low,r=n===0?.5:Math.min(1,Math.max(0,(t-i.low)/n));return e.classList.add(r<.5?"low":"high"),e.style.setProperty("--mu\
ch",`${Math.round(Math.abs(r-.5)*200)}%`),e}function gn(e,t,i,n=!1){let r=["FAILED","DROPPED","CANCELLED"].includes(t.outcome??"")&&typeof t.reward!="number",s=o("a",
{class:"cell"+(n?" here":""),href:at(e,t.id),title:Mf(t),"aria-current":n?"true":void 0},r?Qe(t.outcome):t.reward===null||
t.reward===void 0?"none":k(t.reward,3),t.success===!0?o("span",{class:"tick","aria-label":"solved"},"\u2713"):null,t.outcome===
"TRUNCATED"?o("span",{class:"cut","aria-label":"truncated"},"\u2702"):null,t.malformed?o("span",{class:"cut","aria-label":"\
with malformed calls"},"\u2260"):null);return Tt(s,t.outcome==="FAILED"?null:t.reward,i)}function Mf(e){let t=e.success===
!0?", solved":e.success===!1?", not solved":"",i=e.class?` (${Qe(e.class)})`:"",n=e.malformed?`, ${Te(e.malformed,"malfo\
rmed call")}`:"";return`${e.id}: ${Qe(e.outcome)}${i}, reward ${k(e.reward)}${t}${n}`}function Fn(e){let t=e.outcome==="\
SCORED"&&!e.malformed,i=e.outcome==="FAILED"?"bad":t?"good":"warn";return o("span",{class:"badge "+i},e.outcome?Qe(e.outcome):
"given up",e.class?`: ${Qe(e.class)}`:"",e.malformed?`, ${Te(e.malformed,"malformed call")}`:"")}function sc(e,t){return Tt(
o("span",{class:"cell small"},k(e.reward,3)),e.reward,t)}var ac=["split","group","task","outcome","class","member","reward_min","reward_max","turns_min","turns_max","malformed_m\
in","q","sort"],Tf=[["","in order"],["-reward","best first"],["reward","worst first"],["-turns","most turns first"],["tu\
rns","fewest turns first"],["-seconds","longest first"],["seconds","shortest first"]];function cc(e){let t={};for(let i of ac){
let n=e.get(i);n&&(t[i]=n)}return t}function Ar(e){return ac.some(t=>t!=="split"&&(e.get(t)??"")!=="")}function uc(e,t,i){
let n=p=>t.get(p)??"",r=(p,m={})=>[...new Set([...Object.keys(m),n(p)])].filter(g=>g!=="").map(g=>[g,`${Qe(g)} (${k(m[g]??
0)})`]),s=["member","task","group","turns_min","turns_max","malformed_min"].some(p=>n(p)!==""),a=o("form",{class:"filter",
role:"search"},Cr("q","text",n("q"),{"data-filter":!0,placeholder:"words in the conversation",type:"search"}),tl("outcom\
e",n("outcome"),[["","any outcome"],...r("outcome",i.outcomes)]),tl("class",n("class"),[["","any failure"],...r("class",
i.failures)]),tl("sort",n("sort"),Tf),oc("reward",n),o("details",{class:"more",open:s},o("summary",null,"more"),o("div",
{class:"filter"},oc("turns",n),_f("malformed","malformed calls",n),Cr("task","task",n("task")),Cr("group","group",n("gro\
up")),Cr("member","member",n("member")))),o("button",null,"Filter"),Ar(t)?o("a",{class:"button quiet",href:B(e,lc(t))},"\
Clear"):null),u=()=>{let p=lc(t);for(let[m,g]of new FormData(a))typeof g=="string"&&g.trim()!==""&&(p[m]=g.trim());location.
hash=B(e,p)};return a.addEventListener("submit",p=>{p.preventDefault(),u()}),a.addEventListener("change",p=>{p.target instanceof
HTMLSelectElement&&u()}),a}function lc(e){let t={};for(let i of["split","layout","expected"]){let n=e.get(i);n&&(t[i]=n)}
return t}function Cr(e,t,i,n={}){return o("label",null,o("span",null,t),o("input",{name:e,value:i,type:"text",autocomplete:"\
off",...n}))}function _f(e,t,i){let n={name:`${e}_min`,value:i(`${e}_min`),type:"number",min:0,placeholder:"from"};return o(
"label",{class:"range"},o("span",null,t),o("input",n))}function oc(e,t){let i=(n,r)=>o("input",{name:`${e}_${n}`,value:t(
`${e}_${n}`),type:"number",step:"any",placeholder:r,"aria-label":`${e} ${r}`});return o("label",{class:"range"},o("span",
null,e),i("min","from"),i("max","to"))}function tl(e,t,i){let n=o("select",{name:e,"aria-label":e},i.map(([r,s])=>o("opt\
ion",{value:r},s)));return n.value=t,n}function Wi(e,t){let i=new Map;for(let n of e){let r=t(n),s=i.get(r);s?s.push(n):i.set(r,[n])}return i}var Lf=100;async function il(e,t,i){let n=i===void 0?["run",t,"episodes"]:["run",t,"step",i];e.title(rn(t),{text:i===void 0?
"episodes":`step ${i}`});let r=await Ln(t,e.signal),s=new nl(e,r,i,n);R(e.root,Pf(e,r,i,n),i===void 0?null:Cf(e,t,i),Qt===
void 0?uc(n,e.query,r):null,i===void 0||Ar(e.query)?null:$f(e,t,i),s.element),await s.load(),r.live&&e.onLive(t,a=>s.hear(
a.some(u=>i===void 0||u.step===i)))}function Pf(e,t,i,n){let r=e.query.get("split")??"",s=Object.fromEntries([...e.query].
filter(([m])=>m!=="cursor")),a=(m,g)=>o("a",{class:"tab"+(r===m?" here":""),"aria-current":r===m?"true":void 0,href:B(n,
{...s,split:m})},g),u=e.query.get("layout")??"",p=m=>{location.hash=Ye(t.name,Math.max(0,(i??0)+m),{split:r})};return i!==
void 0&&(e.key("ArrowLeft","step before",()=>p(-1)),e.key("ArrowRight","next step",()=>p(1))),o("div",{class:"bar"},o("h\
1",null,i===void 0?"Episodes":`Step ${k(i)}`),i===void 0?null:o("span",{class:"turn"},o("button",{disabled:i===0,title:"\
step before (\u2190)","aria-label":"step before",onclick:()=>p(-1)},"\u2190"),o("button",{title:"next step (\u2192)","ar\
ia-label":"next step",onclick:()=>p(1)},"\u2192")),t.played?null:o("span",{class:"tabs"},a("","All"),a("train","Training"),
a("validation","Held-out")),i===void 0?null:o("span",{class:"tabs"},o("a",{class:"tab"+(u===""?" here":""),href:B(n,{...s,
layout:""})},"Groups"),o("a",{class:"tab"+(u==="list"?" here":""),href:B(n,{...s,layout:"list"})},"List")))}function Cf(e,t,i){
let n=o("div",null);return Pe(e,n,async()=>{let r=(await Ci(t,i,i,e.signal)).steps.find(s=>s.step===i);return r?dn([["st\
age",r.stage],["episodes",k(r.episodes)],["reward",k(r.reward)],["success",it(r.success)],["failed",k(r.failed)],["trunc\
ated",k(r.truncated)],...Af(r)]):o("p",{class:"dim"},"The step has not ended, or is not of this run.")}),n}function Af(e){
return Object.entries(e.seconds??{}).map(([t,i])=>[t.replaceAll("_"," "),Je(i)])}function $f(e,t,i){let n=o("div",null),
r=e.query.get("split")??void 0,s=u=>Pn(t,{step:i,split:r,sort:u,limit:3},e.signal);Pe(e,n,async()=>{let[u,p]=await Promise.
all([s("-reward"),s("reward")]),m=b=>b.episodes.filter(v=>typeof v.reward=="number");if(m(u).length===0||m(u)[0].reward===
m(p)[0].reward)return null;let g=Mt([...m(u),...m(p)].map(b=>b.reward));return o("div",{class:"extremes"},a("Best",m(u),
g),a("Worst",m(p),g))});let a=(u,p,m)=>me(u,p.map(g=>o("p",{class:"answer"},gn(t,g,m)," ",o("a",{href:at(t,g.id),class:"\
quiet"},xi(g.answer)||"no answer"))));return n}var nl=class{constructor(t,i,n,r){this.view=t;this.run=i;this.step=n;this.
path=r;this.element.append(this.news,this.place)}view;run;step;path;element=o("div",null);place=o("div",null);news=o("di\
v",null);load(){return R(this.news),Pe(this.view,this.place,()=>this.draw())}hear(t){if(!t)return;this.view.query.has("c\
ursor")||this.element.contains(document.activeElement)||this.element.querySelector(".current, :hover")!==null?R(this.news,
o("p",{class:"news"},o("button",{onclick:()=>{this.load()}},"There is more: show it"))):this.load()}async draw(){let t=this.
view.query.get("cursor")??void 0,i=this.step!==void 0&&this.view.query.get("layout")!=="list"&&!this.view.query.get("sor\
t"),n=i?{sort:"group"}:{},r=await Pn(this.run.name,{...cc(this.view.query),...n,step:this.step,limit:Lf,cursor:t},this.view.
signal);if(r.episodes.length===0)return o("p",{class:"empty"},this.emptiness());let s=Mt(r.episodes.map(u=>u.reward)),a=r.
total===void 0?"":`${Te(r.total,"episode")}`;return[o("p",{class:"legend"},o("b",null,a),Of(s),this.asks(i)),this.strip(
r.episodes,s),i?this.groups(r.episodes,s):this.list(r.episodes,s),this.pager(r,t)]}emptiness(){return Ar(this.view.query)?
"No episode is like this.":this.run.live?"No episode has ended yet: the list fills by itself.":"There are no episodes."}strip(t,i){
if(this.step!==void 0||!this.view.query.get("task"))return null;let n=Wi([...t].sort((r,s)=>r.step-s.step),r=>r.step);return me(
"This task through time",o("div",{class:"strip"},[...n].map(([r,s])=>o("div",null,o("a",{class:"dim",href:Ye(this.run.name,
r)},`step ${r}`),s.map(a=>gn(this.run.name,a,i))))))}groups(t,i){let n=[...Wi(t,r=>JSON.stringify([r.split,r.group])).values()].
sort(Hf);return o("div",{class:"groups"},n.map(r=>{let s=r.toSorted((p,m)=>p.sample-m.sample),a=s[0],u=$i(this.run.name,
a.group,a.step,a.split);return o("section",{class:"group item",data:{href:u}},o("div",{class:"of"},o("a",{href:u,title:"\
side by side"},a.split==="validation"?"held-out ":"",`group ${a.group}`),o("a",{class:"task",title:"this task through ti\
me",href:B(["run",this.run.name,"episodes"],{task:a.task})},a.task),o("span",{class:"dim"},Nf(s))),o("div",{class:"cells"},
s.map(p=>gn(this.run.name,p,i))))}))}list(t,i){let n=this.run.name;return Oe([...this.step===void 0&&!this.run.played?[{
title:"step",right:!0,cell:r=>o("a",{href:Ye(n,r.step)},k(r.step))}]:[],{title:"episode",cell:r=>o("a",{href:at(n,r.id),
title:r.id},ji(r))},{title:"reward",right:!0,cell:r=>sc(r,i)},{title:"success",cell:r=>r.success===!0?"solved":r.success===
!1?"not solved":"\u2013"},{title:"outcome",cell:Fn},{title:"task",cell:r=>o("a",{class:"short",href:B(["run",n,"episodes"],
{task:r.task})},r.task)},{title:"answer",wide:!0,cell:r=>o("div",{class:"short",title:r.answer},Df(r))},...this.expected(),
{title:"turns",right:!0,cell:r=>k(r.turns)},{title:"tokens",right:!0,cell:r=>k(r.tokens)},{title:"took",right:!0,cell:r=>Je(
r.seconds)},{title:"attempt",right:!0,cell:r=>k(r.attempt)}],t,r=>at(n,r.id))}expected(){if(!this.view.query.get("expect\
ed"))return[];let t=new Map,i=Promise.resolve();return[{title:"private part",cell:r=>{let s=JSON.stringify([r.split,r.task]),
a=t.get(s)??i.then(()=>lr(this.run.name,r.id,this.view.signal).then(Rf),()=>"");t.set(s,a),i=a.catch(()=>{});let u=o("di\
v",{class:"private"},"\u2026");return a.then(p=>{u.title=Rt(p),R(u,xi(p))},p=>R(u,o("span",{class:"bad"},p instanceof Error?
p.message:""))),u}}]}asks(t){if(t||Qt!==void 0)return null;let i=Object.fromEntries([...this.view.query]),n=!!i.expected;
return o("a",{class:"button quiet",href:B(this.path,{...i,expected:n?"":"1"})},n?"Hide private parts":"Show private part\
s: what is expected")}pager(t,i){if(!t.next&&!i)return null;let n=Object.fromEntries([...this.view.query].filter(([s])=>s!==
"cursor")),r=()=>{t.next&&(location.hash=B(this.path,{...n,cursor:t.next}))};return this.view.key("n","next page",r),o("\
div",{class:"pager"},o("button",{disabled:!i,onclick:()=>{location.hash=B(this.path,n)}},"First page"),o("button",{disabled:!i,
onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!t.next,onclick:r},"Next page \u2192"))}};function ji(e){
return`${e.group}, sample ${k(e.sample)}`}function Rf(e){let t="private"in e?e.private:e;return typeof t!="object"||t===
null||Array.isArray(t)?JSON.stringify(t):Object.entries(t).map(([i,n])=>`${i}: ${typeof n=="string"?n:JSON.stringify(n)}`).
join(", ")}function Df(e){let t=e.answer??"",i=t.length<200;return e.outcome==="TRUNCATED"&&t.length>60&&i?"\u2026 "+xi(
t.slice(-60)):xi(t)}function Hf([e],[t]){return e.split.localeCompare(t.split)||e.group.localeCompare(t.group,"en",{numeric:!0})}
function Of(e){return o("span",{class:"ramp"},o("span",null,k(e.low)),o("i",null),o("span",null,k(e.high)),o("i",{class:"\
hatched"}),o("span",null,"no reward"))}function Nf(e){let t=e.map(n=>n.reward).filter(n=>typeof n=="number");if(t.length===
0)return"no rewards";let i=t.reduce((n,r)=>n+r,0)/t.length;return t.length>1&&t.every(n=>n===t[0])?`all ${k(i,3)}: teach\
es nothing`:`mean ${k(i,3)}`}function xi(e){let t=(e??"").replace(/\s+/g," ").trim();return t.length>160?t.slice(0,160)+
" \u2026":t}var zf=200;function Ii(e,t){let i=e.transcripts??(e.messages?[{messages:e.messages}]:[]),n=o("div",{class:"conversation"});
if(i.reduce((p,m)=>p+m.messages.length,0)===0)return R(n,o("p",{class:"empty"},"Nothing was said.")),n;let s=Vf(i),a=Ff(
e,s),u=p=>{n.querySelector(":scope > button")?.remove();let m=Math.min(s.length,p+zf);Gt(n,qf(s.slice(p,m),t,a)),m<s.length?
n.append(o("button",{onclick:()=>u(m)},`show more: ${Te(s.length-m,"message")} are left`)):e.limit?.cut&&n.append(o("p",
{class:"cuthere",title:Rt(e.limit.words)},"\u2702 cut here"))};return u(0),n}function Vf(e){let t=[],i=new Map;for(let n of e){
let r=n.agent??"";for(let s of n.messages){let a=JSON.stringify([r,s.tool_call_id]),u=s.role==="tool"?i.get(a):void 0;if(u){
u.results.set(s.tool_call_id,s),i.delete(a);continue}let p={member:r,depth:Math.max(0,n.depth??0),message:s,results:new Map};
for(let m of s.tool_calls??[])i.set(JSON.stringify([r,m.id]),p);t.push(p)}}return t}function Ff(e,t){let i=t.filter(r=>r.
message.role==="assistant"),n=(e.transcripts?.length??1)===1&&i.length===e.episode.turns;return new Map(n?i.map((r,s)=>[
r,s+1]):[])}function pc(e){if(e.querySelector("[data-turn]"))return t=>{let i=e.querySelector(`[data-turn="${t}"]`);for(let n of e.
querySelectorAll(".current"))n.classList.remove("current");i?.classList.add("current"),i?.scrollIntoView({block:"start"})}}
function qf(e,t,i){let n=o("div",null),r=[{element:n,member:""}];for(let s of e){let a=s.member===""?0:s.depth+1;for(;r.
length>a+1||r.length===a+1&&a>0&&r.at(-1).member!==s.member;)r.pop();for(;r.length<=a;){let u=o("details",{class:"member",
open:!0},o("summary",null,s.member));r.at(-1).element.append(u),r.push({element:u,member:s.member})}r.at(-1).element.append(
Wf(s,t,i.get(s)))}return[...n.childNodes]}function Wf(e,t,i){let n=e.message,r=n.role||"unknown",s=(n.content??"").length;
return o("article",{class:`message item ${If(r)}${n.is_error?" error":""}`,data:i?{turn:String(i)}:void 0},o("header",null,
o("b",null,r),n.name?o("span",{class:"dim"},n.name):null,n.is_error?o("span",{class:"badge bad"},"error"):null,s>2e3?o("\
span",{class:"dim"},`${s.toLocaleString("en")} characters`):null),n.reasoning?Ce([o("b",null,"thinks"),o("span",{class:"\
dim"}," "+rl(n.reasoning))],()=>$e(n.reasoning),!1,"thinks"):null,n.content?$e(n.content,t):null,(n.images??[]).map(dc),
(n.attachments??[]).map(a=>mc(a,n.content??"")),(n.tool_calls??[]).map(a=>Uf(a,e.results.get(a.id))),(n.malformed??[]).map(
a=>o("div",{class:"malformed"},o("span",{class:"badge warn"},"malformed call")," ",a.reason,(n.content??"").includes(a.text)?
null:Ce("what it wrote",()=>$e(a.text)))),Gf(n)?o("p",{class:"dim"},"(nothing)"):null)}var jf=new Set(["system","user","\
assistant","tool"]);function If(e){return jf.has(e)?e:"other"}function Gf(e){return!e.content&&!e.reasoning&&!e.images?.
length&&!e.attachments?.length&&!e.tool_calls?.length&&!e.malformed?.length}function Uf(e,t){let i=[o("span",{class:"arr\
ow"},"\u2192"),o("b",null,e.name||"(no name)"),o("span",{class:"dim oneline"},rl(e.arguments)),t?.is_error?o("span",{class:"\
badge bad"},"error"):null,o("span",{class:t?"result oneline":"oneline bad"},t?"\u2190 "+rl(t.content??""):"no result")];
return Ce(i,()=>o("div",{class:"body"},o("h4",null,"arguments"),$e(Bf(e.arguments)),o("h4",null,"result"),t?[t.content?$e(
t.content):o("p",{class:"dim"},"(nothing)"),(t.images??[]).map(dc),(t.attachments??[]).map(n=>mc(n,t.content??""))]:o("p",
{class:"dim"},"The episode ended before there was one.")),!1,"call")}function Bf(e){if(e.length>1e6)return e;try{return JSON.
stringify(JSON.parse(e),null,2)}catch{return e}}function rl(e){return Ai(e.slice(0,300).replace(/\s+/g," ").trim())}var Kf=new Set(
["image/png","image/jpeg","image/gif","image/webp"]),Yf=8<<20;function dc(e){let t=["picture",e.mime_type,e.url,e.data?Dt(
Math.floor(e.data.length*3/4)):""];return fc(t.filter(i=>i).join(", "),e.mime_type,e.data)}function fc(e,t,i){return!i||
!t||!Kf.has(t)||i.length>Yf||!/^[A-Za-z0-9+/]+=*$/.test(i)?o("p",{class:"attachment"},"+ "+e):Ce("+ "+e,()=>{let n=document.
createElement("img");return n.alt=Rt(e),n.src=`data:${t};base64,${i}`,n},!1,"attachment")}function mc(e,t){let i=[e.kind||
"attachment",e.mime_type,e.name,e.uri,e.size?Dt(e.size):"",e.file?`kept as ${e.file}`:e.sha256?`not kept, sha256 ${e.sha256}`:
""].filter(r=>r).join(", ");if(e.data)return fc(i,e.mime_type,e.data);let n=e.json!==void 0?JSON.stringify(e.json,null,2):
e.text??"";return n===""||n===t?o("p",{class:"attachment"},"+ "+i):Ce("+ "+i,()=>$e(n),!1,"attachment")}function $r(e){let t=e.reward,i=t?.total??e.episode.reward,n=[...new Set([...Object.keys(t?.parts??{}),...Object.keys(t?.
notes??{})])].sort(),r=Mt([i,...Object.values(t?.parts??{})]),s=e.episode.success;return o("div",{class:"reward"},o("p",
{class:"total"},Tt(o("span",{class:"cell"},k(i)),i,r),s===!0?o("span",{class:"badge good"},"solved"):null,s===!1?o("span",
{class:"badge"},"not solved"):null,i==null?o("span",{class:"dim"},Qf(e)):null),t?.expression?o("p",null,o("span",{class:"\
dim"},"by "),o("code",{class:"expression"},t.expression)):null,n.length===0?null:Oe([{title:"part",cell:a=>o("code",null,
a.replace(/^reward\./,""))},{title:"value",right:!0,cell:a=>Jf(t?.parts?.[a],r)},{title:t?.notes?"in words":"",wide:!0,cell:a=>t?.
notes?.[a]?$e(t.notes[a],400):""}],n),(t?.own_rewards??[]).map(a=>o("p",null,o("code",null,`agent.${a.agent}`)," says ",
k(a.reward),a.is_success===void 0?"":a.is_success?", solved":", not solved")),Zf(t?.turn_rewards??[]))}function Jf(e,t){
return e===void 0?"":Tt(o("span",{class:"cell small"},k(e)),e,t)}function Qf(e){return e.failure||e.episode.outcome==="F\
AILED"?"It failed, so that it has no reward.":"It has no reward."}function Zf(e){if(e.length===0)return null;let t=Mt(e.
map(i=>i.reward));return o("p",{class:"cells"},o("span",{class:"dim"},"by turn "),e.slice(0,500).map(i=>Tt(o("span",{class:"\
cell small",title:i.call_id},k(i.reward,3)),i.reward,t)))}var Xf=360,em=200;async function hc(e,t,i){let n=Number(e.query.get("step")??0),r=e.query.get("split")??"train";e.title(
rn(t),{text:`step ${n}`,href:Ye(t,n)},{text:`group ${i}`});let a=(await Pn(t,{step:n,split:r,group:i,limit:em},e.signal)).
episodes.toSorted((P,D)=>P.sample-D.sample),u=a[0];if(!u){R(e.root,o("p",{class:"empty"},"This group has no episodes."));
return}let p=Mt(a.map(P=>P.reward)),m=o("div",{class:"beside"}),g=a.map(P=>gn(t,P,p)),b=0,v=()=>Math.max(1,Math.min(6,Math.
floor((document.documentElement.clientWidth-32)/Xf))),S=()=>{let P=a.slice(b,b+v());g.forEach((D,W)=>D.classList.toggle(
"here",W>=b&&W<b+P.length)),R(m,P.map(D=>tm(e,t,D)))},L=P=>{b=Math.min(Math.max(0,a.length-v()),Math.max(0,b+P*v())),S()};
e.key("ArrowLeft","samples before",()=>L(-1)),e.key("ArrowRight","next samples",()=>L(1)),R(e.root,o("div",{class:"bar"},
o("h1",null,`Group ${i}`),o("span",{class:"turn"},o("button",{title:"samples before (\u2190)","aria-label":"samples befo\
re",onclick:()=>L(-1)},"\u2190"),o("button",{title:"next samples (\u2192)","aria-label":"next samples",onclick:()=>L(1)},
"\u2192"))),o("p",null,"Task ",o("a",{href:B(["run",t,"episodes"],{task:u.task})},u.task)),o("div",{class:"cells"},g),m),
S()}function tm(e,t,i){let n=o("div",null);return Pe(e,n,async()=>{let r=await oi(t,i.id,e.signal);return[$r(r),Ii(r,1200)]}),
o("section",{class:"panel"},o("h2",null,o("a",{href:at(t,i.id)},`sample ${k(i.sample)}`)," ",Fn(i)),n)}function wc(e){let t=e.some(i=>i.model);return Oe([{title:"member",cell:i=>o("code",null,i.agent)},{title:"turns",right:!0,
cell:i=>k(i.turns)},{title:"prompt tokens",right:!0,cell:i=>k(i.prompt_tokens)},{title:"output tokens",right:!0,cell:i=>k(
i.output_tokens)},{title:"model's time",right:!0,cell:i=>fn(i.model_ms)},...t?[{title:"model",cell:i=>i.model??"the poli\
cy"},{title:"cost",right:!0,cell:i=>i.cost_usd?`$${k(i.cost_usd)}`:""}]:[],{title:"",wide:!0,cell:()=>""}],e)}var gc=200;
function vc(e){let t=e.calls??[];if(t.length===0)return(e.chains??[]).length>1?bc(e.chains):null;let i=new Set(t.map(g=>g.
call_id)),n=Wi(t,g=>g.parent&&i.has(g.parent)&&g.parent!==g.call_id?g.parent:""),r=[],s=new Set,a=(n.get("")??[]).map(g=>({
call:g,depth:0,branch:!1})).reverse();for(;a.length>0;){let g=a.pop();if(s.has(g.call.call_id))continue;s.add(g.call.call_id),
r.push(g);let b=n.get(g.call.call_id)??[],v=b.length>1;for(let S of b.toReversed())a.push({call:S,depth:g.depth+(v?1:0),
branch:v})}for(let g of t)s.has(g.call_id)||r.push({call:g,depth:0,branch:!1});let u=o("div",{class:"forest"}),p=g=>R(u,
r.slice(0,g).map(nm),r.length>g?o("button",{onclick:()=>p(g+gc)},`show more: ${Te(r.length-g,"call")} are left`):null);p(
gc);let m=(n.get("")??[]).length;return[o("p",{class:"dim"},`${Te(t.length,"call")} in ${Te(m,"tree")}. A branch goes on\
 from an earlier answer; what is not trained is marked.`),u,(e.chains??[]).length>0?bc(e.chains):null]}function nm({call:e,
depth:t,branch:i}){let n=!e.parent,r=[o("span",{class:"twig"},n?"\u25CF":i?"\u251C":"\u2502"),o("code",null,e.call_id),e.
agent?o("span",null,e.agent):null,e.auxiliary?o("span",{class:"badge warn"},"auxiliary"):null,e.train===!1&&!e.auxiliary?
o("span",{class:"badge"},"not trained"):null,e.finish&&e.finish!=="STOP"?o("span",{class:"dim"},Qe(e.finish)):null,o("sp\
an",{class:"dim"},`${k(e.prompt_tokens)} + ${k(e.output_tokens)} tokens`),o("span",{class:"oneline dim"},(e.text??"").slice(
0,200))],s=Ce(r,()=>e.text?$e(e.text):o("p",{class:"dim"},"(no words)"),!1,"callrow item"+(e.train===!1||e.auxiliary?" u\
ntrained":""));return s.style.setProperty("--depth",String(Math.min(t,24))),s}function bc(e){return Ce([o("b",null,"chai\
ns"),o("span",{class:"dim"},` ${e.length}`)],()=>Oe([{title:"chain",cell:t=>o("code",null,t.chain)},{title:"agent",cell:t=>t.
agent??""},{title:"trained",cell:t=>t.train===void 0?"unknown":t.train?"yes":"no"},{title:"reward",right:!0,cell:t=>k(t.
reward)},{title:"digest",wide:!0,cell:t=>o("code",{class:"short"},t.digest??"")}],e.slice(0,500)))}var yi=1500,im=150,rm=240,Sc=(e,t)=>e?.[t]??null;function Rr(e,t){let i=e.loss_mask?.[t];return i==null?null:i?1:0}function bn(e,t,i){
let n=Sc(e,i);return n===0&&Rr(t,i)===0?null:n}function Ec(e,t){let[i,n]=[bn(e.logprobs,e,t),bn(e.trainer_logprobs,e,t)];
return i===null||n===null?null:n-i}var sl=(e,t)=>e.reduce((i,n)=>Math.max(i,Math.abs(n)),t),xc=e=>({low:-sl(e,1),high:0}),
yc=[{name:"mask",label:"trained",value:Rr,scale:()=>Pr(1)},{name:"sampler",label:"log-probability, sampler",value:(e,t)=>bn(
e.logprobs,e,t),scale:xc},{name:"trainer",label:"log-probability, trainer",value:(e,t)=>bn(e.trainer_logprobs,e,t),scale:xc},
{name:"gap",label:"gap",value:Ec,scale:e=>Pr(sl(e,1e-6))},{name:"advantage",label:"advantage",value:(e,t)=>bn(e.advantages,
e,t),scale:e=>Pr(sl(e,1e-6))}],kc={trained:"The tokens of this episode are not on record: the framework has them. Adapte\
rs tell of some groups of the steps that their tokens_every names.",played:"Who played this episode gave no tokens: serv\
ed models do, where their blocks say tokens."};function Mc(e,t=!1){if(!e||e.length===0)return o("p",{class:"dim"},t?kc.played:
kc.trained);let i=o("div",null),n=s=>R(i,new ll(e[s]).element);if(n(0),e.length===1)return i;let r=o("select",{"aria-lab\
el":"row"},e.slice(0,500).map((s,a)=>o("option",{value:String(a)},`row ${a+1} of ${e.length}${s.chain?`: ${s.chain}`:""}`)));
return r.addEventListener("change",()=>n(Number(r.value))),[r,i]}var ll=class{constructor(t){this.row=t;this.text.addEventListener(
"mouseover",i=>this.point(i.target)),this.text.addEventListener("click",i=>this.point(i.target)),this.text.addEventListener(
"keydown",i=>{let n={ArrowRight:1,ArrowLeft:-1}[i.key];n!==void 0&&(i.preventDefault(),i.stopPropagation(),this.stand(this.
at<0?this.from:this.at+n))}),R(this.element,this.tabs,this.legend,this.overview,this.readout,this.text,this.pager),this.
draw(),this.tell(-1)}row;element=o("div",{class:"tokens"});measure=yc[0];from=0;text=o("div",{class:"row",dir:"auto",tabindex:0,
role:"group","aria-label":"tokens"});readout=o("div",{class:"readout",role:"status"});tabs=o("div",{class:"tabs"});overview=o(
"div",{class:"overview","aria-hidden":"true"});pager=o("div",{class:"pager"});legend=o("div",{class:"legend"});at=-1;get length(){
return this.row.ids.length}draw(){let{row:t,measure:i}=this,n=[],r=0;for(let p=0;p<this.length;p++){let m=i.value(t,p);m===
null?r++:n.push(m)}let s=i.scale(n);R(this.tabs,yc.map(p=>o("button",{class:"tab"+(p===i?" here":""),"aria-pressed":p===
i?"true":"false",onclick:()=>{this.measure=p,this.draw()}},p.label))),R(this.legend,n.length===0?o("p",{class:"unknown"},
`${i.label}: unknown for all tokens. This framework does not report it.`):this.ramp(s,n,r));let a=Math.min(this.length,this.
from+yi),u=[];for(let p=this.from;p<a;p++)u.push(this.token(p,i.value(t,p),s));R(this.text,u),this.text.children.item(this.
at-this.from)?.classList.add("here"),this.drawOverview(s,a),this.drawPager(a)}drawOverview(t,i){if(this.length<im)return;
let n=Math.ceil(this.length/rm),r=[];for(let s=0;s<this.length;s+=n){let a=this.extreme(s,Math.min(this.length,s+n)),u=o(
"i",{class:s<i&&s+n>this.from?"shown":""});u.addEventListener("click",()=>this.stand(Math.max(a,s))),r.push(Tt(u,a<0?null:
this.measure.value(this.row,a),t))}R(this.overview,r)}extreme(t,i){let[n,r]=[-1,-1];for(let s=t;s<i;s++){let a=this.measure.
value(this.row,s);a!==null&&Math.abs(a)>r&&([n,r]=[s,Math.abs(a)])}return n}ramp(t,i,n){if(this.measure.name==="mask"){let r=i.
reduce((s,a)=>s+a,0);return o("p",{class:"ramp"},o("i",{class:"one high"}),`${k(r)} trained`,o("i",{class:"one plain"}),
`${k(i.length-r)} not trained`,n>0?[o("i",{class:"hatched"}),`${k(n)} unknown`]:null,this.cutWords())}return o("p",{class:"\
ramp"},k(t.low,3),o("i",null),k(t.high,3),n>0?[o("i",{class:"hatched"}),`${k(n)} without a value`]:null,this.cutWords())}cutWords(){
let{total:t}=this.row;return!t||t<=this.length?null:o("span",{class:"badge warn"},`the first ${k(this.length)} of ${k(t)}\
 tokens`)}token(t,i,n){let r=this.row.text?.[t],s=o("span",{class:"token",data:{i:String(t)}},r==null?`\u27E8${this.row.
ids[t]}\u27E9`:sm(r));return r?.includes(`
`)&&s.classList.add("ends"),t===this.row.prompt_length&&s.classList.add("first"),Tt(s,i,n)}drawPager(t){let i=r=>{this.from=
Math.max(0,Math.min(r,this.length-1)),this.draw()},n=this.extreme(0,this.length);R(this.pager,o("button",{disabled:this.
from===0,onclick:()=>i(this.from-yi)},"\u2190"),o("span",null,`tokens ${k(this.from+1)} to ${k(t)} of ${k(this.length)}`),
o("button",{disabled:t>=this.length,onclick:()=>i(this.from+yi)},"\u2192"),o("button",{disabled:this.firstTrained()<0,onclick:()=>this.
stand(this.firstTrained())},"First trained"),n>=0&&this.measure.name!=="mask"?o("button",{onclick:()=>this.stand(n)},`La\
rgest ${this.measure.name==="gap"?"gap":"value"}`):null)}firstTrained(){for(let t=0;t<this.length;t++)if(Rr(this.row,t)===
1)return t;return-1}point(t){t instanceof HTMLElement&&t.dataset.i&&this.mark(Number(t.dataset.i))}stand(t){t<0||t>=this.
length||((t<this.from||t>=this.from+yi)&&(this.from=Math.floor(t/yi)*yi,this.draw()),this.mark(t),this.text.querySelector(
".here")?.scrollIntoView({block:"nearest"}))}mark(t){this.text.querySelector(".here")?.classList.remove("here"),this.text.
children.item(t-this.from)?.classList.add("here"),this.at=t,this.tell(t)}tell(t){let{row:i}=this,n=a=>a===null?o("span",
{class:"unknown"},fo):o("b",null,k(a)),r=t<0?null:Rr(i,t),s=t<0?null:Sc(i.turn_ids,t);R(this.readout,t<0?o("span",{class:"\
dim"},`${Te(this.length,"token")}: point at one for its values`):[o("span",null,"token ",o("b",null,k(t))," ",o("code",null,
Ai(i.text?.[t]??"")),o("span",{class:"dim"},` id ${i.ids[t]}`)),o("span",null,r===null?o("span",{class:"unknown"},"train\
ed: unknown"):r?"trained":"not trained"),s===null||s<0?null:o("span",null,"turn ",o("b",null,k(s+1))),o("span",null,"sam\
pler ",n(bn(i.logprobs,i,t))),o("span",null,"trainer ",n(bn(i.trainer_logprobs,i,t))),o("span",null,"gap ",n(Ec(i,t))),o(
"span",null,"advantage ",n(bn(i.advantages,i,t)))])}};function sm(e){return e===""?"\u2205":/^ +$/.test(e)?"\u2423".repeat(
e.length):Ai(e)}var Tc=150,lm=["queue","model","tool","reward","siblings","host"];function _c(e,t,i){if(e.length===0)return o("p",{class:"\
dim"},"No times are on record.");let n=Math.min(...e.slice(0,5e4).map(p=>p.start_ms)),r=Math.max(...e.slice(0,5e4).map(p=>p.
start_ms+p.ms)),s=Math.max(r-n,1e-9),a=o("div",{class:"waterfall"}),u=p=>R(a,e.slice(0,p).map(m=>am(m,n,s,i)),e.length>p?
o("button",{onclick:()=>u(p+Tc)},`show more: ${Te(e.length-p,"bar")} are left`):null);return u(Tc),[om(e),a,o("p",{class:"\
axis dim"},o("span",null,"0"),o("span",null,fn(s))),t==="sums"?o("p",{class:"dim"},"On record is how long each took in a\
ll, not when."):null]}function ol(e){return lm.includes(e)?e:"other"}function om(e){let t=new Map;for(let r of e)t.set(r.
part,(t.get(r.part)??0)+r.ms);let i=[...t.values()].reduce((r,s)=>r+s,0)||1,n=[...t].sort((r,s)=>s[1]-r[1]);return o("di\
v",null,o("div",{class:"stack","aria-hidden":"true"},n.map(([r,s])=>o("i",{class:"part "+ol(r),vars:{"--share":`${100*s/
i}%`}}))),o("p",{class:"chips"},n.map(([r,s])=>o("span",{class:"key"},o("i",{class:"swatch part "+ol(r)}),`${r==="tool"?
"environment":r} `,o("b",null,fn(s)),o("span",{class:"dim"},` ${Math.round(100*s/i)} %`)))))}function am(e,t,i,n){let r=(e.
turn?`turn ${e.turn}: `:"")+(e.label||e.part),s=100*(e.start_ms-t)/i,a=Math.max(.3,100*e.ms/i);return o("div",{class:"wa\
it",title:`${e.part}: ${r}, ${fn(e.ms)} from ${fn(e.start_ms-t)}`},e.turn&&n?o("button",{class:"name quiet",onclick:()=>n(
e.turn)},r):o("span",{class:"name"},r),o("span",{class:"lane"},o("i",{class:"part "+ol(e.part),vars:{"--left":`${Math.min(
s,99.7)}%`,"--share":`${Math.min(a,100)}%`}})),o("span",{class:"ms"},fn(e.ms)))}async function Pc(e,t,i){e.title(rn(t),{text:`episode ${i}`});let n=await oi(t,i,e.signal),r=n.episode,s=n.played?{text:"\
episodes",href:B(["run",t,"episodes"])}:{text:`step ${r.step}`,href:Ye(t,r.step,{split:r.split})};e.title(rn(t),s,{text:ji(
r)});let a=n.siblings??[],u=Ii(n);um(e,t,n),R(e.root,o("div",{class:"bar"},o("h1",{title:i},n.played?ji(r):`Step ${k(r.step)}\
, ${ji(r)}`),Fn(r),o("span",{class:"grow"}),(n.commands??[]).map(p=>An(p))),n.failure?o("div",{class:"trouble"},o("h2",null,
`Failed: ${Qe(n.failure.class)}`),$e(n.failure.detail??"")):null,n.limit?cm(n.limit):null,a.length>1?pm(t,n,a):null,o("d\
iv",{class:"episode"},o("div",null,me("Conversation",u),wm(n),gm(n),bm(n),Cc(me("Tokens",Mc(n.tokens?.rows,n.played!==void 0)))),
o("aside",null,me("Reward",$r(n),mm(n)),hm(n.madness??[]),dm(t,n),me("Where the time went",_c(n.times??[],n.times_are,pc(
u))),vm(n.attempts??[]),Lc("Environment's state",n.state),Lc("What the agent left",n.metadata),Qt===void 0?xm(e,t,i):null)))}
function cm(e){return o("div",{class:"trouble truncated"},o("h2",null,`Truncated: ${e.name}${e.value?` = ${e.value}`:""}`),
$e(`${e.words[0]?.toUpperCase()??""}${e.words.slice(1)}.`))}function um(e,t,i){let n=i.siblings??[],r=n.findIndex(a=>a.id===
i.episode.id),s=a=>{let u=n[r+a];u&&(location.hash=at(t,u.id))};e.key("ArrowLeft","sample before",()=>s(-1)),e.key("Arro\
wRight","next sample",()=>s(1)),e.key("b","the group side by side",()=>{location.hash=$i(t,i.episode.group,i.episode.step,
i.episode.split)}),e.key("o","open or fold all calls",()=>{let a=[...document.querySelectorAll(".conversation .message d\
etails")],u=!a.some(p=>p.open);for(let p of a)p.open=u}),e.key("c","copy the command that shows it in a terminal",()=>{document.
querySelector("main button.copy")?.click()})}function pm(e,t,i){let n=t.episode,r=Mt(i.map(s=>s.reward));return o("div",
{class:"siblings"},o("a",{href:$i(e,n.group,n.step,n.split)},`group ${n.group}`),o("div",{class:"cells"},i.slice(0,300).
map(s=>gn(e,s,r,s.id===n.id))))}function dm(e,t){let i=t.episode;return me("About",dn([["task",o("a",{href:B(["run",e,"e\
pisodes"],{task:i.task}),title:"this task through time"},i.task)],...fm(t),["turns",k(i.turns)],["tokens",k(i.tokens)],[
"took",Je(i.seconds)],["counts",t.played||!i.standing?null:Qe(i.standing)]]))}function fm(e){let t=e.episode;return e.played?
[["dataset",e.played.dataset],["policy",e.played.policy],["try",k(t.sample+1)],["environment's seed",e.seeds?.environment]]:
[["split",t.split==="validation"?"held-out":"training"],["step",k(t.step)],["sample",k(t.sample)]]}function mm(e){let t=[];
return e.played?null:(e.use&&t.push(`In training: ${Qe(e.use)}.`),e.why&&t.push(`Not trained because of: ${Qe(e.why)}.`),
e.masked&&!e.use&&t.push("It is masked: it counts in its group, and is not trained on."),e.drop_group&&t.push("Its group\
 is dropped."),t.length>0?o("p",{class:"dim"},t.join(" ")):null)}function hm(e){return e.length===0?null:me("Checks that\
 were not passed",e.slice(0,100).map(t=>o("p",null,o("span",{class:"badge warn"},t.check),` turn ${t.turn} of ${t.agent}\
: ${Qe(t.reason)} in its ${t.part}`,t.near?[", near ",o("code",null,t.near)]:null)))}function gm(e){return(e.members??[]).
length>0?me("Members",wc(e.members)):null}function bm(e){let t=vc(e);return t===null?null:Cc(me("Calls of the program",t))}
function Cc(e){return e.classList.add("late"),e}function wm(e){let t=e.own_steps??[];return t.length===0?null:me("The ag\
ent's own steps",t.slice(0,200).map((i,n)=>Ce(`step ${n+1}`,()=>Ii({episode:e.episode,messages:i.messages}))))}function vm(e){
return e.length<2&&!e.some(t=>t.class)?null:me("Attempts",e.slice(0,100).map(t=>o("div",{class:"attempt"},o("p",null,o("\
b",null,k(t.attempt))," ",Fn(t),o("span",{class:"dim"},t.started?` from ${$n(t.started)}`:"",t.seconds===void 0?"":`, ${Je(
t.seconds)}`)),t.detail?$e(t.detail,600):null)))}function Lc(e,t){return t==null?null:me(e,Ce("show",()=>$e(JSON.stringify(
t,null,2))))}function xm(e,t,i){return me("Private part of the task",Ce("show it: it holds the answer that no agent may \
see",()=>{let n=o("div",null);return Pe(e,n,async()=>{let r=await lr(t,i,e.signal);return $e(JSON.stringify("private"in r?
r.private:r,null,2))}),n}))}var ym=240;async function $c(e,t){e.title(rn(t),{text:"validations"});let i=o("div",null);R(e.root,o("div",{class:"bar"},
o("h1",null,"Validations"),km(e)),i),await Pe(e,i,()=>Sm(e,t))}var Gi=()=>{};function km(e){return e.key("ArrowLeft","va\
lidations before",()=>Gi(-1)),e.key("ArrowRight","later validations",()=>Gi(1)),o("span",{class:"turn"},o("button",{title:"\
validations before (\u2190)","aria-label":"validations before",onclick:()=>Gi(-1)},"\u2190"),o("button",{title:"later va\
lidations (\u2192)","aria-label":"later validations",onclick:()=>Gi(1)},"\u2192"))}async function Sm(e,t){let i=e.query.
get("cursor")??void 0,n=await Bl(t,i,e.signal);if(n.tasks.length===0)return o("p",{class:"empty"},"There are no validati\
ons of this run.");let r=o("div",null),s=()=>Math.max(1,Math.floor((document.documentElement.clientWidth-200)/ym)),a=Math.
max(0,n.steps.length-s()),u=()=>R(r,Em(t,n,n.steps.slice(a,a+s())));Gi=g=>{a=Math.min(Math.max(0,n.steps.length-s()),Math.
max(0,a+g*s())),u()},u();let p=["run",t,"validations"],m=()=>{n.next&&(location.hash=B(p,{cursor:n.next}))};return e.key(
"n","next page",m),[r,n.next||i?o("div",{class:"pager"},o("button",{disabled:!i,onclick:()=>{location.hash=B(p)}},"First\
 page"),o("button",{disabled:!i,onclick:()=>history.back()},"\u2190 Back"),o("button",{disabled:!n.next,onclick:m},"Next\
 page \u2192")):null]}function Em(e,t,i){let n=Mt(t.tasks.flatMap(r=>r.episodes.map(s=>s.reward)));return o("div",{class:"\
scroll"},o("table",{class:"answers"},o("thead",null,o("tr",null,o("th",null,"task"),i.map(r=>o("th",null,o("a",{href:Ye(
e,r,{split:"validation"})},`after step ${k(r)}`))))),o("tbody",null,t.tasks.map(r=>o("tr",{class:"item",data:{href:Ac(e,
r.task)}},o("th",null,o("a",{href:Ac(e,r.task)},r.task)),i.map(s=>o("td",null,r.episodes.filter(a=>a.step===s).map(a=>Tt(
o("a",{class:"cell answer",href:at(e,a.id)},o("b",null,k(a.reward,3),a.success===!0?" \u2713":""),o("span",null,xi(a.answer)||
"no answer")),a.reward,n)))))))))}var Ac=(e,t)=>B(["run",e,"episodes"],{task:t,split:"validation"});var Hr=o("main",{tabindex:"-1"}),ul=o("nav",{class:"crumbs","aria-label":"Where this is"}),cl=o("span",{class:"connectio\
n",role:"status"}),al=new AbortController;function Mm(){uo(),Rc(),Gt(document.body,[o("header",null,o("a",{class:"home",
href:B([])},"awhost"),ul,cl,o("button",{class:"quiet",title:"keys (?)","aria-label":"keys",onclick:()=>fs()},"?"),o("but\
ton",{class:"quiet",title:"light or dark (t)","aria-label":"light or dark",onclick:ws},"\u25D0")),Hr]),so(),pn("j","next\
 item",()=>ds(1)),pn("k","item before",()=>ds(-1)),pn("Enter","open or fold the item",()=>lo()),pn("/","go to the filter",
Tm),pn("u","up, to what this is part of",_m),pn("t","light or dark",ws),pn("?","these keys",()=>fs()),addEventListener("\
hashchange",()=>{Rc(),Dr()}),Dr()}function Rc(){let e=bs(location.hash);e&&(ls(e.token),history.replaceState(null,"",e.rest))}
function Tm(){Hr.querySelector("[data-filter]")?.focus()}function _m(){let e=ul.querySelectorAll("a");location.hash=e.item(
e.length-1)?.hash??B([])}function Dr(){if(al.abort(),al=new AbortController,ro(),Dc("off"),!jl()){Cm();return}let{path:e,
query:t}=gs(Qt!==void 0&&/^(#\/?)?$/.test(location.hash)?Qt:location.hash),i=Lm(t,al.signal),n=i.root;R(Hr,n),scrollTo(0,
0),Pm(i,e).catch(r=>{i.signal.aborted||R(n,vs(r,Dr))})}function Lm(e,t){return{root:o("div",{class:"view"}),signal:t,query:e,
key:(i,n,r)=>io(i,n,()=>{t.aborted||r()}),onLive:(i,n)=>{Qt===void 0&&ao(i,t,n,r=>{t.aborted||Dc(r)})},title:(...i)=>{document.
title=[...i].reverse().map(n=>n.text).concat("awhost").join(" \xB7 "),R(ul,i.map(n=>[o("span",{class:"slash","aria-hidde\
n":"true"},"/"),n.href?o("a",{href:n.href},n.text):o("span",{"aria-current":"page"},n.text)]))}}}async function Pm(e,t){
let[i,n,r,s]=t;if(i===void 0)return mo(e);if(i==="compare")return Ja(e);if(i==="run"&&n!==void 0){if(r===void 0)return rc(
e,n);if(r==="step"&&/^\d+$/.test(s??""))return il(e,n,Number(s));if(r==="episodes")return il(e,n,void 0);if(r==="group"&&
s!==void 0)return hc(e,n,s);if(r==="episode"&&s!==void 0)return Pc(e,n,s);if(r==="validations")return $c(e,n)}e.title({text:"\
not found"}),R(e.root,o("section",{class:"trouble"},o("h2",null,"There is no such view."),o("p",null,"The address was cu\
t off, or is of another version of awhost. ",o("a",{href:B([])},"All runs"))))}function Dc(e){cl.className="connection "+
e,R(cl,{live:"live",lost:"no connection, trying again",off:""}[e])}function Cm(){let e=o("input",{type:"password","aria-\
label":"token",autocomplete:"off",size:40}),t=o("form",null,e,o("button",null,"Open"));t.addEventListener("submit",i=>{i.
preventDefault();let n=e.value.trim();ls(bs(n.slice(Math.max(0,n.indexOf("#"))))?.token??n),Dr()}),R(Hr,o("section",{class:"\
trouble"},o("h2",null,"This page needs a token."),o("p",null,"Open the link that awhost ui prints, or paste the link or \
its token here. A tab keeps its token until it is closed."),t)),e.focus()}Mm();})();
