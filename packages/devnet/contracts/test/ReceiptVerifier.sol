// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title Verifies receipts of a Firmquote service, as docs/protocol.md describes. For tests; not audited.
contract ReceiptVerifier {
    bytes32 private constant DOMAIN = keccak256(
        abi.encode(
            keccak256("EIP712Domain(string name,string version)"), keccak256("Firmquote receipts"), keccak256("1")
        )
    );
    bytes32 private constant RECEIPT_TYPE = keccak256("Receipt(string log,bytes32 batchRoot,uint64 mergeBy)");

    struct Receipt {
        string log;
        uint64 mergeBy;
        bytes signature;
        uint256 index;
        bytes32[] path;
        bytes16 salt;
        bytes leaf;
    }

    error NotInBatch();

    /// @notice Returns the account that signed a receipt. Reverts if the signature is not canonical, or the index is
    /// not in the batch.
    function signerOf(Receipt calldata receipt) external pure returns (address) {
        return ECDSA.recoverCalldata(digestOf(receipt.log, batchRootOf(receipt), receipt.mergeBy), receipt.signature);
    }

    /// @notice Returns the EIP-712 hash that the service signs.
    function digestOf(string calldata log, bytes32 batchRoot, uint64 mergeBy) public pure returns (bytes32) {
        bytes32 structHash = keccak256(abi.encode(RECEIPT_TYPE, keccak256(bytes(log)), batchRoot, mergeBy));
        return keccak256(abi.encodePacked(hex"1901", DOMAIN, structHash));
    }

    /// @notice Returns the root of a batch that has the receipt's leaf at its index.
    function batchRootOf(Receipt calldata receipt) public pure returns (bytes32 root) {
        uint256 index = receipt.index;
        root = sha256(abi.encodePacked(hex"00", receipt.salt, receipt.leaf));
        for (uint256 height = 0; height < receipt.path.length; ++height) {
            bytes32 sibling = receipt.path[height];
            root = index % 2 == 1
                ? sha256(abi.encodePacked(hex"01", sibling, root))
                : sha256(abi.encodePacked(hex"01", root, sibling));
            index /= 2;
        }
        if (index != 0) revert NotInBatch();
    }
}
