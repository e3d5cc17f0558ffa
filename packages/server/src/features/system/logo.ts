import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../db/connect.ts'

/** It stands in the head of every page that is loaded, so it is a small picture. */
const MOST_BYTES = 50_000

const mediaTypes: Record<string, string> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' }

/**
 * The picture at LOGO_FILE as an address that holds it, `data:image/svg+xml;base64,…`; null where none is configured. So a
 * logo needs no address of its own that anybody may ask, and browsers run nothing that an SVG may hold. Throws OperatorError.
 */
export async function readLogo({ logoFile }: Pick<Config, 'logoFile'>): Promise<string | null> {
  if (logoFile === null) return null
  const mediaType = mediaTypes[extname(logoFile).toLowerCase()]
  if (mediaType === undefined) throw new OperatorError(`LOGO_FILE is ${logoFile}: name a .svg, .png or .webp file.`)
  const picture = await readFile(logoFile).catch((error: Error) => {
    throw new OperatorError(`The logo can't be read, name another LOGO_FILE: ${error.message}`)
  })
  if (picture.length > MOST_BYTES) {
    throw new OperatorError(`LOGO_FILE has ${picture.length} bytes: make it smaller than ${MOST_BYTES}.`)
  }
  return `data:${mediaType};base64,${picture.toString('base64')}`
}
