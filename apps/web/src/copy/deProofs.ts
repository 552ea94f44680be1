import type { ProofsTexts } from './enProofs.ts'

const plurals = new Intl.PluralRules('de')
const many = (count: number, one: string, other: string) => `${count} ${plurals.select(count) === 'one' ? one : other}`

/** The texts of proofs and their statements, in German. */
export const deProofs: ProofsTexts = {
  check: {
    title: 'Nachweis prüfen',
    drop: 'Ziehen Sie eine Nachweisdatei hierher oder wählen Sie eine aus.',
    choose: 'Datei auswählen',
    paste: 'Oder fügen Sie den Nachweis ein',
    checkText: 'Text prüfen',
    nothing: 'Hier erscheint das Ergebnis.',
    result: 'Ergebnis',
    resultOf: (name) => `Ergebnis für ${name}`,
    checking: 'Wird geprüft …',
    tooLarge: (limit) => `Diese Datei ist zu groß für einen Nachweis. Ein Nachweis hat höchstens ${limit} MB.`,
    notRead: 'Die Datei konnte nicht geprüft werden',
  },

  policy: {
    title: 'Schlüssel, denen Sie vertrauen (optional)',
    why: 'Ein Nachweis nennt die Schlüssel, die ihn signiert haben. Fügen Sie die ein, die Sie kennen: vom Dienst und von Zeugen. Ein Zeuge ist jemand anderes, zum Beispiel ein Market Maker, der jeden Stand des Protokolls signiert.',
    keys: 'Öffentliche Schlüssel, einer je Zeile',
    keysHint: 'Jeder als name+id+base64.',
    quorum: 'Wie viele dieser Zeugen signiert haben müssen',
    malformed: (line) => `Zeile ${line} ist kein Schlüssel der Form name+id+base64.`,
    secondLog: (line) =>
      `Zeile ${line} ist der Schlüssel eines zweiten Protokolls. Ein Nachweis stammt aus einem Protokoll.`,
  },

  verdict: {
    valid: 'Der Nachweis ist gültig',
    refused: 'Der Nachweis wurde abgelehnt',
    types: {
      auction: 'Er betrifft eine Auktion und alle ihre Angebote.',
      quote: 'Er betrifft ein Angebot einer Auktion.',
      omission: 'Er betrifft ein Angebot, das in einer Auktion fehlt.',
      overdue: 'Er betrifft eine Auktion, die nicht geschlossen wurde.',
      unclosed: 'Er betrifft eine Auktion, die nicht geschlossen wurde.',
      backdated: 'Er betrifft eine Auktion, die später festgehalten wurde, als sie angibt.',
      fork: 'Er betrifft ein Protokoll mit zwei Verläufen.',
      refusal: 'Er betrifft ein Angebot, das abgelehnt wurde.',
    },
    proved: 'Bewiesen',
    notProved: 'Nicht bewiesen',
    causes: {
      format: 'Das ist kein Nachweis, oder er wurde verändert: Ein Nachweis hat genau eine Schreibweise.',
      policy: 'Er wurde nicht mit den Schlüsseln signiert, denen Sie vertrauen.',
      breach:
        'Das eigene Protokoll des Dienstes hat dies gegen die Regeln festgehalten. Speichern Sie die Datei als Beleg.',
      content: 'Er wurde verändert oder zeigt nicht, was er behauptet. Er beweist nichts.',
    },
    reason: 'Grund (auf Englisch)',
    unsupported: 'Dieser Browser kann keine Nachweise prüfen',
    unsupportedWhy:
      'Er kennt keine Ed25519-Signaturen, oder diese Seite wurde ohne HTTPS geöffnet. Aktualisieren Sie den Browser oder führen Sie firmquote verify aus.',
    policy: 'Die Schlüssel sind nicht verwendbar',
    saidValid: (proved, open) => `Der Nachweis ist gültig. ${proved} bewiesen, ${open} nicht bewiesen.`,
  },

  statements: {
    ownKey: (log) =>
      `Der Schlüssel des Protokolls ${log} stammt aus der Datei. Vergleichen Sie ihn mit einem, dem Sie vertrauen.`,
    opened: (time) =>
      `Die Bedingungen der Auktion wurden bei der Eröffnung festgehalten, ${time}, bevor ein Maker antworten konnte.`,
    quotes: (count) =>
      `Die Auktion hatte genau ${many(count, 'Angebot', 'Angebote')}, für diesen Markt signiert und nach Preis und Eingang geordnet.`,
    contracts: 'Einige Maker sind Verträge, die ohne Schlüssel signieren. Ihre Angebote werden hier nicht geprüft.',
    best: 'Die besten Angebote sind die, die nach den veröffentlichten Regeln gewählt werden.',
    unknownRules: (version) =>
      `Die besten Angebote wurden nach Regeln gewählt, die diese Seite nicht kennt (Version ${version}).`,
    late: (time) => `Die Auktion wurde ${time} nach ihrem Ende geschlossen.`,
    lateOutage: (time) => `Die Auktion wurde ${time} nach ihrem Ende geschlossen, weil der Dienst ausgefallen war.`,
    unacknowledged:
      'Ein Angebot, das der Dienst dem Maker nicht bestätigt hat, stünde nicht hier. Der Maker wüsste es, könnte es aber nicht beweisen.',
    quote: (maker) => `Die Auktion enthält dieses Angebot des Makers ${maker}.`,
    noRanking: 'Die Reihenfolge und die besten Angebote werden nicht gezeigt.',
    omitted: (maker) => `Der Dienst nahm ein Angebot des Makers ${maker} an, ließ es aber in der Auktion aus.`,
    unclosed: (time) => `Die Auktion wurde eröffnet, aber bis ${time} nicht geschlossen.`,
    unclosedOnly:
      'Die Auktion wurde eröffnet, aber nicht geschlossen. Nur ein Zeuge, dem Sie vertrauen, belegt, dass sie überfällig war.',
    backdated: (time) =>
      `Die Auktion ist auf ${time} datiert, stand aber mehr als eine Minute später noch nicht im Protokoll.`,
    backdatedOnly: (time) =>
      `Die Auktion ist auf ${time} datiert. Nur ein Zeuge, dem Sie vertrauen, belegt, dass sie später ins Protokoll kam.`,
    fork: (size) => `Das Protokoll hat zwei verschiedene Verläufe seiner ersten ${size} Einträge signiert.`,
    refused: (maker, reason) => `Der Dienst lehnte ein Angebot des Makers ${maker} ab. ${reason}`,
    notJudged: 'Ob er das zu Recht tat, wird nicht gezeigt.',
    notJudgedAt: (block) =>
      `Ob er das zu Recht tat, wird nicht gezeigt. Prüfen Sie das Angebot an einem Archiv-Node erneut, bei Block ${block}.`,
    witness: (name, time) => `${name}, ein Zeuge, dem Sie vertrauen, sah diesen Verlauf am ${time}.`,
    otherWitnesses: (count) =>
      plurals.select(count) === 'one'
        ? `Ihn signierte ${count} Zeuge, dessen Schlüssel Sie nicht angegeben haben.`
        : `Ihn signierten ${count} Zeugen, deren Schlüssel Sie nicht angegeben haben.`,
    noWitness: 'Kein unabhängiger Zeuge: Der Dienst könnte anderen einen anderen Verlauf zeigen.',
  },

  auction: {
    title: 'Nachweis dieser Auktion',
    lead: 'Prüfen Sie, ob der Dienst sich an sein Protokoll hielt: dieselben Bedingungen, alle Angebote und ihre Reihenfolge.',
    check: 'Nachweis prüfen',
    again: 'Erneut prüfen',
    save: 'Nachweis speichern',
    failed: 'Der Nachweis konnte nicht geprüft werden',
    notReady: (time) =>
      `Der Dienst hat das Ende der Auktion noch nicht festgehalten. Versuchen Sie es in ${time} erneut.`,
    none: 'Der Dienst hat keinen Nachweis dieser Auktion. Sie lief vor Beginn des Protokolls, oder ihre Daten wurden gelöscht.',
    ownLog: 'Der Schlüssel des Protokolls ist der, den dieser Dienst veröffentlicht.',
    same: 'Es ist die Auktion auf dieser Seite, mit denselben Bedingungen und Angeboten.',
    otherTerms: 'Der Nachweis betrifft eine andere Auktion',
    otherQuotes: 'Der Nachweis hat andere Angebote als diese Seite',
    otherWhy: 'Speichern Sie den Nachweis. Der Dienst hat Ihnen etwas anderes gezeigt, als er festgehalten hat.',
    elsewhere: 'Nachweisdatei prüfen',
  },
}
