// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "../mocks/TestToken.sol";

/// @title A token that makes calls, which anyone can set, during each transfer. For tests.
contract ReentrantToken is TestToken {
    struct Call {
        address to;
        bytes data;
    }

    /// @notice Emitted for each call. `answer` is its return or revert data.
    event Reentered(address indexed to, bool success, bytes answer);

    Call[] private _calls;

    constructor() TestToken("Reentrant", "REENT", 6) {}

    function setCalls(Call[] calldata calls) external {
        delete _calls;
        for (uint256 i = 0; i < calls.length; ++i) {
            _calls.push(calls[i]);
        }
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        Call[] memory calls = _calls;
        // The calls' own transfers make none.
        delete _calls;
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory answer) = calls[i].to.call(calls[i].data);
            emit Reentered(calls[i].to, success, answer);
        }
    }
}
