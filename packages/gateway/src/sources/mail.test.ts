import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { mail, mailSource } from './mail.ts'

const rules = [
  {
    when: { subject: '*ALARM*' },
    instrument: '{mailbox}',
    raise: {
      template: 'FRZ-{fields.Code}',
      component: '{fields.Part?}',
      key: '{fields.Code}',
      description: '{subject}',
    },
  },
  { when: { subject: '*OK*' }, instrument: '{mailbox}', clear: { key: '{fields.Code}' } },
  {
    when: { subject: 'Door*' },
    instrument: '{mailbox}',
    raise: { template: 'FRZ-9', component: 'Door', autoClear: '0s' },
  },
]
const warm = {
  from: 'freezer@lab.example',
  to: 'IP-1@benchwatch.example',
  subject: 'ALARM: Too warm',
  text: 'Code: 12\nPart = Compressor\nTemperature: -51.3 °C',
}

describe('a source of mail', () => {
  let outbox: MemoryOutbox
  let directory: string
  let port: number
  let running: { stop(): Promise<void> } | undefined

  beforeEach(async () => {
    outbox = new MemoryOutbox()
    directory = await mkdtemp(join(tmpdir(), 'mail-'))
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
    await rm(directory, { recursive: true })
  })

  async function begin(more: object = {}, context: object = {}) {
    port = await freePort()
    const config = mailSource.parse({ kind: 'mail', name: 'freezers', listen: `127.0.0.1:${port}`, rules, ...more })
    running = await mail(config)(outbox.context(context))
  }
  const sender = (more: object = {}) => createTransport({ host: '127.0.0.1', port, ...more })
  /** Sends a mail; returns the code of the answer. */
  const send = async (message: object, more: object = {}): Promise<number> =>
    sender(more)
      .sendMail({ ...warm, ...message })
      .then(({ response }) => Number.parseInt(response, 10))
      .catch((error: unknown) => {
        if (error instanceof Error && 'responseCode' in error) return Number(error.responseCode)
        throw error
      })

  it('reports what an instrument writes: an alarm once, until it says that it is over', async () => {
    await begin()
    expect(outbox.links.get('freezers')).toBe('up')
    const date = new Date('2026-11-20T13:00:00Z')
    expect([await send({ date }), await send({}), await send({ subject: 'OK again' })]).toEqual([250, 250, 250])
    expect(outbox.told()).toEqual(['raised Compressor', 'alarm.cleared'])
    expect(outbox.reports[0]).toMatchObject({
      subject: 'IP-1',
      data: { templateId: 'FRZ-12', description: 'ALARM: Too warm', logGeneratedAt: date.toISOString() },
    })
  })

  it('answers 250 only for reports on disk, and takes a repeated e-mail once', async () => {
    await begin()
    const door = { subject: 'Door open', messageId: '<door-1@lab.example>', date: new Date('2026-11-20T13:00:00Z') }
    outbox.isFull = true
    expect(await send(door)).toBe(451)
    outbox.isFull = false
    expect([await send(door), await send(door)]).toEqual([250, 250])
    expect(outbox.told()).toEqual(['raised Door', 'alarm.cleared'])
    expect(await send({ ...door, messageId: '<door-2@lab.example>' })).toBe(250)
    expect(outbox.told()).toHaveLength(4)
  })

  it('takes two equal e-mails for two if nothing in them says which one they are', async () => {
    await begin()
    const raw = 'Subject: Door open\r\n\r\nCode: 12\r\nPart: Door\r\n'
    const envelope = { from: 'f@lab.example', to: ['IP-1@b.example'] }
    expect([await send({ raw, envelope }), await send({ raw, envelope })]).toEqual([250, 250])
    expect(outbox.told().filter((type) => type === 'raised Door')).toHaveLength(2)
  })

  it('takes each recipient for itself, and a page without text', async () => {
    await begin()
    const { text, ...rest } = warm
    const html = text
      .split('\n')
      .map((line) => `<p>${line}</p>`)
      .join('')
    await sender().sendMail({ ...rest, html, to: ['IP-1@b.example', 'IP-2@b.example'] })
    expect(outbox.reports.map(({ subject }) => subject)).toEqual(['IP-1', 'IP-2'])
  })

  it('counts e-mails that it cannot use, says why, and continues', async () => {
    await begin({ maxBytes: 200_000 })
    expect(await send({ text: 'x\n'.repeat(150_000) })).toBe(552)
    expect(await send({ text: 'no fields' })).toBe(250)
    expect(await send({ to: 'no-such-id-ä@b.example' })).toBe(250)
    expect(await send({ subject: 'Newsletter' })).toBe(250)
    const attachments = Array.from({ length: 50 }, (_, index) => ({ filename: `${index}.csv`, content: 'NaN;NaN' }))
    expect(await send({ attachments, text: `${warm.text}\n${'x'.repeat(100_000)}` })).toBe(250)
    expect(outbox.faults).toEqual([
      'An e-mail from freezer@lab.example is larger than maxBytes (200000).',
      "Rule 1, raise: The message has no 'fields.Code'.",
      "Rule 1, instrument: 'no-such-id-ä' is not an installed product id.",
    ])
    expect(outbox.counts).toEqual({ unmatched: 1, faulty: 3 })
    expect(outbox.told()).toEqual(['raised Compressor'])
  })

  it('takes broken MIME and a broken date as what it can still read', async () => {
    await begin()
    const raw = [
      'Date: yesterday',
      'Subject: =?utf-8?B?QUxBUk0?= broken',
      'Content-Type: multipart/mixed; boundary="never"',
      '',
      '--never',
      'Content-Type: text/plain; charset=no-such',
      '',
      'Code: 12',
    ].join('\r\n')
    expect(await send({ raw, envelope: { from: 'f@lab.example', to: ['IP-1@b.example'] } })).toBe(250)
    expect(outbox.told()).toEqual(['raised Instrument'])
  })

  it('asks for its user', async () => {
    await writeFile(join(directory, 'password'), 'a-password-of-the-test\n')
    await begin({ user: { name: 'freezers', passwordFile: join(directory, 'password') } })
    const as = (user: string, pass: string) => send({}, { auth: { user, pass } })
    expect(await send({})).toBe(530)
    expect(await as('freezers', 'wrong')).toBe(535)
    expect(await as('other', 'a-password-of-the-test')).toBe(535)
    expect(await as('freezers', 'a-password-of-the-test')).toBe(250)
  })

  it('keeps nothing in a trial', async () => {
    await begin({}, { isTrial: true })
    expect(await send({})).toBe(451)
  })

  it('says that its port is taken', async () => {
    await begin()
    const config = mailSource.parse({ kind: 'mail', name: 'second', listen: `127.0.0.1:${port}` })
    await expect(mail(config)(outbox.context())).rejects.toThrow(
      `127.0.0.1:${port} can't be listened to (EADDRINUSE). Choose another address or port; ports below 1024 need a right.`,
    )
  })
})
