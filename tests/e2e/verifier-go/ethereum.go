package main

import (
	"errors"
	"math/big"

	"github.com/btcsuite/btcd/btcec"
	"golang.org/x/crypto/sha3"
)

// EIP-712 hashes of receipts and quotes, and the addresses that signed them.

func keccak(parts ...[]byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

// word encodes a number in 32 bytes.
func word(value *big.Int) []byte {
	return value.FillBytes(make([]byte, 32))
}

func typedHash(domain []byte, structHash []byte) []byte {
	return keccak([]byte{0x19, 0x01}, domain, structHash)
}

// receiptHash is the hash that the service signs.
func receiptHash(log string, batchRoot []byte, mergeBy uint64) []byte {
	domain := keccak(
		keccak([]byte("EIP712Domain(string name,string version)")),
		keccak([]byte("Firmquote receipts")),
		keccak([]byte("1")),
	)
	return typedHash(domain, keccak(
		keccak([]byte("Receipt(string log,bytes32 batchRoot,uint64 mergeBy)")),
		keccak([]byte(log)),
		batchRoot,
		word(new(big.Int).SetUint64(mergeBy)),
	))
}

const quoteType = "Quote(address maker,address taker,bytes32 poolId,bytes32 seriesKey,uint256 notional," +
	"uint256 vrtAmount,uint256 nonce,uint256 deadline,bytes32 salt)"

// quoteHash is the hash that identifies a quote. Its words are the quote's fields in the order of the type.
func quoteHash(chainID uint64, quoteMarket []byte, words ...[]byte) []byte {
	domain := keccak(
		keccak([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")),
		keccak([]byte("QuoteMarket")),
		keccak([]byte("1")),
		word(new(big.Int).SetUint64(chainID)),
		make([]byte, 12), quoteMarket,
	)
	return typedHash(domain, keccak(append([][]byte{keccak([]byte(quoteType))}, words...)...))
}

// recoverSigner accepts 65 bytes: r, s in the lower half of the order, and v of 27 or 28.
func recoverSigner(hash, signature []byte) ([]byte, error) {
	if len(signature) != 65 || (signature[64] != 27 && signature[64] != 28) {
		return nil, errors.New("the signature does not have 65 bytes that end with 27 or 28")
	}
	half := new(big.Int).Rsh(btcec.S256().N, 1)
	if new(big.Int).SetBytes(signature[32:64]).Cmp(half) > 0 {
		return nil, errors.New("the signature has a high s")
	}
	key, _, err := btcec.RecoverCompact(btcec.S256(), append([]byte{signature[64]}, signature[:64]...), hash)
	if err != nil {
		return nil, err
	}
	return keccak(key.SerializeUncompressed()[1:])[12:], nil
}
