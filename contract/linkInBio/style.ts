import { bioThemes, type BioThemeKey } from './themes.ts'

/** The same in every theme: one column, readable from 320 pixels and at 200 percent, with targets of at least 44 pixels. */
const rules = `*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;padding:clamp(2rem,6vh,4rem) 1.25rem 1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
header,main{width:100%;max-width:36rem}
header{text-align:center;margin-bottom:2rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;text-wrap:balance;margin:0}
header p{color:var(--soft);white-space:pre-line;text-wrap:pretty;max-width:30rem;margin:.5rem auto 0}
.face{display:grid;place-items:center;width:6.5rem;height:6.5rem;margin:0 auto 1rem;border-radius:50%;object-fit:cover;background:var(--button);color:var(--on);font-size:2.75rem;font-weight:700;line-height:1;box-shadow:0 0 0 1px var(--line),0 8px 24px #0002}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.875rem}
ul+h2+ul{margin-top:2rem}
li a{display:grid;place-items:center;text-align:center;unicode-bidi:plaintext;color:var(--on);background:var(--button);border:1px solid var(--line);border-radius:var(--round);text-decoration:none}
.links a{min-height:3.5rem;padding:.875rem 1.25rem;font-weight:600;box-shadow:0 1px 2px #0001,0 4px 14px #0001}
.posts{grid-template-columns:repeat(auto-fill,minmax(max(6.75rem,30%),1fr));gap:.5rem}
.posts a{position:relative;height:100%;border-radius:min(var(--round),14px);font-size:.875rem;line-height:1.3;font-weight:600}
.posts a::before{content:"";padding-top:100%}
.posts a>*,.posts a::before{grid-area:1/1}
.posts span{padding:.625rem}
a:has(img){border:0}
.posts img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;border-radius:inherit}
a[href]:hover{text-decoration:underline;text-underline-offset:.2em}
a:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
footer{margin-top:auto;padding-top:2.5rem}
footer a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .75rem;color:var(--soft);font-size:.875rem;text-underline-offset:.2em}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(prefers-reduced-motion:no-preference){li a{transition:transform .15s,box-shadow .15s}li a[href]:hover{transform:translateY(-2px);box-shadow:0 3px 6px #0002,0 10px 24px #0002}li a[href]:active{transform:none}}`

/** A page's whole style in a theme: the content of its one style element, to the byte, so that a policy can name its hash. */
export function bioStyle(key: BioThemeKey): string {
  const theme = bioThemes[key]
  return `:root{color-scheme:${theme.dark ? 'dark' : 'light'};--page:${theme.page};--ink:${theme.ink};--soft:${theme.soft};--button:${theme.button};--on:${theme.onButton};--line:${theme.line};--round:${theme.radius}px}
${rules}`
}
