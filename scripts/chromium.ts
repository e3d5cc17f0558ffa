import fs from 'node:fs'
import path from 'node:path'
import { run } from './run.ts'

/** The first one draws pages without all that surrounds them in a window: a fifth less work for the same journeys. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** No Chromium, and no way to get one; the message says what to do. */
export class NoChromium extends Error {}

/**
 * The Chromium for the journeys: CHROMIUM_PATH, else the system's, else Playwright's own. Where there is none it is
 * installed: Debian's package when root on Debian, Playwright's download otherwise. Throws NoChromium.
 */
export async function findOrInstallChromium(say: (text: string) => void): Promise<string> {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (await works(given)) return given
    throw new NoChromium(`CHROMIUM_PATH is ${given}, which does not start as a Chromium: correct or clear it.`)
  }
  const present = await findOfSystem()
  if (present) return present
  if (isRootOnDebian()) {
    say('Installing Chromium from Debian …')
    await run(['apt-get', 'update', '-qq'])
    // Older Debians have the second one alone.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', name], {
        DEBIAN_FRONTEND: 'noninteractive',
      })
      const installed = await findOfSystem()
      if (installed) return installed
    }
  }
  const own = await findOfPlaywright()
  if (own) return own
  say('Installing the Chromium of Playwright …')
  await run(['playwright', 'install', 'chromium'])
  const downloaded = await findOfPlaywright()
  if (downloaded) return downloaded
  throw new NoChromium(
    'No Chromium was found and none could be installed: install chromium or google-chrome, or set CHROMIUM_PATH.',
  )
}

async function findOfSystem(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  for (const place of [...places, ...macPlaces]) if (await works(place)) return place
  return undefined
}

async function findOfPlaywright(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test')
  const place = chromium.executablePath()
  return (await works(place)) ? place : undefined
}

/** Asked and not only looked for: some systems ship a placeholder that tells where to get the real one. */
async function works(place: string): Promise<boolean> {
  if (!fs.existsSync(place)) return false
  const { code, output } = await run([place, '--version'])
  return code === 0 && /\d+\.\d+/.test(output)
}

function isRootOnDebian(): boolean {
  if (process.getuid?.() !== 0 || !fs.existsSync('/etc/os-release')) return false
  return /^ID="?debian"?$/m.test(fs.readFileSync('/etc/os-release', 'utf8'))
}
