import type { AddressInfo, Server } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/emulators/webhook-receiver.ts'
import { blockList, mayReach, post } from './post.ts'

const loopback = blockList(['127.0.0.0/8', '::1/128'])
const none = blockList([])
let receivers: WebhookReceiver[] = []
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()))
  receivers = []
})

async function receiver(): Promise<WebhookReceiver> {
  const started = await startWebhookReceiver()
  receivers.push(started)
  return started
}
const to = (url: string, over: Partial<Parameters<typeof post>[0]> = {}) =>
  post({ url, body: '{"a":1}', headers: { 'webhook-id': 'msg_1' }, allowed: loopback, timeoutMs: 5000, ...over })

describe('an address', () => {
  it.each([
    [
      '10.0.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
    ],
    [
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd00:ec2::254',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '2001:db8::1',
    ],
  ])('that is not public is refused: %s …', (...addresses) => {
    expect(addresses.filter((address) => mayReach(address, none))).toEqual([])
  })

  it('that is public is reached, and so is an allowed private network', () => {
    expect(mayReach('8.8.8.8', none)).toBe(true)
    expect(mayReach('2a00:1450:400f::1', none)).toBe(true)
    expect(mayReach('10.20.3.4', blockList(['10.20.0.0/16']))).toBe(true)
    expect(mayReach('10.21.3.4', blockList(['10.20.0.0/16']))).toBe(false)
  })
})

describe('a request', () => {
  it('carries headers and body, and returns the answer', async () => {
    const there = await receiver()
    there.answer = { status: 202, body: 'taken\u0000' }
    expect(await to(there.url)).toEqual({ status: 202, answer: 'taken\uFFFD', error: null })
    expect(there.requests).toMatchObject([
      { body: '{"a":1}', headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json; charset=utf-8' } },
    ])
  })

  it('does not reach a private network, neither by address nor by a name that leads there', async () => {
    const there = await receiver()
    const { port } = new URL(there.url)
    const addresses = [there.url, `http://localhost:${port}/`, `https://localhost:${port}/`, `https://[::1]:${port}/`]
    for (const url of [...addresses, `http://2130706433:${port}/`, `https://0x7f.1:${port}/`])
      expect(await to(url, { allowed: none })).toMatchObject({
        status: null,
        error: expect.stringMatching('private network'),
      })
    expect(there.requests).toEqual([])
  })

  it('leaves only by TLS, except to allowed networks', async () => {
    expect(await to('http://8.8.8.8/')).toMatchObject({ status: null, error: expect.stringMatching('private network') })
  })

  it('follows no redirect to the metadata of a cloud', async () => {
    const there = await receiver()
    there.answer = { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } }
    expect(await to(there.url)).toMatchObject({ status: 302, error: expect.stringMatching('redirects') })
    expect(there.requests.length).toBe(1)
  })

  it('gives up a receiver that hangs', async () => {
    const there = await receiver()
    there.answer = 'hang'
    expect(await to(there.url, { timeoutMs: 100 })).toEqual({
      status: null,
      answer: null,
      error: 'The receiver did not answer within 0.1 seconds.',
    })
  })

  it('has reached a receiver whose answer breaks off', async () => {
    const there = await receiver()
    there.answer = { status: 200, headers: { 'content-length': '100' }, body: 'taken' }
    expect(await to(there.url, { timeoutMs: 500 })).toEqual({ status: 200, answer: 'taken', error: null })
  })

  it('reads no more than the beginning of an answer of 10 MB', async () => {
    const there = await receiver()
    there.answer = { status: 200, body: Buffer.alloc(10_000_000, 'x') }
    expect(await to(there.url)).toEqual({ status: 200, answer: 'x'.repeat(1000), error: null })
  })

  it('refuses a certificate that is wrong', async () => {
    // This mail server speaks TLS with a certificate that it signed itself.
    const server = new SMTPServer({ secure: true })
    server.on('error', () => undefined)
    const { port } = (
      await new Promise<Server>((listens) => {
        const net = server.listen(0, '127.0.0.1', () => listens(net))
      })
    ).address() as AddressInfo
    const outcome = await to(`https://127.0.0.1:${port}/`)
    expect(outcome).toMatchObject({ status: null, error: expect.stringMatching('certificate .* not valid') })
    await new Promise<void>((done) => server.close(done))
  })

  it('says that a receiver is away, and that its name is unknown', async () => {
    const there = await receiver()
    await there.close()
    expect(await to(there.url)).toMatchObject({ error: 'The receiver could not be reached (ECONNREFUSED).' })
    expect(await to('https://nowhere.invalid/')).toMatchObject({
      error: 'The name of the receiver could not be resolved.',
    })
  })
})
