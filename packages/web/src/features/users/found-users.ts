import type { User } from '@benchwatch/contract/users'
import { folded } from '../../lib/folded.ts'

/** People in one dropdown; who does not find theirs types more of the name. */
const MOST = 25

/** The people whose name or address holds every word of `search`, whatever its case and accents. */
export function foundUsers(users: readonly User[], search: string): User[] {
  const words = folded(search).split(/\s+/)
  return users
    .filter(({ name, email }) => words.every((word) => folded(`${name} ${email ?? ''}`).includes(word)))
    .slice(0, MOST)
}
