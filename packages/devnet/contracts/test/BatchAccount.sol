// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Code that an account delegates to (EIP-7702) to send several calls as one. For tests.
contract BatchAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error NotThisAccount();

    /// @notice Performs the calls in order, or none of them: the first one that reverts undoes those before it.
    function execute(Call[] calldata calls) external payable {
        if (msg.sender != address(this)) revert NotThisAccount();
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (success) continue;
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}
