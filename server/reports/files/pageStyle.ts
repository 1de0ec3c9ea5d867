import { inkOn, PRODUCT_ACCENT, readableAccent } from '#contract/reports/accent.ts'
import { palettes, type Theme } from '../../../charts/palettes.ts'

const RULES = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--canvas);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--brand);text-underline-offset:.2em}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
h1,h2,h3,p,dl,dd,ul,figure{margin:0}
h1,h2,h3{line-height:1.25;text-wrap:balance}
.cover{background:var(--bar);color:var(--on)}
.cover>div,main,body>footer{max-width:70rem;margin:0 auto;padding:0 1.25rem}
.cover>div{display:flex;flex-wrap:wrap;gap:1.5rem 2.5rem;justify-content:space-between;align-items:flex-end;padding-top:clamp(2rem,8vw,5rem);padding-bottom:clamp(1.5rem,5vw,2.75rem)}
.cover h1{font-size:clamp(1.75rem,5vw,2.75rem);letter-spacing:-.02em;max-width:44rem}
.cover .sub{font-size:1.125rem;margin-top:.5rem;max-width:44rem}
.cover ul{list-style:none;padding:0;margin-top:1.25rem;font-size:.9375rem}
.cover li:first-child{font-weight:600}
.logo{display:block;max-width:11rem;max-height:5rem;padding:.625rem;border-radius:.5rem;background:#fff}
main{padding-top:1.25rem;padding-bottom:1.5rem}
.pdf{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 1rem;border-radius:.5rem;border:1px solid currentColor;color:inherit;font-weight:600;text-decoration:none}
.pdf:hover{text-decoration:underline}
.pdf:focus-visible{outline-color:currentColor}
.files{display:flex;flex-direction:column;gap:1rem;align-items:flex-start}
.intro{border-left:3px solid var(--brand);padding:.25rem 0 .25rem .875rem;margin-bottom:1.25rem;font-size:.9375rem}
.intro p+p{margin-top:.25rem}
.row{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:1rem;margin-bottom:1rem}
.row>section{grid-column:span 6;background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;min-width:0}
h2{font-size:1.25rem;letter-spacing:-.01em}
h3{font-size:1rem;margin:0 0 .5rem}
.about,.notes,.base{color:var(--ink-muted);font-size:.875rem}
.about{margin-top:.125rem}
.part{margin-top:1rem}
.part:first-child{margin-top:0}
.notes{margin-top:1rem;border-top:1px solid var(--line);padding-top:.75rem}
.notes p+p{margin-top:.25rem}
.text>*+*{margin-top:.75rem}
.text ul{padding-inline-start:1.25rem}
.nothing{color:var(--ink-muted)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9.25rem),1fr));gap:.625rem;margin-top:.5rem}
.cards>div{background:var(--tint);border-radius:.5rem;padding:.75rem .875rem;min-width:0}
.cards dt{font-size:.875rem;color:var(--ink-muted)}
.cards dd{font-size:.8125rem;color:var(--ink-muted)}
.cards .value{font-size:1.25rem;line-height:1.4;font-weight:700;color:var(--ink);font-variant-numeric:tabular-nums}
.cards .change{color:var(--ink)}
.up::before{content:"\\25b2\\a0" / "";color:var(--ink-muted);font-size:.75em}
.down::before{content:"\\25bc\\a0" / "";color:var(--ink-muted);font-size:.75em}
.chart svg{display:block;max-width:100%;height:auto}
.narrow{display:none}
summary{cursor:pointer;display:inline-flex;align-items:center;min-height:2.25rem;color:var(--ink-muted);font-size:.875rem;text-decoration:underline;text-underline-offset:.2em}
.scroll{overflow-x:auto;margin:0 -1.25rem;padding:0 1.25rem}
table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums;overflow-wrap:normal}
th,td{padding:.5rem .625rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top;font-weight:400}
th:first-child,td:first-child{padding-inline-start:0}
th:last-child,td:last-child{padding-inline-end:0}
thead th{color:var(--ink-muted);font-weight:600;border-bottom-color:var(--line-strong);vertical-align:bottom}
tfoot th,tfoot td{font-weight:600}
.end{text-align:end;white-space:nowrap}
thead .end{white-space:normal}
.folded{min-width:9rem}
.long{min-width:14rem}
.folded>*,.long>*{overflow-wrap:anywhere}
.short{white-space:nowrap}
td a{color:inherit;text-decoration-color:var(--brand)}
.feed{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17.5rem),1fr));gap:1rem}
.feed>li{border:1px solid var(--line);border-radius:.5rem;overflow:hidden;display:flex;flex-direction:column}
.feed img,.blank{display:block;width:100%;height:auto;aspect-ratio:4/3;object-fit:cover;background:var(--tint)}
.blank{display:grid;place-items:center;color:var(--ink-muted);font-size:.875rem}
.feed .said{padding:.875rem;display:flex;flex-direction:column;gap:.375rem;flex:1}
.said .when{font-size:.875rem;color:var(--ink-muted)}
.said dl{display:grid;grid-template-columns:1fr auto;gap:.125rem .75rem;font-size:.875rem;margin-top:auto;padding-top:.375rem}
.said dt{color:var(--ink-muted)}
.said dd{font-weight:600;text-align:end;font-variant-numeric:tabular-nums}
body>footer{padding-top:.5rem;padding-bottom:2rem;color:var(--ink-muted);font-size:.875rem}
@media(min-width:50rem){.cards{grid-template-columns:repeat(auto-fill,minmax(min(100%,12.5rem),1fr))}.cards .value{font-size:1.5rem;line-height:1.3}.row>.w2{grid-column:span 2}.row>.w3{grid-column:span 3}.row>.w4{grid-column:span 4}}
@media(max-width:44rem){.wide{display:none}.narrow{display:block}.row>section{padding:1rem}.scroll{margin:0 -1rem;padding:0 1rem}.long{min-width:9rem}th:first-child{position:sticky;left:0;background:var(--surface);white-space:normal;min-width:6.5rem;max-width:9rem;overflow-wrap:break-word}}
@media print{.pdf,details{display:none}.row{display:block}.row>section{border:0;padding:0;margin-bottom:1.25rem}.cards>div,.feed>li,.chart,tr{break-inside:avoid}h2{break-after:avoid}.cover{print-color-adjust:exact;-webkit-print-color-adjust:exact}.scroll{overflow:visible}table{font-size:.75rem}th,td{padding:.25rem .375rem}.folded{min-width:6rem}.long{min-width:10rem}tfoot{display:table-row-group}}`

/** Besides the colors of charts: what is behind the blocks, and in their cards. Changes have no color: whether one is good depends on the figure, and on what is usual. */
const MORE: Record<Theme, Record<string, string>> = {
  light: { canvas: '#f6f8f9', tint: '#f3f6f7' },
  dark: { canvas: '#0a0f12', tint: '#182126' },
}

/** The style of a shared page: light or dark as the reader's system is, and light on paper. */
export function pageStyle(accent: string | null): string {
  const bar = accent ?? PRODUCT_ACCENT
  const colors = (theme: Theme): string =>
    Object.entries({ ...palettes[theme], ...MORE[theme], brand: readableAccent(accent, theme) })
      .map(([name, color]) => `--${name}:${color}`)
      .join(';')
  return `:root{color-scheme:light dark;--bar:${bar};--on:${inkOn(bar)};${colors('light')}}
@media screen and (prefers-color-scheme:dark){:root{${colors('dark')}}}
${RULES}`
}
