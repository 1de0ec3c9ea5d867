// Runs before the first paint, so that a stored theme does not flash the other one. See web/ui/theme.ts.
try {
  var choice = localStorage.getItem('rookery.theme')
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice
} catch {
  // storage is switched off: the system's theme holds
}
