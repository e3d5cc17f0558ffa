/**
 * Sets light or dark before the first paint: from the address, else as stored for this tab, else the system's
 * preference. A blocking file of its own because the page's policy allows no inline script.
 */
const KEY = 'benchwatch.help.theme'
const theme = new URLSearchParams(location.search).get('theme')
if (theme === 'light' || theme === 'dark') sessionStorage.setItem(KEY, theme)
const isDark =
  (sessionStorage.getItem(KEY) ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
