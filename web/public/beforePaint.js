// Runs before the first paint: see the page outline in index.html, and web/ui/theme.ts.
try {
  var choice = localStorage.getItem('rookery.theme')
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice
} catch {
  // storage is switched off: the system's theme applies
}
// pages of a project have the rail, all others stand alone
if (/^\/[^/]+\/project\//.test(location.pathname)) document.documentElement.dataset.outline = 'project'
// a script or stylesheet of the page that doesn't arrive: the outline says so instead of waiting forever
addEventListener(
  'error',
  function (event) {
    var element = event.target
    if (element instanceof HTMLScriptElement || element instanceof HTMLLinkElement)
      document.documentElement.dataset.outline = 'failed'
  },
  true,
)
