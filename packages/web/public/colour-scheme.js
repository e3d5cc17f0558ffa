// Sets the colour scheme before anything is painted. Plain JavaScript that runs as it is: it must not wait for a bundle.
// The key is THEME_KEY of src/lib/storage.ts; the attribute is the one that the style sheets and Mantine read.
;(function setColourScheme() {
  var stored = null
  try {
    stored = window.localStorage.getItem('benchwatch.theme')
  } catch {
    // A browser that refuses storage follows the system.
  }
  var isDark = stored === 'dark' || (stored !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
