import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Goal, Measure } from '../../measure/measure.ts'
import { repositoryRoot } from '../../repository.ts'
import { goals } from '../goals.ts'

const dist = join(repositoryRoot, 'packages/web/dist')

/**
 * Measures what a browser loads for a route, compressed by gzip: the page's own files and those of the route's chunk.
 */
export async function measureBundles(report: (measure: Measure) => void): Promise<void> {
  const boot = await bootFiles()
  const login = await filesOf('login', boot)
  const events = await filesOf('events', boot)
  const figure = (name: string, files: Set<string>, { ending, goal }: { ending: string; goal: Goal }) =>
    sizeOf([...files].filter((file) => file.endsWith(ending))).then((value) =>
      report({ group: 'bundles', name, unit: 'kB', value, goal }),
    )
  await figure('/login scripts, gz', login, { ending: '.js', goal: goals.loginScripts })
  await figure('/events scripts (boot and route), gz', events, { ending: '.js', goal: goals.eventsScripts })
  await figure('/events styles, gz', events, { ending: '.css', goal: goals.styles })
}

async function bootFiles(): Promise<Set<string>> {
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(([, file]) => file ?? [])
  const files = new Set<string>()
  for (const file of named) await addWithImports(file, files)
  return files
}

/**
 * Returns the boot files and those of a lazily loaded route: its chunk by name, and the files that the chunk's loader
 * names (`__vite__mapDeps` lists positions in one array of files).
 */
async function filesOf(route: string, boot: ReadonlySet<string>): Promise<Set<string>> {
  const files = new Set(boot)
  for (const script of boot) {
    if (!script.endsWith('.js')) continue
    const text = await readFile(join(dist, script), 'utf8')
    const list = /m\.f=(\[[^\]]*\])/.exec(text)?.[1]
    const known = list === undefined ? [] : (JSON.parse(list) as string[])
    const loader = new RegExp(
      `import\\([\`"']\\./(${route}-[\\w-]+\\.js)[\`"']\\)(?:\\.then\\([^)]*\\))?(?:,__vite__mapDeps\\(\\[([\\d,]*)\\])?`,
    ).exec(text)
    if (!loader) continue
    await addWithImports(`assets/${loader[1]}`, files)
    for (const position of (loader[2] ?? '').split(',').filter(Boolean)) {
      const file = known[Number(position)]
      if (file !== undefined) await addWithImports(file, files)
    }
    return files
  }
  throw new Error(`No chunk of the route ${route} was found in ${dist}: the names of its chunks have changed.`)
}

/** Adds a file and the scripts that it imports statically; scripts that are loaded later do not count. */
async function addWithImports(file: string, into: Set<string>): Promise<void> {
  if (into.has(file)) return
  into.add(file)
  if (!file.endsWith('.js')) return
  const text = await readFile(join(dist, file), 'utf8')
  for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)) {
    await addWithImports(`assets/${basename(imported ?? '')}`, into)
  }
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await readFile(join(dist, file)), { level: 9 }).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}
