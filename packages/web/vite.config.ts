import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { holdFirstLoad } from './first-load.ts'
import { mendFontkit } from './mend-fontkit.ts'

/**
 * Answers are checked by the server; a schema library in the browser would cost the first screen 86 kB. Development
 * loads it to check answers, so nothing but a look at the finished chunks tells whether it slipped into a build.
 */
function refuseSchemas(): Plugin {
  return {
    name: 'refuse-schemas',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const found = chunk.moduleIds.find((id) => /\/node_modules\/zod\//.test(id))
        if (found !== undefined) {
          this.error(`${chunk.fileName} holds ${found}. Import only types from the contract's schema files.`)
        }
      }
    },
  }
}

/** Text files get compressed twins, which the server sends to browsers that take them: no work per request. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const { fileName } of Object.values(bundle)) {
        if (!/\.(?:js|css|svg|json)$/.test(fileName)) continue
        const path = join(dir, fileName)
        const content = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(content))
      }
    },
  }
}

/**
 * A chunk for each module that several screens share, as the bundler makes them by itself, was 102 scripts for the list of
 * events. A group takes the modules that it matches with everything they import, unless an earlier group has it.
 */
const chunks = [
  { name: 'vendor', tags: ['$initial'], test: /\/node_modules\// },
  // The entries stay apart: each of the two pages runs its own alone.
  { name: 'start', tags: ['$initial'], test: (id) => !/\/kpi-embed\/|\/src\/main\.tsx$|\.html$/.test(id) },
  { name: 'login', test: /\/src\/routes\/login\.tsx$/ },
  { name: 'events', test: /\/src\/routes\/events\.tsx$/ },
  // The list asks for these as soon as it is painted.
  { name: 'event-rows', test: /\/(?:user-menu|event-row-details|event-description|confirm)\.tsx$/ },
  { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 4000 },
] satisfies Rolldown.CodeSplittingGroup[]

/** The server that `npm start` runs, with the same PORT. */
const server = `http://127.0.0.1:${process.env.PORT || 8080}`

export default defineConfig({
  root: import.meta.dirname,
  // A worker draws these; in development their reload would ask for a window.
  plugins: [
    react({ exclude: [/\/node_modules\//, /\/pdf-[a-z-]+\.tsx$/] }),
    refuseSchemas(),
    holdFirstLoad(),
    compress(),
  ],
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: server, ws: true }, '/dev': server },
  },
  // The decoder that woff-lib brings hangs on some fonts of reports.
  resolve: { alias: { 'brotli-lib/decode': join(import.meta.dirname, 'src/features/report/unpack-brotli.ts') } },
  // Reports are written in a worker; workers are built by plugins of their own, and prepared apart for development.
  worker: { format: 'es', plugins: () => [mendFontkit()] },
  optimizeDeps: { rolldownOptions: { plugins: [mendFontkit()] } },
  build: {
    target: 'es2022',
    sourcemap: false,
    // Fonts and icons as files: data: addresses are no fonts to our content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The console, and the built-in dashboard, which stands in a frame of it.
      input: ['index.html', 'kpi-embed/index.html'].map((page) => join(import.meta.dirname, page)),
      output: { codeSplitting: { groups: chunks } },
    },
  },
})
