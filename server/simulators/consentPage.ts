/** The page on which a person allows an app: marked as simulated, a choice of account, one button. No scripts. */
export function consentPage({
  label,
  accounts,
  scopes,
  query,
}: {
  label: string
  accounts: { id: string; name: string; detail: string }[]
  scopes: string[]
  query: Record<string, string>
}): string {
  const hidden = Object.entries(query).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const choices = accounts.map(
    ({ id, name, detail }, i) =>
      `<label><input type="radio" name="sim_account" value="${escaped(id)}"${i === 0 ? ' checked' : ''}><span><b>${escaped(name)}</b><small>${escaped(detail)}</small></span></label>`,
  )
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated ${escaped(label)}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f4f5, #101012) }
main { width: min(24rem, calc(100vw - 2rem)); padding: 1.5rem; box-sizing: border-box; border-radius: 12px; background: light-dark(#fff, #1b1b1f); border: 1px solid light-dark(#e4e4e7, #2e2e33) }
mark { font-size: 12px; padding: .15rem .5rem; border-radius: 99px; background: #fde68a; color: #713f12 }
h1 { font-size: 1.15rem; margin: .75rem 0 1rem } fieldset { border: 0; padding: 0; margin: 0 0 1rem; display: grid; gap: .5rem } legend { padding: 0 0 .25rem }
label { display: flex; gap: .6rem; align-items: center; padding: .5rem .75rem; border: 1px solid light-dark(#e4e4e7, #2e2e33); border-radius: 8px } small { display: block; color: light-dark(#52525b, #a1a1aa) }
ul { margin: 0 0 1.25rem; padding-left: 1.1rem; color: light-dark(#52525b, #a1a1aa); font-size: 13px; overflow-wrap: anywhere }
button { font: inherit; font-weight: 600; width: 100%; padding: .6rem; border: 0; border-radius: 8px; background: #4338ca; color: #fff } a { display: block; text-align: center; margin-top: .75rem; color: inherit }
</style>
<main><mark>Simulated ${escaped(label)}</mark><h1>Let Rookery act for an account?</h1>
<form method="get">${hidden.join('')}<fieldset><legend>Account</legend>${choices.join('')}</fieldset>
<div>It asks for:</div><ul>${scopes.map((scope) => `<li>${escaped(scope)}</li>`).join('')}</ul>
<button>Allow</button></form><a href="?${escaped(new URLSearchParams({ ...query, sim_deny: '1' }).toString())}">Cancel</a></main></html>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
