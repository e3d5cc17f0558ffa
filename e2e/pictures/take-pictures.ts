import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { DEMO_PASSWORD, people } from '../people.ts'
import { chromiumPath } from '../playwright.config.ts'
import { startProduct } from '../product.ts'
import { type Picture, pictures } from './pictures.ts'

/**
 * `npm run pictures`: writes the pictures of docs/help anew, from the demo data of a product of its own, or of the one
 * whose address is given, and of that only those that are named (`npm run pictures -- http://localhost:8080 map logs`).
 * Which pictures there are: pictures.ts.
 */
const folder = fileURLToPath(new URL('../../docs/help/pictures', import.meta.url))
/** Sharp enough to read, and a fifth of what the same picture takes as PNG. */
const QUALITY = 0.86

const [address, ...only] = process.argv.slice(2)
const product = address === undefined ? await startProduct() : undefined
const baseUrl = address ?? product?.baseUrl ?? ''
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
})
try {
  await mkdir(folder, { recursive: true })
  for (const picture of pictures) if (only.length === 0 || only.includes(picture.name)) await take(browser, picture)
} finally {
  await browser.close()
  await product?.stop()
}

async function take(from: Browser, picture: Picture): Promise<void> {
  const { name, who = 'service', width = 1440, height = 900 } = picture
  const context = await from.newContext({
    baseURL: baseUrl,
    locale: 'en-GB',
    timezoneId: 'Europe/Stockholm',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width, height },
  })
  const signedIn = await context.request.post('/api/auth/sign-in', {
    data: { userId: people[who], password: DEMO_PASSWORD },
  })
  if (!signedIn.ok()) throw new Error(`${people[who]} could not sign in: ${await signedIn.text()}`)
  const page = await context.newPage()
  const part = await picture.show(page)
  // Letters that arrive late would be drawn twice.
  await page.evaluate(() => document.fonts.ready)
  const png = await (part ?? page).screenshot({ animations: 'disabled', caret: 'hide' })
  const webp = await asWebp(page, png)
  await writeFile(join(folder, `${name}.webp`), webp)
  process.stdout.write(`${name}.webp  ${Math.round(webp.length / 1024)} kB\n`)
  await context.close()
}

/** Written by the browser itself, so that no library of pictures is needed. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const data = await page.evaluate(
    async ({ base64, quality }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = document.createElement('canvas')
      canvas.width = bitmap.width
      canvas.height = bitmap.height
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
      return canvas.toDataURL('image/webp', quality)
    },
    { base64: png.toString('base64'), quality: QUALITY },
  )
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}
