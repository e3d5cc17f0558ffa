import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { NotifiedPerson } from '../messages/notified-people.ts'
import { signIn } from '../product/fleet.ts'
import type { Answer, HttpClient } from '../product/http-client.ts'

/** Sign-ins at a time: each takes 50 ms of processor time. */
const AT_ONCE = 4

/**
 * Adds two field engineers who see everything, and a user for each customer, with the password of another user, and
 * signs them in through `client`.
 */
export async function addPeople(
  database: Client,
  { client, like }: { client: HttpClient; like: { userId: string; password: string } },
): Promise<{ engineers: [NotifiedPerson, NotifiedPerson]; watchers: { customer: number; token: string }[] }> {
  const { rows } = await database.query<{ id: number; login: string; customer: number | null }>(
    `WITH customers AS (SELECT id FROM customer),
     added AS (
       INSERT INTO app_user (login, email, role, all_customers, password_hash)
       SELECT n.login, '', n.role, n.role = 'service', u.password_hash FROM app_user u, (
         SELECT 'engineer-' || g || '@benchwatch.example' AS login, 'service' AS role FROM generate_series(1, 2) AS g
         UNION ALL SELECT 'watcher-' || id || '@customer.example', 'customer' FROM customers) AS n
       WHERE u.login = $1 RETURNING id, login, role),
     scoped AS (
       INSERT INTO user_customer SELECT a.id, c.id FROM added a
       JOIN customers c ON a.login = 'watcher-' || c.id || '@customer.example' RETURNING *)
     SELECT a.id, a.login, c.id AS customer FROM added a
     LEFT JOIN customers c ON a.login = 'watcher-' || c.id || '@customer.example' ORDER BY a.id`,
    [like.userId],
  )
  const people: { person: NotifiedPerson; customer: number | null }[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE).map(async ({ id, login, customer }) => ({
      person: { id: String(id), login, token: await signIn(client, { userId: login, password: like.password }) },
      customer,
    }))
    people.push(...(await Promise.all(some)))
  }
  const [anna, bo] = people.filter(({ customer }) => customer === null).map(({ person }) => person)
  if (!anna || !bo) throw new Error('Two field engineers are needed.')
  return {
    engineers: [anna, bo],
    watchers: people.flatMap(({ person, customer }) => (customer === null ? [] : { customer, token: person.token })),
  }
}

/** A person who claims one new event after the other, and tries again until it is answered. */
export class Claimer {
  readonly answers: Answer[] = []
  /** Events whose claim was answered 200. */
  readonly claimed: string[] = []
  readonly #options: { client: HttpClient; person: NotifiedPerson; everyMs: number; next: () => string | undefined }
  #stopping = false
  readonly #finished: Promise<void>

  /** `next` returns the id of an event that nobody has claimed. */
  constructor(options: {
    client: HttpClient
    person: NotifiedPerson
    everyMs: number
    next: () => string | undefined
  }) {
    this.#options = options
    this.#finished = this.#run()
  }

  /** Stops after the claim at hand. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#finished
  }

  async #run(): Promise<void> {
    const { client, person, everyMs, next } = this.#options
    while (!this.#stopping) {
      await pause(everyMs)
      const id = next()
      if (id === undefined) continue
      for (let isOver = false; !isOver; ) {
        const answer = await client.send({
          method: 'PUT',
          path: `/api/alarms/${id}`,
          token: person.token,
          body: JSON.stringify({ claimedBy: person.id }),
        })
        this.answers.push({ ...answer, body: '' })
        if (answer.status === 200) this.claimed.push(id)
        isOver = answer.status !== 0 && answer.status < 500
        if (!isOver) await pause(Math.max(100, (answer.retryAfterSeconds ?? 0) * 1000))
      }
    }
  }
}

/** Returns how many of these claims are not stored as those of this person. */
export async function lostClaims(
  database: Client,
  { claimed, person }: { claimed: readonly string[]; person: NotifiedPerson },
): Promise<number> {
  const { rows } = await database.query<{ stored: number }>(
    'SELECT count(*)::int AS stored FROM service_event WHERE id = ANY($1::bigint[]) AND claimed_by = $2',
    [claimed, Number(person.id)],
  )
  return claimed.length - (rows[0]?.stored ?? 0)
}
