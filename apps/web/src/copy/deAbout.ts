import type { AboutTexts } from './enAbout.ts'
import { rich } from './rich.ts'

const plurals = new Intl.PluralRules('de')
const many = (count: number, one: string, other: string) => `${count} ${plurals.select(count) === 'one' ? one : other}`

/** The texts of the contracts, the status, a market maker's page and an unknown page in German. */
export const deAbout: AboutTexts = {
  contracts: {
    onChain: (chain, id) => `Auf ${chain} (Chain ${id}).`,
    onDevnet: (chain, id) => `Auf einem lokalen Devnet, das ${chain} (Chain ${id}) nachbildet.`,
    address: 'Adresse',
    owner: 'Eigentümer',
    source: 'Quellcode',
    audits: 'Audits',
    noOwner: 'Kein Eigentümer: Niemand kann ihn ändern.',
    ownerPowers: 'Kann Märkte und Laufzeiten hinzufügen. Kann kein Geld bewegen und keine offenen Positionen ändern.',
    ownerUnread: 'Verbinden Sie eine Wallet, um die Adresse des Eigentümers von der Blockchain zu lesen.',
    ownerFailed: 'Der Eigentümer konnte nicht gelesen werden.',
    code: 'Code im Block-Explorer',
    noAudits: 'Bisher keine.',
    morphoAudits: 'Von Morpho, in dessen Repository',
    names: {
      quoteMarket: {
        name: 'QuoteMarket',
        purpose: 'Prüft die Signatur eines Makers und nimmt sein Angebot an. Ihre Freigaben gelten für diesen Vertrag.',
      },
      interestRatePool: {
        name: 'InterestRatePool',
        purpose: 'Hält jede Position und das dafür gesperrte Geld, bis sie abgerechnet ist.',
      },
      bundler3: {
        name: 'Bundler3',
        purpose: 'Der Vertrag von Morpho, der mehrere Schritte zu einer Transaktion zusammenfasst.',
      },
      keeperBundler: { name: 'KeeperBundler', purpose: 'Rechnet viele fällige Positionen auf einmal ab.' },
    },
  },

  status: {
    component: 'Komponente',
    state: 'Zustand',
    detail: 'Details',
    caption: 'Die Komponenten des Dienstes und ihr Zustand',
    states: { ok: 'OK', degraded: 'Eingeschränkt', down: 'Ausgefallen', unknown: 'Unbekannt' },
    since: (clock) => `seit ${clock}`,
    names: {
      service: 'Dienst',
      database: 'Datenbank',
      node: 'Blockchain-Node',
      sync: 'Abgleich mit der Blockchain',
      clock: 'Uhr',
      makers: 'Market Maker',
    },
    responding: (version) => `Version ${version}`,
    silent: 'Keine Antwort',
    writable: 'Nimmt Schreibzugriffe an',
    readOnly: 'Nimmt keine Schreibzugriffe an',
    head: (block, age) => `Block ${block}, ${age} alt`,
    headAhead: (block) => `Block ${block}`,
    noHead: 'Keine Antwort',
    synced: (block) => `Abgeglichen bis Block ${block}`,
    notSynced: 'Noch nicht abgeglichen',
    clockBehind: (time) =>
      `${time}. Die Uhr des Dienstes geht gegenüber der Blockchain nach. Manche Angebote sind womöglich abgelaufen.`,
    makers: (connected, auctions) =>
      `${connected} verbunden, ${many(auctions, 'laufende Auktion', 'laufende Auktionen')}`,
    network: (chain, id) => `Netzwerk: ${chain} (Chain ${id}).`,
    watching: (clock) => `Seit ${clock} alle 5 Sekunden geprüft.`,
    raw: 'Rohdaten:',
    health: 'Zustand',
    config: 'Konfiguration',
    proofs: 'Nachweis prüfen',
  },

  maker: {
    title: 'Market Maker',
    tab: (address) => `Maker ${address}`,
    locked: 'Derzeit gesperrt',
    lockedSource: (positions, block) =>
      `In ${many(positions, 'offenen Position', 'offenen Positionen')} auf der Blockchain, bei Block ${block}`,
    fills: 'Abschlüsse',
    fillsSource: (settled) => `Positionen auf der Blockchain, davon ${settled} abgerechnet`,
    volume: 'Volumen',
    volumeSource: 'Festgeschriebene Beträge aller Abschlüsse',
    published: 'Veröffentlichte Angebote',
    publishedSource: (takeable) => `Vom Dienst, davon ${takeable} jetzt verfügbar`,
    atLeast: (figure) => rich`mindestens ${figure}`,
    nothing: '0',
    byMarket: 'Veröffentlichte Angebote nach Markt',
    caption: 'Veröffentlichte Angebote nach Markt, mit dem besten Zins',
    quotes: 'Angebote',
    sizes: 'Beträge',
    between: (least, most) => rich`${least} bis ${most}`,
    best: 'Bester Zins',
    bestFor: (size, day) => rich`für ${size} bis ${day}`,
    none: 'Keine veröffentlichten Angebote',
    noneWhy: 'In Auktionen kann dieser Maker trotzdem antworten.',
    auctions: 'Angebote in den letzten Auktionen',
  },

  notFound: {
    title: 'Seite nicht gefunden',
    lead: (path) => `Unter ${path} gibt es nichts.`,
    looksLike: {
      auction: (link) => rich`Das sieht nach der ID einer Auktion aus. ${link}`,
      quote: (link) => rich`Das sieht nach dem Hash eines Angebots aus. ${link}`,
      position: (link) => rich`Das sieht nach der Nummer einer Position aus. ${link}`,
      account: (link) => rich`Das sieht nach der Adresse eines Kontos aus. ${link}`,
      page: (link) => rich`Meinten Sie ${link}?`,
    },
    open: {
      auction: 'Auktion öffnen',
      quote: 'Angebot prüfen',
      position: 'Position öffnen',
      account: 'Seite des Makers öffnen',
    },
    instead: 'Weiter zu:',
  },
}
