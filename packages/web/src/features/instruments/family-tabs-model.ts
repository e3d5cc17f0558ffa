import { ALL_FAMILIES } from './instruments.search.ts'

/** What a family of instruments is called on its tab; families are named as the server names them but for one. */
export function familyLabel(family: string): string {
  return family === 'WAVE 25' ? 'WAVE 25/Xuri' : family
}

/** The tabs: all, then the families that there are; the one that is chosen always, so that it is never out of sight. */
export function familyTabs(families: readonly string[], chosen: string): string[] {
  const known = families.includes(chosen) || chosen === ALL_FAMILIES ? families : [...families, chosen]
  return [ALL_FAMILIES, ...known]
}
