import MiniSearch, { type SearchResult } from 'minisearch'
import { fold, searchOptions } from './search-options.ts'

/** Adds search to the help pages and exchanges messages with the console around the frame. */

const MOST_FOUND = 12
const THEME = 'benchwatch.help.theme'

const field = document.querySelector<HTMLInputElement>('#search')
const found = document.querySelector<HTMLElement>('#found')
const count = document.querySelector<HTMLElement>('#count')

// ── Search ──────────────────────────────────────────────────────────────────────────────────────────────────────────

let index: Promise<MiniSearch> | undefined

/** Loads the index when the user starts a search. Most pages are read without one. */
function readIndex(): Promise<MiniSearch> {
  index ??= fetch('search.json')
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`search.json: ${answer.status}`)
      return MiniSearch.loadJSON(await answer.text(), searchOptions)
    })
    .catch((error: unknown) => {
      index = undefined
      throw error
    })
  return index
}

async function search(): Promise<void> {
  if (!field || !found || !count) return
  const query = field.value.trim()
  if (query === '') return hide()
  let results: SearchResult[]
  try {
    const ready = await readIndex()
    results = ranked(ready, query)
  } catch {
    say('The search could not be loaded. Reload the page.')
    return
  }
  // The text has changed in the meantime; a newer search handles it.
  if (field.value.trim() !== query) return
  if (results.length === 0) return say(`No results for “${query}”. Try fewer or different words.`)
  const items = results.slice(0, MOST_FOUND).map((result) => item(result, query))
  const list = document.createElement('ul')
  list.append(...items)
  found.replaceChildren(list)
  found.hidden = false
  count.textContent = results.length === 1 ? '1 result' : `${results.length} results`
}

/**
 * Finds sections with all words of the query, in any form: 'close' finds 'Closing' as well. Titles that begin with the
 * query come first; the calls of the API, whose addresses match many words, come last.
 */
function ranked(ready: MiniSearch, query: string): SearchResult[] {
  const stems = fold(query).split(/\s+/).map(stemOf)
  const queries = query
    .split(/\s+/)
    .map((word, place) => ({ combineWith: 'OR' as const, queries: [word, stems[place] ?? word] }))
  return ready.search(
    { combineWith: 'AND', queries },
    {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 4, page: 2 },
      boostDocument: (_id, _term, stored) => {
        const title = fold(String(stored?.['title']))
        if (/^(?:get|post|put|patch|delete) \//.test(title)) return 0.3
        return title.startsWith(stems[0] ?? '') ? 1.5 : 1
      },
    },
  )
}

function stemOf(word: string): string {
  return word.replace(/(?<=.{4})(?:ing|ed|es|e|s)$/, '')
}

function item({ id, page, title, text }: SearchResult, query: string): HTMLLIElement {
  const link = document.createElement('a')
  link.href = String(id)
  const name = document.createElement('strong')
  name.textContent = String(title)
  link.append(name)
  if (page !== title) {
    const where = document.createElement('span')
    where.className = 'where'
    where.textContent = String(page)
    link.append(where)
  }
  const excerpt = document.createElement('span')
  excerpt.className = 'words'
  excerpt.textContent = around(String(text), query)
  link.append(excerpt)
  const line = document.createElement('li')
  line.append(link)
  return line
}

/** Returns an excerpt around the first match. */
function around(text: string, query: string): string {
  const first = query.toLowerCase().split(/\s+/)[0] ?? ''
  const at = Math.max(0, text.toLowerCase().indexOf(first) - 40)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const part = text.slice(start, start + 130)
  return `${start > 0 ? '… ' : ''}${part}${start + 130 < text.length ? ' …' : ''}`
}

function say(message: string): void {
  if (!found || !count) return
  const line = document.createElement('p')
  line.textContent = message
  found.replaceChildren(line)
  found.hidden = false
  count.textContent = message
}

function hide(): void {
  if (found) found.hidden = true
  if (count) count.textContent = ''
}

field?.addEventListener('focus', () => void readIndex().catch(() => undefined))
field?.addEventListener('input', () => void search())
// The user may have typed before this file arrived.
void search()
document.querySelector('.search')?.addEventListener('keydown', (event) => {
  if (!(event instanceof KeyboardEvent) || !found || found.hidden) return
  const links = [...found.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === 'Escape') {
    hide()
    field?.focus()
  } else if (event.key === 'Enter' && at < 0) links[0]?.click()
  else if (event.key === 'ArrowDown') links[at + 1]?.focus()
  else if (event.key === 'ArrowUp') (at <= 0 ? field : links[at - 1])?.focus()
  else return
  event.preventDefault()
})
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && (target.closest('.search') === null || target.closest('#found a'))) hide()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === field) return
  event.preventDefault()
  field?.focus()
})

// ── Messages to and from the console ────────────────────────────────────────────────────────────────────────────────

/** Reports the current page, so that the console can put it into its address. */
function reportPlace(): void {
  if (window.parent === window) return
  const page = document.documentElement.dataset['helpPage'] ?? ''
  const title = document.querySelector('h1')?.textContent ?? ''
  window.parent.postMessage({ kind: 'help-place', page, section: location.hash.slice(1), title }, location.origin)
}

window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
  if (origin !== location.origin || typeof data !== 'object' || data === null) return
  const { kind, theme } = data as { kind?: unknown; theme?: unknown }
  if (kind !== 'help-theme' || (theme !== 'light' && theme !== 'dark')) return
  sessionStorage.setItem(THEME, theme)
  document.documentElement.setAttribute('data-mantine-color-scheme', theme)
})
window.addEventListener('hashchange', reportPlace)
reportPlace()
// Opens a collapsed section that contains the target, and scrolls the page list to the current page.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })
