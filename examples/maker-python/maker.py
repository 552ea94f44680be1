# A maker that uses none of Firmquote's packages. Quotes every RFQ in full at 5 % APR.
#   FIRMQUOTE_URL=… RPC_URL=… QUOTE_MARKET=… LOAN_TOKEN=… ALLOWANCE=… PRIVATE_KEY=… python3 maker.py
import asyncio, hashlib, json, os, random, re, secrets, sys, time, urllib.request
import websockets
from Cryptodome.Hash import keccak
from ecdsa import SECP256k1, SigningKey, VerifyingKey
from ecdsa.util import sigencode_string_canonize

AUTH = "BackerAuth(address backer,string audience,address quoteMarket,bytes32 nonce,uint64 timestamp,string purpose)"
PURPOSE = "Authenticate backer connection. This is not a quote and moves no funds."
QUOTE = ("Quote(address maker,address taker,bytes32 poolId,bytes32 seriesKey,uint256 notional,uint256 vrtAmount,"
         "uint256 nonce,uint256 deadline,bytes32 salt)")
# Rejections after which the service may accept the same quote.
TEMPORARY = ("CHAIN_UNAVAILABLE", "CHAIN_DISAGREES", "STORAGE_UNAVAILABLE", "OVERLOADED", "OUTCOME_UNKNOWN")

def hashed(data):
    return keccak.new(digest_bits=256, data=data).digest()

def word(kind, value):
    base = 10 if kind.startswith("uint") else 16
    return hashed(value.encode()) if kind == "string" else int(str(value), base).to_bytes(32, "big")

def struct_hash(kind, values):
    fields = [field.split() for field in kind[kind.index("(") + 1:-1].split(",")]
    return hashed(hashed(kind.encode()) + b"".join(word(each, values[name]) for each, name in fields))

def typed_hash(name, chain_id, kind, values, contract=None):
    """The EIP-712 digest. The domain names a contract only for quotes."""
    domain = "EIP712Domain(string name,string version,uint256 chainId"
    domain += ",address verifyingContract)" if contract else ")"
    facts = {"name": name, "version": "1", "chainId": chain_id, "verifyingContract": contract}
    return hashed(b"\x19\x01" + struct_hash(domain, facts) + struct_hash(kind, values))

def sign(key, digest):
    """Returns r, s and v in hex. s is in the lower half of the curve order."""
    rs = key.sign_digest_deterministic(digest, hashfunc=hashlib.sha256, sigencode=sigencode_string_canonize)
    signers = VerifyingKey.from_public_key_recovery_with_digest(rs, digest, SECP256k1, hashfunc=hashlib.sha256)
    return "0x" + rs.hex() + ("1b", "1c")[signers.index(key.verifying_key)]

