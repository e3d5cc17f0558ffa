import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { holdFirstLoad } from './first-load.ts'
import { mendFontkit } from './mend-fontkit.ts'

/**
 * Fails a build that contains a schema library, which would add 86 kB to the first screen; the server validates.
 * Development loads one to check answers, so only the finished chunks show whether it slipped in.
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
          this.error(`${chunk.fileName} contains ${found}. Import only types from the contract's schema files.`)
        }
      }
    },
  }
}

/** Writes compressed copies of text files, which the server sends without work per request. */
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
 * Groups modules into chunks. The bundler's default, one chunk per module that several screens share, produced 102
 * scripts for the event list. A group takes the modules that it matches and everything they import, unless an earlier
 * group has it.
 */
const chunks = [
  { name: 'vendor', tags: ['$initial'], test: /\/node_modules\// },
  // Excludes the entries, because each of the two pages only runs its own.
  { name: 'start', tags: ['$initial'], test: (id) => !/\/kpi-embed\/|\/src\/main\.tsx$|\.html$/.test(id) },
  { name: 'login', test: /\/src\/routes\/login\.tsx$/ },
  { name: 'events', test: /\/src\/routes\/events\.tsx$/ },
  // The event list loads these right after its first paint.
  { name: 'event-rows', test: /\/(?:user-menu|event-row-details|event-description|confirm|close-event-dialog)\.tsx$/ },
  { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 4000 },
] satisfies Rolldown.CodeSplittingGroup[]

/** The server that `npm start` runs, with the same PORT. */
const server = `http://127.0.0.1:${process.env.PORT || 8080}`

export default defineConfig({
  root: import.meta.dirname,
  // A worker draws these; in development the reload code would need a window.
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
  // The decoder bundled with woff-lib hangs on some report fonts.
  resolve: { alias: { 'brotli-lib/decode': join(import.meta.dirname, 'src/features/report/unpack-brotli.ts') } },
  // Reports are written in a worker; workers have their own plugins, and are pre-bundled separately in development.
  worker: { format: 'es', plugins: () => [mendFontkit()] },
  optimizeDeps: { rolldownOptions: { plugins: [mendFontkit()] } },
  build: {
    target: 'es2022',
    sourcemap: false,
    // Fonts and icons stay files, because the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The console, and the built-in dashboard that runs in a frame of it.
      input: ['index.html', 'kpi-embed/index.html'].map((page) => join(import.meta.dirname, page)),
      output: { codeSplitting: { groups: chunks } },
    },
  },
})
