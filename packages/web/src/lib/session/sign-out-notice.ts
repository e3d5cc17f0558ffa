import { tabStore } from '../storage.ts'

/** Explains an unexpected sign-out. Kept in the tab until the next sign-in. */
export interface SignOutNotice {
  title: string
  message: string
}

const KEY = 'signOutNotice'

export function noteSignOut(notice: SignOutNotice): void {
  tabStore.write(KEY, notice)
}

export function forgetSignOut(): void {
  tabStore.remove(KEY)
}

export function signOutNotice(): SignOutNotice | null {
  const stored = tabStore.read(KEY) as Partial<SignOutNotice> | null
  if (typeof stored?.title !== 'string' || typeof stored.message !== 'string') return null
  return { title: stored.title, message: stored.message }
}
