import type { User } from '@benchwatch/contract/users/users'
import { folded } from '../../lib/folded.ts'

/** Users in one dropdown; typing more narrows the list. */
const MOST = 25

/** Returns the users whose name or address contains every word of `search`, ignoring case and accents. */
export function foundUsers(users: readonly User[], search: string): User[] {
  const words = folded(search).split(/\s+/)
  return users
    .filter(({ name, email }) => words.every((word) => folded(`${name} ${email ?? ''}`).includes(word)))
    .slice(0, MOST)
}
