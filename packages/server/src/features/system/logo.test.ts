import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PAGE_SETTINGS_META } from '@benchwatch/contract/page-settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { readLogo } from './logo.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>'
const held = `data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchwatch-logo-'))
  await writeFile(join(folder, 'index.html'), '<html><head><title>Console</title></head></html>')
  await writeFile(join(folder, 'logo.SVG'), SVG)
  await writeFile(join(folder, 'logo.png'), Buffer.from([0x89, 0x50]))
  await writeFile(join(folder, 'logo.gif'), 'GIF89a')
  await writeFile(join(folder, 'poster.png'), Buffer.alloc(50_001))
})
afterAll(() => rm(folder, { recursive: true }))

const read = (name: string) => readLogo({ logoFile: join(folder, name) })

test('a logo is a picture that the page holds; without one the product has its own', async () => {
  expect(await read('logo.SVG')).toBe(held)
  expect(await read('logo.png')).toBe('data:image/png;base64,iVA=')
  expect(await readLogo({ logoFile: null })).toBeNull()
})

test.each([
  ['missing.svg', 'The logo cannot be read. Choose another LOGO_FILE: '],
  ['logo.gif', 'name a .svg, .png or .webp file.'],
  ['poster.png', 'LOGO_FILE has 50001 bytes: make it smaller than 50000.'],
])('%s stops the start with a sentence', async (name, sentence) => {
  await expect(read(name)).rejects.toMatchObject({ message: expect.stringContaining(sentence), forOperator: true })
})

test('the page gets the name and settings of this deployment', async () => {
  const app = await testApp(await testDatabase(), {
    webRoot: folder,
    environment: {
      LOGO_FILE: join(folder, 'logo.SVG'),
      PRODUCT_NAME: 'Lab Console',
      DEPLOYMENT: 'china',
      COPYRIGHT: '© Lab "AB"',
      SUPPORT_EMAIL: 'help@lab.example',
      COMPANY_EMAIL_DOMAINS: 'lab.example',
    },
  })
  try {
    const { body: page } = await app.app.http.inject('/login')
    const [, told = ''] = new RegExp(`<meta name="${PAGE_SETTINGS_META}" content="([^"]*)">`).exec(page) ?? []
    expect(JSON.parse(told.replaceAll('&quot;', '"'))).toMatchObject({
      logo: held,
      copyright: '© Lab "AB"',
      supportEmail: 'help@lab.example',
      companyEmailDomains: ['lab.example'],
    })
    const { body } = await app.call('getAuthConfig')
    expect(body).toMatchObject({ product: 'Lab Console', deployment: 'china' })
  } finally {
    await app.close()
  }
})
