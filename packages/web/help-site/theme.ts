/**
 * Light or dark, before anything is drawn: what the console told in the address, else what it told this tab before, else
 * what the system prefers. A file of its own that blocks, because the page allows no script within itself.
 */
const KEY = 'benchwatch.help.theme'
const told = new URLSearchParams(location.search).get('theme')
if (told === 'light' || told === 'dark') sessionStorage.setItem(KEY, told)
const isDark =
  (sessionStorage.getItem(KEY) ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
