import { Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { describeContract } from './api-description.ts'

const description = () => describeContract({ product: 'Benchwatch', version: '1.2.3' })

async function findings(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[oas as never, 'recommended']] })
  return (await spectral.run(document as never)).map(({ code, path }) => `${code}: ${path.join(' ')}`)
}

/** A websocket is answered by 101, which OpenAPI allows but the linter does not. */
const switchesProtocols = 'operation-success-response: paths /api/live get responses'

test('the description of the API has nothing that Spectral objects to', async () => {
  expect(await findings(await description())).toEqual([switchesProtocols])
})

test('the linter sees what is wrong', async () => {
  const document = (await description()) as { paths: Record<string, object>; info: object }
  const broken = { ...document, paths: { ...document.paths, '/api/broken/{id}': { get: { responses: {} } } } }
  expect(await findings(broken)).toContain('operation-operationId: paths /api/broken/{id} get')
})
