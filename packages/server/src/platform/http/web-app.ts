import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { answerNotFound, pathOf } from './error-handler.ts'

interface WebApp {
  /** Folder with index.html and assets/. */
  root: string
  /** Name of a meta element and what it tells the page, as JSON. */
  settings: { name: string; content: unknown }
}

/**
 * Serves the console: files with a hash in their name for ever, everything else by index.html, because the paths of
 * the console are its own. What the page must know before it asks anything stands in its head as a meta element.
 */
export async function serveWebApp(app: FastifyInstance, { root, settings }: WebApp): Promise<void> {
  const told = `<meta name="${settings.name}" content="${escape(JSON.stringify(settings.content))}">`
  // By a function: a replacement text would read the dollar signs of a configured line as patterns.
  const page = (await readFile(join(root, 'index.html'), 'utf8')).replace('</head>', () => `${told}</head>`)
  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    // The page without what it must be told.
    globIgnore: ['index.html'],
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        path.startsWith(join(root, 'assets', sep)) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !path.startsWith('/api') &&
      !path.startsWith('/assets/')
    if (!isPage) return answerNotFound(request, reply)
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