def rlp(items):
    """Encodes a list of unsigned integers and bytes, at most 255 bytes long."""
    sized = lambda start, data: bytes([start + len(data)] if len(data) < 56 else [start + 56, len(data)]) + data
    parts = [item if isinstance(item, bytes) else item.to_bytes((item.bit_length() + 7) // 8, "big") for item in items]
    return sized(0xC0, b"".join(part if len(part) == 1 and part[0] < 128 else sized(0x80, part) for part in parts))

class Maker:
    def __init__(self, env):
        self.url = re.sub("^http", "ws", env["FIRMQUOTE_URL"]) + "/ws/rfq"
        self.rpc_url, self.market, self.token = env["RPC_URL"], env["QUOTE_MARKET"].lower(), env["LOAN_TOKEN"]
        self.key = SigningKey.from_string(bytes.fromhex(env["PRIVATE_KEY"][2:]), SECP256k1)
        self.address = "0x" + hashed(self.key.verifying_key.to_string())[12:].hex()
        self.chain_id = int(self.rpc("eth_chainId"), 16)
        self.quotes = {}  # This session's quote for each RFQ, or None once the service has decided on it.
        self.seq = None  # The last status update. Store it to resume after a restart.

    def rpc(self, method, *params):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(self.rpc_url, body, {"content-type": "application/json"})
        answer = json.load(urllib.request.urlopen(request, timeout=2))
        return answer["result"] if "result" in answer else sys.exit(f"{method}: {answer}")

    def read(self, to, function, *addresses):
        data = hashed(function.encode())[:4] + b"".join(word("address", each) for each in addresses)
        return int(self.rpc("eth_call", {"to": to, "data": "0x" + data.hex()}, "latest"), 16)

    def approve(self, amount):
        """Lets the quote market spend loan tokens. The allowance caps the maker's total exposure."""
        if self.read(self.token, "allowance(address,address)", self.address, self.market) >= amount:
            return
        data = hashed(b"approve(address,uint256)")[:4] + word("address", self.market) + word("uint256", amount)
        gas = self.rpc("eth_estimateGas", {"from": self.address, "to": self.token, "data": "0x" + data.hex()})
        count, price = self.rpc("eth_getTransactionCount", self.address, "pending"), self.rpc("eth_gasPrice")
        fields = [int(count, 16), 2 * int(price, 16), int(gas, 16), bytes.fromhex(self.token[2:]), 0, data]
        signed = sign(self.key, hashed(rlp([*fields, self.chain_id, 0, 0])))
        r, s, v = (int(part, 16) for part in (signed[2:66], signed[66:130], signed[130:]))
        sent = self.rpc("eth_sendRawTransaction", "0x" + rlp([*fields, v + 8 + 2 * self.chain_id, r, s]).hex())
        while (receipt := self.rpc("eth_getTransactionReceipt", sent)) is None:
            time.sleep(1)
        print("approved" if receipt["status"] == "0x1" else sys.exit(f"{sent} reverted"), amount, flush=True)

    def authenticate(self, message):
        version, audience, nonce = message["challenge"].split("|")[1:]
        told = (version, audience, message["chainId"], message["quoteMarket"].lower())
        # Reject challenges that were relayed from, or are meant for, another service.
        if told != ("1", self.url, self.chain_id, self.market):
            sys.exit(f"{self.url} sent a challenge for another service or market: {message}")
        values = {"backer": self.address, "audience": audience, "quoteMarket": self.market, "nonce": nonce,
                  "timestamp": int(time.time()), "purpose": PURPOSE}
        signed = sign(self.key, typed_hash("Firmquote Backer Auth", self.chain_id, AUTH, values))
        return {"type": "auth", "address": self.address, "timestamp": values["timestamp"], "signature": signed}

    def quote(self, rfq):
        vrt_amount = int(rfq["notional"]) * 5 * (rfq["expiry"] - int(time.time())) // (100 * 31_536_000)
        quote = {"maker": self.address, "taker": rfq.get("taker", "0x" + 40 * "0"), "poolId": rfq["poolId"],
                 "seriesKey": rfq["seriesKey"], "notional": rfq["notional"], "vrtAmount": str(vrt_amount),
                 "nonce": str(self.read(self.market, "nonces(address)", self.address)),
                 "deadline": str(int(rfq["minDeadline"]) + 60), "salt": "0x" + secrets.token_hex(32)}
        signed = sign(self.key, typed_hash("QuoteMarket", self.chain_id, QUOTE, quote, self.market))
        return {"type": "quote", "rfqId": rfq["rfqId"], "quote": {**quote, "signature": signed}}

    async def serve(self, socket):
        async def send(message, delay=0):
            await asyncio.sleep(delay)
            await socket.send(json.dumps(message))
        async for frame in socket:
            message = json.loads(frame)
            kind, rfq_id, code = message["type"], message.get("rfqId"), message.get("code")
            print(kind, message.get("status") or code or "", message.get("hash") or rfq_id or "", flush=True)
            rfqs = [message] if kind == "rfq" else message.get("openRfqs", [])
            if kind == "auth_challenge":
                await send(self.authenticate(message))
            elif kind == "authenticated":
                # An RFQ that is not listed has closed, or accepts no other quote from this maker.
                self.quotes = {rfq["rfqId"]: self.quotes[rfq["rfqId"]] for rfq in rfqs if rfq["rfqId"] in self.quotes}
                self.seq = message["statusSeq"] if self.seq is None else self.seq
                await send({"type": "resume", "seq": self.seq})
            elif kind == "quote_ack" and code in TEMPORARY and self.quotes.get(rfq_id):
                asyncio.create_task(send(self.quotes[rfq_id], 1))
            elif kind in ("quote_ack", "auction_result"):
                self.quotes[rfq_id] = None
            elif kind == "error":
                await socket.close()  # Resume on another connection.
            elif kind == "quote_status" and message["seq"] == self.seq + 1:
                self.seq += 1  # Hedge fills here.
            elif kind == "resumed" and message["seq"] != self.seq:
                sys.exit(f"Status updates after {self.seq} are missing: read GET /maker/quotes.")
            for rfq in rfqs:
                # Repeat the same quote, because the service may already have accepted it.
                if rfq["rfqId"] not in self.quotes:
                    self.quotes[rfq["rfqId"]] = self.quote(rfq)
                if self.quotes[rfq["rfqId"]]:
                    await send(self.quotes[rfq["rfqId"]])

async def main():
    maker = Maker(os.environ)
    maker.approve(int(os.environ["ALLOWANCE"]))
    while True:
        try:
            async with websockets.connect(maker.url) as socket:
                await maker.serve(socket)
            code = None
        except (OSError, websockets.WebSocketException) as error:
            code = getattr(error, "code", None)
        print("closed", code, flush=True)
        if code in (4400, 4401, 4403, 4423):
            sys.exit("The service rejected this maker.")
        await asyncio.sleep(60 if code == 4429 else 2 * random.random())

if __name__ == "__main__":
    asyncio.run(main())
