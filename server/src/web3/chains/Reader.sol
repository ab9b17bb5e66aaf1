// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Never deployed: eth_call runs it as creation code. It reads what many wallets hold of one token, each call
/// with a gas limit so low that a misbehaving token can't affect the others, and returns the chain id. A
/// constructor's return value is limited like code, to 24,576 bytes: a word for each wallet, so about 700.
/// `kind`: 0 native, 1 balanceOf(address), 2 balanceOf(address,uint256). `wallets` are 20 bytes each.
contract Reader {
    constructor(uint256 kind, address token, uint256 id, bytes memory wallets) {
        uint256 count = wallets.length / 20;
        uint256[] memory answer = new uint256[](count + 2);
        answer[0] = block.chainid;
        for (uint256 i = 0; i < count; i++) {
            address wallet;
            assembly {
                wallet := shr(96, mload(add(add(wallets, 32), mul(i, 20))))
            }
            (bool isRead, uint256 amount) = kind == 0
                ? (true, wallet.balance)
                : read(kind, token, id, wallet);
            if (!isRead) answer[1] += 1;
            answer[i + 2] = amount;
        }
        assembly {
            return(add(answer, 32), mul(mload(answer), 32))
        }
    }

    function read(uint256 kind, address token, uint256 id, address wallet) private view returns (bool, uint256) {
        if (token.code.length == 0) return (false, 0);
        bytes memory asked = kind == 1
            ? abi.encodeWithSelector(0x70a08231, wallet)
            : abi.encodeWithSelector(0x00fdd58e, wallet, id);
        bool done;
        uint256 amount;
        assembly {
            done := staticcall(300000, token, add(asked, 32), mload(asked), 0, 32)
            done := and(done, gt(returndatasize(), 31))
            amount := mload(0)
        }
        return done ? (true, amount) : (false, 0);
    }
}
