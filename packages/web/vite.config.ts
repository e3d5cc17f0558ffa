import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

/** The server that `npm start` runs. */
const server = 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), refuseSchemas()],
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: server, ws: true }, '/dev': server },
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    // Fonts and icons as files: data: addresses are no fonts to our content security policy.
    assetsInlineLimit: 0,
  },
})
