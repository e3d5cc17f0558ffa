import type { CustomerSketch } from './customers.ts'

/** Invented people: given and family names of the region, with the Latin form that their mail address uses. */
interface NamePool {
  given: readonly string[]
  family: readonly string[]
  /** Country code and area for telephone numbers of this pool. */
  dialling: string
}

export const namePools: Record<CustomerSketch['people'], NamePool> = {
  nordic: {
    given: ['Maria', 'Jonas', 'Ingrid', 'Søren', 'Karin', 'Åsa', 'Lars', 'Freja', 'Elin', 'Mikkel'],
    family: [
      'Öberg',
      'Lindqvist',
      'Sjöström',
      'Kjær',
      'Nygård',
      'Håkansson',
      'Møller',
      'Ekström',
      'Rasmussen',
      'Wåhlin',
    ],
    dialling: '+46 18 555',
  },
  german: {
    given: ['Jürgen', 'Katrin', 'Stefan', 'Anke', 'Matthias', 'Heike'],
    family: ['Größmann', 'Schäfer', 'Köhler', 'Weiß', 'Brandt', 'Vogt'],
    dialling: '+49 6221 555',
  },
  english: {
    given: ['Aoife', 'Megan', 'Daniel', 'Priya', 'Marcus', 'Siobhán', 'Grace', 'Tyrone', 'Hannah', 'Owen'],
    family: [
      'O’Donoghue',
      'Whitfield',
      'Okafor',
      'Nair',
      'Brannigan',
      'Castellano',
      'Hargreaves',
      'Tran',
      'McAuley',
      'Sutherland',
    ],
    dialling: '+1 617 555',
  },
  french: {
    given: ['Élodie', 'Benoît', 'Chloé', 'Rémi', 'Sylvie', 'François', 'Amélie', 'Yannick'],
    family: ['Dufrêne', 'Lefèvre', 'Garnier', 'Béchard', 'Perrin', 'Chaumont', 'Vasseur', 'Noël'],
    dialling: '+33 4 55 50',
  },
  polish: {
    given: ['Agnieszka', 'Paweł', 'Małgorzata', 'Łukasz', 'Katarzyna', 'Michał'],
    family: ['Wójcik', 'Dąbrowska', 'Zieliński', 'Jabłońska', 'Kaczmarek', 'Święcicki'],
    dialling: '+48 22 555',
  },
  dutch: {
    given: ['Sanne', 'Bram', 'Lotte', 'Joost', 'Femke', 'Ruben', 'Mercè', 'Thijs'],
    family: ['van der Meer', 'de Wit', 'Hoekstra', 'Bakker', 'Peeters', 'Puig', 'Verhoeven', 'Dijkstra'],
    dialling: '+31 71 555',
  },
  italian: {
    given: ['Chiara', 'Luca', 'Beatrice', 'Niccolò', 'Reto', 'Martina', 'Urs', 'Elena'],
    family: ['Bianchi', 'Moretti', 'Caflisch', 'Rinaldi', 'Zumstein', 'Ferrero', 'Lüthi', 'D’Angelo'],
    dialling: '+41 61 555',
  },
  latin: {
    given: ['João', 'Luciana', 'Rafael', 'Inés', 'Thiago', 'Valentina'],
    family: ['Gonçalves', 'Araújo', 'Peñaloza', 'Figueiredo', 'Muñoz', 'Cardoso'],
    dialling: '+55 11 5555',
  },
  japanese: {
    given: ['Haruka', 'Kenji', 'Yūko', 'Takumi', 'Naomi', 'Shōta'],
    family: ['Nakagawa', 'Ōtsuka', 'Fujimoto', 'Hayashi', 'Morita', 'Kuroda'],
    dialling: '+81 78 555',
  },
  chinese: {
    given: ['Wei', 'Xiaoyan', 'Jianguo', 'Mei', 'Haoran', 'Lili'],
    family: ['Zhao', 'Lü', 'Huang', 'Xu', 'Song', 'Deng'],
    dialling: '+86 21 5550',
  },
}

/** Letters that do not decompose into a base letter and a mark. */
const folded: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }

/** `Søren Kjær` → `soren.kjaer`, as in mail addresses and user names. */
export function loginName(fullName: string): string {
  return fullName
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[øłßæđ]/g, (letter) => folded[letter] ?? letter)
    .replace(/[^a-z ]/g, '')
    .trim()
    .replace(/ +/g, '.')
}
