import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { escapeHtml } from '../message-text.ts'
import { answerNotFound, pathOf } from './error-handler.ts'

/** Product name in the built pages: in the title and in the sentence for browsers without scripts. */
const USUAL_NAME = 'Benchwatch'

interface WebApp {
  /** Folder with index.html and assets/. */
  root: string
  /** Name of the product in this deployment, which replaces the built-in one. */
  product: string
  /** Name of a meta element and its content for the page, as JSON. */
  settings: { name: string; content: unknown }
  /** Folders of the build with their own index.html beside the console's; a folder that was not built is 404. */
  pages?: readonly string[]
}

/**
 * Serves the console: hashed files are cached forever, every other path gets index.html, because the console has its
 * own routes. Settings that the page needs before its first request are in a meta element of its head. An additional
 * page is served only at its folder's path; nothing else below it exists.
 */
export async function serveWebApp(
  app: FastifyInstance,
  { root, product, settings, pages = [] }: WebApp,
): Promise<void> {
  const metaElement = `<meta name="${settings.name}" content="${escapeHtml(JSON.stringify(settings.content))}">`
  // A function, because a replacement text would interpret dollar signs of a configured line as patterns.
  const readPage = async (path: string) =>
    (await readFile(join(root, path), 'utf8'))
      .replaceAll(USUAL_NAME, () => escapeHtml(product))
      .replace('</head>', () => `${metaElement}</head>`)
  const sendPage = (reply: FastifyReply, page: string) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  const page = await readPage('index.html')
  for (const folder of pages) {
    if (!existsSync(join(root, folder, 'index.html'))) continue
    const own = await readPage(join(folder, 'index.html'))
    app.get(`/${folder}/`, { schema: { hide: true } }, (_request, reply) => sendPage(reply, own))
    app.get(`/${folder}`, { schema: { hide: true } }, (_request, reply) => reply.redirect(`/${folder}/`))
  }
  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    // The unmodified page lacks the settings.
    globIgnore: ['index.html', ...pages.map((folder) => `${folder}/**`)],
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
      !path.startsWith('/assets/') &&
      !pages.some((folder) => path.startsWith(`/${folder}/`))
    if (!isPage) return answerNotFound(request, reply)
    return sendPage(reply, page)
  })
}
