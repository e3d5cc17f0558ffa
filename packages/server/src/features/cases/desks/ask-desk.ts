import type { z } from 'zod'
import { CaseDeskError } from '../case-desk.ts'

const ANSWER_MS = 10_000
/** A case has a few kilobytes. */
const MOST_BYTES = 1_000_000
/** Characters of a refusal that the log keeps. */
const QUOTED = 300

export interface DeskRequest {
  /** As people call the desk. */
  desk: string
  address: string
  method?: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  /** Sent as JSON, or as a form. */
  body?: object | URLSearchParams
  stop: AbortSignal
  /** Milliseconds until the request is given up. */
  answerMs?: number
}

/**
 * Sends one request and returns its JSON answer, checked against the schema. Follows no redirect, because it would send
 * the secret to another host. Throws CaseDeskError.
 */
export async function askDesk<T>(schema: z.ZodType<T>, request: DeskRequest): Promise<T> {
  const { desk, address, method = 'GET', headers, body, stop, answerMs = ANSWER_MS } = request
  const late = AbortSignal.timeout(answerMs)
  const isForm = body instanceof URLSearchParams
  const { status, text } = await fetch(address, {
    method,
    headers: {
      accept: 'application/json',
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.any([stop, late]),
  })
    .then(async (answer) => ({ status: answer.status, text: await limitedText(answer) }))
    .catch((cause: unknown) => {
      if (cause instanceof CaseDeskError) throw cause
      const what = late.aborted ? `did not answer within ${answerMs / 1000} seconds` : 'could not be reached'
      throw new CaseDeskError(`${desk} ${what}.`, { cause })
    })
  if (status < 200 || status > 299) {
    throw new CaseDeskError(`${desk} ${refusal(status)} (${status}).`, { cause: new Error(text.slice(0, QUOTED)) })
  }
  const parsed = schema.safeParse(jsonOf(text))
  if (!parsed.success) {
    throw new CaseDeskError(`${desk} gave an answer that can’t be read. An administrator must check the case desk.`, {
      cause: parsed.error,
    })
  }
  return parsed.data
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return 'refused the sign-in; an administrator must check it'
  if (status === 429 || status >= 500) return 'is not available'
  if (status < 400) return 'redirected the request; an administrator must correct its address'
  return 'refused the request; an administrator must check the fields'
}

/** Returns the body of an answer; stops reading when it is too long. */
async function limitedText(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const parts: AsyncIterable<Uint8Array> | undefined = answer.body ?? undefined
  if (parts === undefined) return text
  for await (const part of parts) {
    text += decoder.decode(part, { stream: true })
    if (text.length > MOST_BYTES) throw new CaseDeskError('The answer of the case desk is too long.')
  }
  return text + decoder.decode()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
