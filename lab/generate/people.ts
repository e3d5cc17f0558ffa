import type { Role } from '@benchwatch/contract/vocabulary'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import { hash } from '@node-rs/argon2'
import type { Client } from 'pg'
import type { BenchData } from './bench-data.ts'
import { copyLines } from './copy-lines.ts'
import { fold } from './fold.ts'

export const PASSWORD = 'Bench-2026-loopback!'

export const logins: BenchData['logins'] = {
  admin: 'admin@bench.example',
  all: 'support@bench.example',
  one: 'customer@bench.example',
  sixty: 'region@bench.example',
}
/** The number of customers of the viewer "sixty", from large and small ones. */
const SIXTY = 60
const COLLEAGUES = 80
/** argon2id with the server's parameters: others would be hashed again at the first sign-in. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

interface Person {
  login: string
  name: string
  role: Role
  all?: boolean
  /** Null for users who never sign in. */
  hashed?: string | null
}

/** Adds the viewers, and the colleagues who own events. `insertScopes` adds the customers of the viewers later. */
export async function insertPeople(client: Client): Promise<void> {
  const passwordHash = await hash(PASSWORD, PARAMETERS)
  const person = ({ login, name, role, all = true, hashed = passwordHash }: Person) => [
    ...[login, name, fold(name), login, role, all, hashed],
  ]
  const first = ['Anders', 'Claire', 'Kenji', 'Hannah', 'Tomasz', 'Olivia', 'Rafael', 'Freja']
  const last = ['Björk', 'Dubois', 'Watanabe', 'Schmidt', 'Zieliński', 'Carter', 'Moreno', 'Holm', 'Ek', 'Nilsson']
  await copyLines(
    client,
    {
      table: 'app_user',
      columns: ['login', 'name', 'name_folded', 'email', 'role', 'all_customers', 'password_hash'],
    },
    [
      person({ login: logins.admin, name: 'Priya Raman', role: 'admin' }),
      person({ login: logins.all, name: 'Sofia Lindqvist', role: 'support' }),
      person({ login: logins.one, name: 'Elin Sandberg', role: 'customer', all: false }),
      person({ login: logins.sixty, name: 'Marcus Weber', role: 'service', all: false }),
      ...Array.from({ length: COLLEAGUES }, (_, index) =>
        person({
          login: `colleague-${index + 1}@bench.example`,
          name: `${first[index % first.length]} ${last[Math.floor(index / first.length) % last.length]}`,
          role: index % 2 === 0 ? 'support' : 'service',
          hashed: null,
        }),
      ),
    ],
  )
}

/** Gives the two limited viewers their customers: one of medium size, and sixty of every size. */
export async function insertScopes(client: Client, { seed }: { seed: string }): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT customer_id AS id FROM instrument GROUP BY 1 ORDER BY count(*) DESC, 1',
  )
  const bySize = rows.map(({ id }) => id)
  const random = seededRandom(`${seed}/scopes`)
  const sixty = new Set<number>()
  while (sixty.size < Math.min(SIXTY, bySize.length)) sixty.add(random.pick(bySize))
  const one = bySize[Math.floor(bySize.length / 20)]
  await client.query(
    `INSERT INTO user_customer (user_id, customer_id)
     SELECT u.id, c.id FROM app_user u JOIN unnest($2::int[]) AS c (id) ON true WHERE u.login = $1
     UNION ALL SELECT u.id, $4 FROM app_user u WHERE u.login = $3`,
    [logins.sixty, [...sixty], logins.one, one],
  )
}
