import { gzipSync } from 'node:zlib'
import type { Plugin, Rollup } from 'vite'

/** Maximum size (kB after gzip) and number of files that a browser loads before it paints a screen. */
const budgets = [
  { screen: '/src/routes/login.tsx', scripts: 200, styles: 30, files: 10 },
  { screen: '/src/routes/events.tsx', scripts: 240, styles: 30, files: 10 },
]

/** Entry point of the console. The embedded dashboard has its own. */
const CONSOLE = '/packages/web/src/main.tsx'

/**
 * Fails a build whose first screens are too heavy. Counts the entry point, the screen's chunk and everything they
 * import statically, so an import that should be lazy is caught before it ships.
 */
export function holdFirstLoad(): Plugin {
  return {
    name: 'hold-first-load',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const { screen, ...allowed } of budgets) {
          const loaded = filesOf(bundle, screen)
          const files = loaded.scripts.size + loaded.styles.size
          if (files > allowed.files) {
            this.error(
              `${screen} loads ${files} files, and ${allowed.files} are allowed: see the groups of vite.config.ts.`,
            )
          }
          for (const kind of ['scripts', 'styles'] as const) {
            const size = sizeOf(loaded[kind])
            if (size <= allowed[kind]) continue
            this.error(
              `${screen} loads ${size.toFixed(1)} kB of ${kind}, and ${allowed[kind]} are allowed. ` +
                `Use lazy() for everything that the first paint does not need; the largest modules: ${largest(loaded[kind])}.`,
            )
          }
        }
      },
    },
  }
}

interface LoadedFiles {
  scripts: Map<string, number>
  styles: Map<string, number>
}

function filesOf(bundle: Rollup.OutputBundle, screen: string): LoadedFiles {
  const loaded: LoadedFiles = { scripts: new Map(), styles: new Map() }

  function load(chunk: Rollup.OutputChunk) {
    if (loaded.scripts.has(chunk.fileName)) return
    loaded.scripts.set(chunk.fileName, gzipped(chunk.code))
    for (const style of chunk.viteMetadata?.importedCss ?? []) {
      const asset = bundle[style]
      if (asset?.type === 'asset') loaded.styles.set(style, gzipped(asset.source))
    }
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') load(imported)
    }
  }

  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const roots = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(CONSOLE) || id.endsWith(screen)))
  if (roots.length !== 2) throw new Error(`The chunks of ${CONSOLE} and ${screen} were not found`)
  for (const root of roots) load(root)
  return loaded
}

function gzipped(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length / 1000
}

function sizeOf(files: Map<string, number>): number {
  return [...files.values()].reduce((sum, size) => sum + size, 0)
}

function largest(files: Map<string, number>): string {
  const sorted = [...files].sort(([, one], [, other]) => other - one).slice(0, 5)
  return sorted.map(([name, size]) => `${name} ${size.toFixed(1)} kB`).join(', ')
}
