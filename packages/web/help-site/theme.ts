/**
 * Sets light or dark before the first paint: from the address, else as stored for this tab, else the system's
 * preference. A blocking file of its own because the page's policy allows no inline script.
 */
const KEY = 'benchwatch.help.theme'
const told = new URLSearchParams(location.search).get('theme')
if (told === 'light' || told === 'dark') sessionStorage.setItem(KEY, told)
const isDark =
  (sessionStorage.getItem(KEY) ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
