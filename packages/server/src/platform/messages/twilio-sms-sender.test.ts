import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTwilioServer, type TwilioServer } from '../../testing/emulators/twilio-server.ts'
import { DeliveryError } from './transports.ts'
import { twilioSmsSender } from './twilio-sms-sender.ts'

let server: TwilioServer
beforeAll(async () => {
  server = await startTwilioServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.answer = { status: 201 }
})

const account = () => ({ accountSid: 'AC123', authToken: 'tok:en', from: '+4670 1', apiUrl: `${server.url}/` })
const send = (answerMs?: number) =>
  twilioSmsSender(account()).send({ to: '+46701234567', text: '123456 is your code & it is ünique' }, answerMs)
const failure = (answerMs?: number) =>
  send(answerMs).then(
    () => null,
    (error: unknown) => error as DeliveryError,
  )

describe('a text message by Twilio', () => {
  it('is one form posted to the account, under its key', async () => {
    await send()
    expect(server.requests).toHaveLength(1)
    const [{ method, path, headers, body }] = server.requests as [TwilioServer['requests'][number]]
    expect([method, path]).toEqual(['POST', '/2010-04-01/Accounts/AC123/Messages.json'])
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded;charset=UTF-8')
    expect(headers.authorization).toBe(`Basic ${Buffer.from('AC123:tok:en').toString('base64')}`)
    expect([...new URLSearchParams(body)]).toEqual([
      ['To', '+46701234567'],
      ['From', '+4670 1'],
      ['Body', '123456 is your code & it is ünique'],
    ])
  })

  it.each([
    [{ status: 400, code: 21211 }, 'refused', 21211],
    [{ status: 400, code: 21614 }, 'refused', 21614],
    [{ status: 429, code: 20429 }, 'deferred', 20429],
    [{ status: 401, code: 20003 }, 'unreachable', 20003],
    [{ status: 500 }, 'deferred', 500],
    [{ status: 504 }, 'deferred', 504],
    [{ status: 503 }, 'unreachable', 503],
  ])('answered %j is %s', async (answer, kind, number) => {
    server.answer = answer
    const error = await failure()
    expect(error).toBeInstanceOf(DeliveryError)
    expect(error).toMatchObject({ failure: kind, answer: number })
    expect(error?.message).not.toContain('+4670')
  })

  it('does not follow an answer that leads elsewhere', async () => {
    server.answer = { status: 307, location: `${server.url}/elsewhere` }
    expect(await failure()).toMatchObject({ failure: 'unreachable' })
    expect(server.requests).toHaveLength(1)
  })

  it('that is not answered in time is wanted later, because it may have been sent', async () => {
    server.answer = 'hang'
    expect(await failure(50)).toMatchObject({ failure: 'deferred', answer: undefined })
  })

  it.each(['drop', 'reset'] as const)(
    'whose connection breaks after the request is wanted later: %s',
    async (answer) => {
      server.answer = answer
      expect(await failure()).toMatchObject({ failure: 'deferred', answer: undefined })
      expect(server.requests).toHaveLength(1)
    },
  )

  it('to which no connection comes about is unreachable', async () => {
    const gone = await startTwilioServer()
    await gone.close()
    const withoutTls = createServer((socket) => socket.once('data', () => socket.destroy()))
    await new Promise<void>((resolve) => withoutTls.listen(0, '127.0.0.1', resolve))
    const { port } = withoutTls.address() as AddressInfo
    for (const apiUrl of [gone.url, 'http://twilio.invalid', `https://127.0.0.1:${port}`]) {
      const sent = twilioSmsSender({ ...account(), apiUrl }).send({ to: '+46701234567', text: 'Hello' })
      await expect(sent).rejects.toMatchObject({ failure: 'unreachable', answer: undefined })
    }
    withoutTls.close()
  })
})
