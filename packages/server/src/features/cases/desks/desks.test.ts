import { aServiceEvent } from '@benchwatch/samples/service-event'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../../config.ts'
import { type CaseDeskServer, startCaseDeskServer } from '../../../testing/emulators/case-desk-server.ts'
import { type CaseDesk, CaseDeskError } from '../case-desk.ts'
import { askDesk } from './ask-desk.ts'
import { createCaseDesk } from './desk-file.ts'

let server: CaseDeskServer
beforeEach(async () => {
  server = await startCaseDeskServer()
})
afterEach(() => server.close())

const kinds = ['servicenow', 'salesforce', 'rest'] as const
const never = new AbortController().signal

async function deskOf(kind: (typeof kinds)[number]): Promise<CaseDesk> {
  const desk = await createCaseDesk(readConfig({ CASE_DESK_FILE: await server.file(kind) }))
  if (!desk) throw new Error('The file names no desk.')
  return desk
}

const event = aServiceEvent({
  eventId: '7',
  severity: 'high',
  description: 'Pressure\nlimit {link}',
  userMessage: null,
})
const draft = { event, correlationId: '7', link: 'https://console.example/events/7' }

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => error,
  )

describe.each(kinds)('a case at %s', (kind) => {
  test('is created, and found by the number of its event', async () => {
    const desk = await deskOf(kind)
    expect(await desk.find('7', never)).toBeNull()
    const made = await desk.create(draft, never)
    expect(made).toMatchObject({ number: '10000001', correlationId: '7' })
    expect(made.url).toContain('https://cases.benchwatch.example/')
    expect(made.url).toContain('10000001')
    expect(await desk.find('7', never)).toEqual(made)
    expect(await desk.find('8', never)).toBeNull()
    expect(server.cases).toHaveLength(1)
  })

  test('whose answer is lost is found', async () => {
    const desk = await deskOf(kind)
    server.creations.push('lose')
    expect(await failureOf(desk.create(draft, never))).toMatchObject({ message: `${desk.name} could not be reached.` })
    expect(await desk.find('7', never)).toMatchObject({ number: '10000001' })
  })

  test.each([
    [401, 'refused the sign-in; an administrator must check it'],
    [503, 'is not available'],
    [302, 'redirected the request; an administrator must correct its address'],
    [400, 'refused the request; an administrator must check the fields'],
  ])('that is answered with %i fails with a sentence that names the desk', async (status, sentence) => {
    const desk = await deskOf(kind)
    server.refusal = status
    const error = await failureOf(desk.find('7', never))
    expect(error).toBeInstanceOf(CaseDeskError)
    expect((error as CaseDeskError).message).toBe(`${desk.name} ${sentence} (${status}).`)
  })
})

describe('the fields of a case', () => {
  test('of ServiceNow are title, facts and urgency, then those of the file', async () => {
    await (await deskOf('servicenow')).create(draft, never)
    expect(server.cases[0]?.fields).toMatchObject({
      short_description: 'ORC-7 Pressure limit {link}',
      urgency: '1',
      assignment_group: 'Field service',
      cmdb_ci: event.instrumentInstalledProductId,
      correlation_id: '7',
      correlation_display: 'Benchwatch',
    })
    const facts = String(server.cases[0]?.fields['description'])
    expect(facts).toContain(`Customer: ${event.enterpriseName}`)
    expect(facts).toContain('Console: https://console.example/events/7')
    expect(facts).not.toContain(event.contactName ?? 'no contact')
  })

  test('of Salesforce are title, facts and priority, then those of the file', async () => {
    await (await deskOf('salesforce')).create(draft, never)
    expect(server.cases[0]?.fields).toMatchObject({
      Subject: 'ORC-7 Pressure limit {link}',
      Priority: 'High',
      Origin: 'Benchwatch',
      SuppliedCompany: event.enterpriseName,
      Benchwatch_Event__c: '7',
    })
  })

  test('of another desk are those of the file, at any depth', async () => {
    await (await deskOf('rest')).create(draft, never)
    expect(server.cases[0]?.fields).toEqual({ title: 'ORC-7 Pressure limit {link}', labels: ['high', 7], ref: '7' })
  })
})

describe('a request to a desk', () => {
  const ask = (address: string, answerMs = 10_000) =>
    failureOf(askDesk(z.unknown(), { desk: 'Desk', address, headers: {}, stop: never, answerMs }))

  test('is given up after its time', async () => {
    server.creations.push('hold')
    const desk = await deskOf('rest')
    const address = `${server.url}/rest/tickets`
    const asked = askDesk(z.unknown(), {
      desk: desk.name,
      address,
      method: 'POST',
      headers: { 'x-token': 's3cret' },
      body: {},
      stop: never,
      answerMs: 50,
    })
    expect(await failureOf(asked)).toMatchObject({ message: 'Field desk did not answer within 0.05 seconds.' })
  })

  test('to a server that is gone says so', async () => {
    await server.close()
    expect(await ask(server.url)).toMatchObject({ message: 'Desk could not be reached.' })
  })

  test('reads no answer of more than a megabyte', async () => {
    const long = fastify()
    long.get('/', async () => 'x'.repeat(1_100_000))
    const address = await long.listen({ host: '127.0.0.1', port: 0 })
    expect(await ask(address)).toMatchObject({ message: 'The answer of the case desk is too long.' })
    await long.close()
  })

  test('that is answered by something else than JSON says so', async () => {
    const page = fastify()
    page.get('/', async (_request, reply) => reply.type('text/html').send('<p>Sign in</p>'))
    const address = await page.listen({ host: '127.0.0.1', port: 0 })
    const answer = z.object({ result: z.string() })
    const asked = askDesk(answer, { desk: 'Desk', address, headers: {}, stop: never })
    expect(await failureOf(asked)).toMatchObject({
      message: 'Desk gave an answer that can’t be read. An administrator must check the case desk.',
    })
    await page.close()
  })
})
