import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../config.ts'
import { createCaseDesk } from './desk-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchwatch-desk-file-'))
  await writeFile(join(folder, 'secret'), 'hush\n')
  await writeFile(join(folder, 'empty'), '\n')
})
afterAll(() => rm(folder, { recursive: true }))

const serviceNow = {
  kind: 'servicenow',
  name: 'ServiceNow',
  url: 'https://desk.service-now.com/',
  user: 'benchwatch',
  passwordFile: 'secret',
}

async function open(settings: object, environment: Record<string, string> = {}) {
  const file = join(folder, 'desk.yaml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify(settings).replaceAll(/"(secret|empty|nowhere)"/g, `"${folder}/$1"`))
  return createCaseDesk(readConfig({ CASE_DESK_FILE: file, CASE_URL_HOSTS: '*.service-now.com', ...environment }))
}

test('without a file there is no desk', async () => {
  expect(await createCaseDesk(readConfig({}))).toBeNull()
})

test('a desk is called what the file calls it', async () => {
  expect(await open(serviceNow)).toMatchObject({ name: 'ServiceNow', prefix: '' })
  expect(await open({ ...serviceNow, prefix: 'test-' })).toMatchObject({ prefix: 'test-' })
})

test.each([
  [{ ...serviceNow, url: 'http://desk.example' }, 'url: must begin with https, unless it leads to this machine'],
  [{ ...serviceNow, pasword: 'x' }, 'Unrecognized key: "pasword"'],
  [{ ...serviceNow, fields: { x: '{custommer}' } }, 'fields.x: {custommer} is not a placeholder'],
  [{ ...serviceNow, fields: { x: '{automaticEmail}' } }, 'fields.x: {automaticEmail} is not a placeholder'],
  [{ ...serviceNow, prefix: "x' OR" }, 'prefix: must consist of letters, digits, dots, hyphens and underscores'],
  [{ ...serviceNow, kind: 'jira' }, 'kind: '],
  [{ ...serviceNow, passwordFile: 'nowhere' }, 'no such file'],
  [{ ...serviceNow, passwordFile: 'empty' }, 'is empty. Write the password or token into it.'],
  [{ ...serviceNow, caseUrl: 'https://elsewhere.example/{id}' }, 'which CASE_URL_HOSTS does not allow'],
  [
    {
      kind: 'rest',
      name: 'Desk',
      url: 'https://desk.example',
      find: { path: '/cases' },
      create: { path: '/cases', body: { deep: { deeper: '{nothing}' } } },
      case: { number: 'n', correlationId: 'c' },
    },
    'find.path: must contain {correlationId}',
  ],
])('%j is refused with a sentence', async (settings, sentence) => {
  const refused = await open(settings).then(
    () => null,
    (error: unknown) => error,
  )
  expect(refused).toHaveProperty('forOperator', true)
  expect((refused as Error).message).toContain(sentence)
})
