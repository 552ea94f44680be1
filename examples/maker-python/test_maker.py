# Checks the signatures against the test vectors in docs/protocol.md: python3 test_maker.py
import json
import unittest
from pathlib import Path

from ecdsa import SECP256k1, SigningKey

from maker import AUTH, PURPOSE, QUOTE, sign, typed_hash

PROTOCOL = (Path(__file__).parent / "../../docs/protocol.md").read_text(encoding="utf8")


def vector(name):
    return json.loads(PROTOCOL.split(f"<!-- vector: {name} -->\n```json\n")[1].split("```")[0])


class Vectors(unittest.TestCase):
    key = SigningKey.from_string(bytes.fromhex(vector("quote")["privateKey"][2:]), SECP256k1)

    def check(self, given, digest, expected):
        self.assertEqual("0x" + digest.hex(), expected)
        self.assertEqual(sign(self.key, digest), given["signature"])

    def test_quote(self):
        given = vector("quote")
        digest = typed_hash("QuoteMarket", given["chainId"], QUOTE, given["quote"], given["quoteMarket"])
        self.check(given, digest, given["hash"])

    def test_authentication(self):
        given = {**vector("backer auth"), "purpose": PURPOSE}
        digest = typed_hash("Firmquote Backer Auth", given["chainId"], AUTH, given)
        self.check(given, digest, given["digest"])


if __name__ == "__main__":
    unittest.main()
